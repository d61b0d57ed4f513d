import { localize } from "../../protocol/localize.ts";

/** What the context view says; a part of the one table of words. */
export const contextWords = {
  context: localize("Context"),
  contextBack: localize("Back to the conversation"),
  contextNext: localize("Next request to"),
  contextTrial: localize("It would go to"),
  contextStrategy: localize("Strategy"),
  contextLookAtModel: (model: string) => localize("Model: {0}. Look at another one", model),
  contextLookAtStrategy: (strategy: string) => localize("Strategy: {0}. Look at another one", strategy),
  contextOnlyLooking: (inUse: string) => localize("Only looked at; nothing is sent or changed. In use: {0}.", inUse),
  contextUseTrial: localize("Use this"),
  contextLeaveTrial: localize("Show what is in use"),
  contextBar: (figure: string) => localize("What fills the context: {0}", figure),
  contextSummarize: localize("Summarize now"),
  contextRequest: localize("Show exact request"),
  contextRequestHint: localize("As it would be sent now, without the key. Opens in the editor."),
  contextMore: localize("Model, strategy, tools…"),
  contextMoreHint: localize(
    "Set for this conversation: model, strategy, reasoning effort, answer length and tools. Also says what it has cost.",
  ),
  contextTotals: localize("Summaries so far"),
  contextGoToSummary: localize("Go to the summary"),
  contextOpenText: localize("Open its text in the editor"),
  contextPin: localize("Pin: always send it as it is"),
  contextUnpin: localize("Unpin"),
  contextLeaveOut: (label: string) => localize("Leave {0} out of what is sent; it stays in the conversation", label),
  contextSendAgain: (label: string) => localize("Send {0} again", label),
  contextLeftOut: localize("not sent"),
  contextMoreItems: (left: number) => localize("{0} more", left),
  contextTokens: localize("tokens"),
} as const;

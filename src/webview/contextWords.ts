import { localize } from "../protocol/localize.ts";

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
  contextMore: localize("Set for this conversation"),
  contextTotals: localize("Compactions of this conversation"),
  contextGoToMessage: (id: number) => localize("Go to message {0}", id),
  contextGoToSummary: localize("Go to the summary"),
  contextOpenText: localize("Open its text in the editor"),
  contextPin: localize("Pin: always send it as it is"),
  contextUnpin: localize("Unpin"),
  contextMoreItems: (left: number) => localize("{0} more", left),
  contextTokens: localize("tokens"),
} as const;

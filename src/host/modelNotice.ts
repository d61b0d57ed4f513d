/** What a switch of the model does to what is sent, in words: before it in the picker, after it in the chat. */

import type { SwitchPreview } from "../core/context/contextAdaptation.ts";
import { formatTokens } from "../core/context/contextUsage.ts";
import type { NoticeRow } from "../protocol/toView.ts";
import type { ModelChange } from "./foldIndex.ts";
import { noticeRow } from "./rows.ts";

/** The line in the chat for a change of the model; its effect is said while it is known. */
export function modelNotice({ record, preview }: ModelChange): NoticeRow {
  const effect = preview === undefined ? "" : ` ${previewText(preview)}.`;
  return noticeRow(`model-${record.atMs}`, { tone: "info", text: `Model: ${record.model}.${effect}`, actions: [] });
}

/** "Fits", "61k → 24k, about 2 calls", "12 messages return as originals", or why it can not be. */
export function previewText({ adaptation, tokensBefore, tokensAfter, calls, tooLarge }: SwitchPreview): string {
  if (tooLarge !== undefined) {
    const { requiredTokens, budgetTokens } = tooLarge;
    return `Can not fit: ${formatTokens(requiredTokens)} are always sent, ${formatTokens(budgetTokens)} are possible`;
  }
  if (adaptation.kind === "shrinking" && adaptation.needsSummarization) {
    const change = `${formatTokens(tokensBefore)} → ${formatTokens(tokensAfter)} tokens`;
    return `Will be summarized: ${change}, about ${calls} ${calls === 1 ? "call" : "calls"}`;
  }
  if (adaptation.kind === "expanding" && adaptation.canRestore > 0) {
    const { canRestore } = adaptation;
    return canRestore === 1 ? "1 message returns as the original" : `${canRestore} messages return as originals`;
  }
  return "Everything fits as it is";
}

/** Texts about the effect of a model switch on what is sent: before it in the picker, after it in the chat. */

import { MOST_CALLS } from "../../core/summary/write/callAllowance.ts";
import { modelName } from "../../core/models/modelName.ts";
import type { SwitchPreview } from "../../core/context/request/switchPreview.ts";
import type { ModelRecord } from "../../core/history/records.ts";
import type { NoticeRow } from "../../protocol/toView.ts";
import { localize, plural } from "../../protocol/localize.ts";
import { noticeRow } from "./rows.ts";
import { formatTokens } from "../words/formatting.ts";

/** The notice of a model switch in the chat, with its effect while that is known. */
export function modelNotice(record: ModelRecord, preview?: SwitchPreview): NoticeRow {
  const effect = preview === undefined ? "" : ` ${previewText(preview)}.`;
  const text = `${localize("Model: {0}.", modelName(record.model))}${effect}`;
  return noticeRow(`model-${record.atMs}`, { tone: "info", text, actions: [] });
}

/** "Fits", "61k → 24k, about 2 calls", "12 messages return as originals", or why it cannot be. */
export function previewText({ adaptation, tokensBefore, tokensAfter, calls, outcome }: SwitchPreview): string {
  switch (outcome.kind) {
    case "tooLarge":
      return localize(
        "Cannot fit: {0} are always sent, {1} are possible",
        formatTokens(outcome.error.requiredTokens),
        formatTokens(outcome.error.budgetTokens),
      );
    case "stuck":
      return localize(
        "Does not fit: {0} tokens too many, and nothing is summarized automatically",
        formatTokens(outcome.excessTokens),
      );
    case "summarized":
      return plural(
        Math.min(calls, MOST_CALLS),
        "Will be summarized: {1} → {2} tokens, about 1 call",
        "Will be summarized: {1} → {2} tokens, about {0} calls",
        formatTokens(tokensBefore),
        formatTokens(tokensAfter),
      );
    case "fits":
      if (outcome.excerpts > 0) {
        return plural(
          outcome.excerpts,
          "Fits, with an excerpt of 1 message that is too long",
          "Fits, with excerpts of {0} messages that are too long",
        );
      }
      return adaptation.kind === "expanding" && adaptation.canRestore > 0
        ? plural(adaptation.canRestore, "1 message returns as the original", "{0} messages return as originals")
        : localize("Everything fits as it is");
  }
}

/** The figures and words around the transcript, from the state of a conversation. Pure. */

import type { ContextManager } from "../../core/context/contextManager.ts";
import type { ContextUsage } from "../../core/context/usage/contextUsage.ts";
import type { ConnectionView, FoundServerView, ModelView } from "../../protocol/toView.ts";
import type { UsageSegment, UsageView } from "../../protocol/usageView.ts";
import { localize } from "../../protocol/localize.ts";
import type { Connection } from "../connections/connections.ts";
import { setAsideLines } from "../transcript/staleSummaryText.ts";
import type { UsageShown } from "../editor/statusBar.ts";
import { formatTokens, formatUsage } from "../words/rowWords.ts";

/** The meter of the composer. */
export function usageView(usage: ContextUsage): UsageView {
  return {
    usedTokens: usage.usedTokens,
    budgetTokens: usage.budgetTokens,
    text: formatUsage(usage),
    severity: usage.severity(),
    measured: usage.isMeasured,
    segments: segmentsOf(usage),
  };
}

/** The indicator in the status bar, with what fills the context in its tooltip. */
export function usageShown(manager: Pick<ContextManager, "usage" | "history">, connection: Connection): UsageShown {
  const usage = manager.usage();
  return {
    text: formatUsage(usage),
    severity: usage.severity(),
    details: [
      `${connection.isLanguageModel ? connection.model : localize("Offline")}: ${formatUsage(usage)}`,
      `${connection.why}.`,
      ...usageLines(usage),
      ...setAsideLines(manager.history),
      `${certaintyOf(usage)}.`,
    ],
  };
}

/** Whether the figure is the provider's or counted here, and how sure it is. */
export function certaintyOf({ isMeasured, plusMinusTokens }: ContextUsage): string {
  const plusMinus = formatTokens(plusMinusTokens);
  if (plusMinusTokens === 0) return isMeasured ? localize("Measured by the provider") : localize("Estimated");
  return isMeasured
    ? localize("Measured by the provider, ± {0} for what came since", plusMinus)
    : localize("Estimated, ± {0}", plusMinus);
}

/** One line for each part that takes something: "Summaries 9k". */
export function usageLines(usage: ContextUsage): readonly string[] {
  return segmentsOf(usage).map((segment) => `${SEGMENT_LABELS[segment.kind]} ${formatTokens(segment.tokens)}`);
}

/** The model in words. */
export function modelView(connection: Connection): ModelView {
  return connection.isLanguageModel
    ? { label: connection.model, providerLabel: connection.provider.label }
    : { label: localize("Offline"), providerLabel: "" };
}

/** What could be used while nothing is. */
export interface WaysOut {
  /** How many models the editor itself offers. */
  readonly editorModels: number;
  /** Servers that were found on this machine. */
  readonly servers: readonly FoundServerView[];
}

/** Whether a language model can be asked, and what could be used where none can. */
export function connectionView({ isLanguageModel, why }: Connection, waysOut: WaysOut): ConnectionView {
  return isLanguageModel ? { kind: "connected", why } : { kind: "offline", ...waysOut };
}

/** What is said of the budget: "129k of input: a window of 200k, 64k kept for the answer, 5% for counting." */
export function budgetLine(manager: ContextManager): string {
  const { contextWindow, maxOutput } = manager.limits;
  return localize(
    "{0} can be sent: a window of {1}, {2} kept for the answer, 5% for counting",
    formatTokens(manager.budgetTokens),
    formatTokens(contextWindow),
    formatTokens(maxOutput),
  );
}

const SEGMENT_LABELS: Record<UsageSegment["kind"], string> = {
  system: localize("Instructions"),
  tools: localize("Tools"),
  pins: localize("Pinned"),
  summaries: localize("Summaries"),
  messages: localize("Messages"),
};

function segmentsOf({ parts }: ContextUsage): readonly UsageSegment[] {
  if (parts === undefined) return [];
  const segments: readonly UsageSegment[] = [
    { kind: "system", tokens: parts.system + parts.priming },
    { kind: "tools", tokens: parts.tools },
    { kind: "pins", tokens: parts.pins },
    { kind: "summaries", tokens: parts.summaries },
    { kind: "messages", tokens: parts.recent + parts.older },
  ];
  return segments.filter((segment) => segment.tokens > 0);
}

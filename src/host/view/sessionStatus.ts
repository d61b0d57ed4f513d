/** Figures and texts around the transcript, computed from the state of a conversation. Pure. */

import { modelName } from "../../core/models/modelName.ts";
import type { ContextManager } from "../../core/context/contextManager.ts";
import type { ContextUsage } from "../../core/context/usage/contextUsage.ts";
import type { ConnectionView, FoundServerView, ModelView } from "../../protocol/toView.ts";
import type { UsageSegment, UsageView } from "../../protocol/usageView.ts";
import { localize } from "../../protocol/localize.ts";
import type { Connection } from "../connections/connections.ts";
import { staleSummaryLines } from "../transcript/staleSummaryText.ts";
import type { StatusBarContent } from "../editor/statusBar.ts";
import { formatTokens, formatUsage } from "../words/formatting.ts";

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

/** The item in the status bar; its tooltip lists what fills the context. */
export function statusBarUsage(
  manager: Pick<ContextManager, "usage" | "history">,
  connection: Connection,
): StatusBarContent {
  const usage = manager.usage();
  return {
    text: formatUsage(usage),
    severity: usage.severity(),
    details: [
      `${modelLabel(connection)}: ${formatUsage(usage)}`,
      `${connection.why}.`,
      ...usageLines(usage),
      ...staleSummaryLines(manager.history),
      `${certaintyOf(usage)}.`,
    ],
  };
}

/** Whether the figure is measured by the provider or estimated here, and its margin. */
export function certaintyOf({ isMeasured, plusMinusTokens }: ContextUsage): string {
  const plusMinus = formatTokens(plusMinusTokens);
  if (plusMinusTokens === 0) return isMeasured ? localize("Measured by the provider") : localize("Estimated");
  return isMeasured
    ? localize("Measured by the provider, ± {0} for newer messages", plusMinus)
    : localize("Estimated, ± {0}", plusMinus);
}

/** One line for each part that is not empty: "Summaries 9k". */
export function usageLines(usage: ContextUsage): readonly string[] {
  return segmentsOf(usage).map((segment) => `${SEGMENT_LABELS[segment.kind]} ${formatTokens(segment.tokens)}`);
}

export function modelView(connection: Connection): ModelView {
  const label = modelLabel(connection);
  if (!connection.isLanguageModel) return { label, providerLabel: "" };
  const path = connection.model === label ? {} : { path: connection.model };
  return { label, providerLabel: connection.provider.label, ...path };
}

/** "claude-haiku-4-5", or "Offline". */
export function modelLabel({ isLanguageModel, model }: Pick<Connection, "isLanguageModel" | "model">): string {
  return isLanguageModel ? modelName(model) : localize("Offline");
}

/** Alternatives while no model is connected. */
export interface ConnectionOptions {
  /** Number of models that the editor itself offers. */
  readonly editorModels: number;
  /** Servers found on this machine. */
  readonly servers: readonly FoundServerView[];
}

export function connectionView({ isLanguageModel, why }: Connection, waysOut: ConnectionOptions): ConnectionView {
  return isLanguageModel ? { kind: "connected", why } : { kind: "offline", ...waysOut };
}

/** "129k can be sent: a window of 200k, 64k kept for the answer, 5% for counting". */
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
    { kind: "messages", tokens: parts.recalled + parts.recent + parts.older },
  ];
  return segments.filter((segment) => segment.tokens > 0);
}

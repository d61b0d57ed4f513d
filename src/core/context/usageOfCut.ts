/** The meter's figures for a cut. */

import type { FullHistory } from "../history/fullHistory.ts";
import type { ContextSettings } from "./contextSettings.ts";
import { ContextUsage, type UsageParts } from "./contextUsage.ts";
import type { Cut } from "./cut.ts";
import { keptMessages } from "./keptMessages.ts";
import type { Calibrator, CountedRequest } from "../tokens/calibrator.ts";
import { NO_CONTENT, type ClassCounts } from "../tokens/contentClass.ts";
import { measuredUse, type Measurement } from "./measuredUse.ts";
import type { ModelContext } from "./modelContext.ts";
import type { WorkingContext } from "./workingContext.ts";

/** Tokens of the request as counted here; when it does not fit, of the smallest one. */
export function estimatedUse(cut: Cut): number {
  switch (cut.kind) {
    case "ready":
      return cut.context.usedTokens;
    case "needed":
      return cut.requiredTokens;
    case "tooLarge":
      return cut.error.requiredTokens;
  }
}

/** The request as calibration sees it: text by its kinds, and tools, of which nobody knows beforehand how they are billed. */
export function countedRequest(cut: Cut, { overhead, overheadTokens, toolSet }: ModelContext): CountedRequest {
  const fixedTokens = overhead.reduce((sum, part) => sum + (part.kind === "tools" ? part.tokens : 0), 0);
  const content = contentOf(cut, overheadTokens);
  const prose = content.prose + overheadTokens - fixedTokens;
  return { content: { ...content, prose }, messages: 0, fixedTokens, toolSet };
}

/** What is sent besides the overhead, by kinds of text. */
function contentOf(cut: Cut, overheadTokens: number): ClassCounts {
  switch (cut.kind) {
    case "ready":
      return cut.context.content;
    case "needed":
      return cut.content;
    case "tooLarge":
      return { ...NO_CONTENT, prose: cut.error.requiredTokens - overheadTokens };
  }
}

/** How full the context is, and with what. */
export function usageOfCut(
  cut: Cut,
  of: {
    readonly history: FullHistory;
    readonly model: ModelContext;
    readonly settings: Pick<ContextSettings, "preserveRecent">;
    readonly measurement: Measurement | undefined;
    readonly calibrator: Pick<Calibrator, "predict">;
    readonly isMeasured: boolean;
  },
): ContextUsage {
  const counted = countedRequest(cut, of.model);
  const { usedTokens, plusMinusTokens } = measuredUse(counted, of.calibrator, of.measurement);
  const { budgetTokens, limits } = of.model;
  const context = cut.kind === "ready" ? cut.context : undefined;
  return new ContextUsage({
    usedTokens,
    budgetTokens,
    summarizedSegments: context?.totals.summaryCount ?? 0,
    parts: scaledTo(usedTokens, countedParts(of, context, estimatedUse(cut))),
    reservedTokens: limits.contextWindow - budgetTokens,
    isMeasured: of.isMeasured,
    plusMinusTokens,
    ...(context === undefined ? {} : { segments: () => context.segments() }),
  });
}

function countedParts(
  { history, model, settings }: Parameters<typeof usageOfCut>[1],
  context: WorkingContext | undefined,
  estimated: number,
): UsageParts {
  const overhead = (kind: "system" | "tools" | "priming"): number =>
    model.overhead.reduce((sum, part) => sum + (part.kind === kind ? part.tokens : 0), 0);
  const { pinned = 0, summaries = 0, messages = estimated - model.overheadTokens } = context?.totals ?? {};
  const { recentStart } = keptMessages(history, history.length, settings.preserveRecent);
  const newest = history.entries
    .slice(recentStart)
    .filter((entry) => !history.pins.has(entry.id) && history.isVisible(entry));
  const recent = Math.min(
    messages,
    newest.reduce((sum, entry) => sum + model.costs.ofEntry(entry), 0),
  );
  return {
    system: overhead("system"),
    tools: overhead("tools"),
    priming: overhead("priming"),
    pins: pinned,
    summaries,
    recent,
    older: messages - recent,
  };
}

/** The same proportions in other tokens; what rounding leaves goes to the messages. */
function scaledTo(usedTokens: number, parts: UsageParts): UsageParts {
  const sum = parts.system + parts.tools + parts.priming + parts.pins + parts.summaries + parts.recent + parts.older;
  if (sum === usedTokens || sum === 0) return parts;
  const scaled = (tokens: number): number => Math.floor((tokens * usedTokens) / sum);
  const system = scaled(parts.system);
  const tools = scaled(parts.tools);
  const priming = scaled(parts.priming);
  const pins = scaled(parts.pins);
  const summaries = scaled(parts.summaries);
  const older = scaled(parts.older);
  const recent = usedTokens - system - tools - priming - pins - summaries - older;
  return { system, tools, priming, pins, summaries, recent, older };
}

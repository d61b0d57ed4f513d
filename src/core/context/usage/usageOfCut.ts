/** Usage of a cut. */

import type { FullHistory } from "../../history/fullHistory.ts";
import type { ContextSettings } from "../contextSettings.ts";
import { ContextUsage, type UsageParts } from "./contextUsage.ts";
import type { Cut } from "../cut/buildCut.ts";
import { preservedMessages } from "../cut/preservedMessages.ts";
import type { Calibrator, CountedRequest } from "../../tokens/calibrator.ts";
import { NO_CONTENT, type ClassCounts, CONTENT_CLASSES } from "../../tokens/contentClass.ts";
import type { ModelCalibration } from "./modelCalibration.ts";
import type { ModelContext } from "../modelContext.ts";
import type { WorkingContext } from "../cut/workingContext.ts";

/** Tokens of the request by our own counting; if it does not fit, of the smallest one. */
export function estimatedUse(cut: Cut): number {
  switch (cut.kind) {
    case "ready":
      return cut.context.usedTokens;
    case "needed":
      return cut.context.usedTokens;
    case "tooLarge":
      return cut.error.requiredTokens;
  }
}

/** The request as calibration sees it: text by content class, and tools, whose billing is not known beforehand. */
export function countedRequest(cut: Cut, { overhead, overheadTokens, toolSet }: ModelContext): CountedRequest {
  const fixedTokens = overhead.reduce((sum, part) => sum + (part.kind === "tools" ? part.tokens : 0), 0);
  const content = contentOf(cut, overheadTokens);
  const prose = content.prose + overheadTokens - fixedTokens;
  return { content: { ...content, prose }, messages: 0, fixedTokens, toolSet };
}

/** What is sent besides the overhead, by content class. */
function contentOf(cut: Cut, overheadTokens: number): ClassCounts {
  switch (cut.kind) {
    case "ready":
      return cut.context.content;
    case "needed":
      return cut.context.content;
    case "tooLarge":
      return { ...NO_CONTENT, prose: cut.error.requiredTokens - overheadTokens };
  }
}

export interface Measurement {
  readonly counted: CountedRequest;
  readonly reportedTokens: number;
}

/** The true value is within `usedTokens ± plusMinusTokens` in 9 of 10 cases. */
export interface UsageEstimate {
  readonly usedTokens: number;
  /** 0: the provider reported exactly this, or its counting is known. */
  readonly plusMinusTokens: number;
}

/**
 * Best estimate for a request counted as `now`: the last reported usage, carried over. Additions since then count as
 * estimated, removals in proportion. Estimates only bridge from one report to the next, and get better with each.
 */
export function estimateUsage(
  now: CountedRequest,
  calibrator: Pick<Calibrator, "predict">,
  last: Measurement | undefined,
): UsageEstimate {
  const { tokens, plusMinusTokens } = calibrator.predict(now);
  if (last === undefined) return { usedTokens: tokens, plusMinusTokens };
  const before = calibrator.predict(last.counted).tokens;
  const change = tokens - before;
  const weight = change < 0 && before > 0 ? last.reportedTokens / before : 1;
  const usedTokens = Math.max(0, Math.round(last.reportedTokens + change * weight));
  return { usedTokens, plusMinusTokens: Math.ceil(plusMinusTokens * changedShare(now, last.counted)) };
}

/** Fraction of `now` that was added or removed since `before`; at most 1. */
function changedShare(now: CountedRequest, before: CountedRequest): number {
  let all = 0;
  let changed = 0;
  for (const name of CONTENT_CLASSES) {
    all += now.content[name];
    changed += Math.abs(now.content[name] - before.content[name]);
  }
  return all === 0 ? 0 : Math.min(1, changed / all);
}

export function usageOfCut(
  cut: Cut,
  of: {
    readonly history: FullHistory;
    readonly model: ModelContext;
    readonly settings: Pick<ContextSettings, "preserveRecent">;
    readonly measurement: Measurement | undefined;
    readonly calibrator: Pick<ModelCalibration, "predict" | "toolTokensOf">;
    readonly isMeasured: boolean;
  },
): ContextUsage {
  const counted = countedRequest(cut, of.model);
  const { usedTokens, plusMinusTokens } = estimateUsage(counted, of.calibrator, of.measurement);
  const { budgetTokens, limits } = of.model;
  const context = cut.kind === "ready" ? cut.context : undefined;
  return new ContextUsage({
    usedTokens,
    budgetTokens,
    summarizedSegments: context?.totals.summaryCount ?? 0,
    parts: scaledTo(
      usedTokens,
      countedParts(of, context, estimatedUse(cut)),
      Math.min(usedTokens, of.calibrator.toolTokensOf(counted) ?? Infinity),
    ),
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
  const {
    pinned = 0,
    summaries = 0,
    recalled = 0,
    messages = estimated - model.overheadTokens,
  } = context?.totals ?? {};
  const { recentStart } = preservedMessages(history, history.length, settings.preserveRecent);
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
    recalled,
    recent,
    older: messages - recent,
  };
}

/**
 * Scales the parts to add up to `usedTokens`; the rounding remainder goes to `recent`. `toolTokens`: known cost of the
 * tools, which is not scaled; `usedTokens` or more when it is not known.
 */
function scaledTo(usedTokens: number, parts: UsageParts, toolTokens: number): UsageParts {
  const areToolsKnown = toolTokens < usedTokens;
  const fixed = parts.system + parts.tools + parts.priming;
  const sum = fixed + parts.pins + parts.summaries + parts.recalled + parts.recent + parts.older;
  if (sum === 0 || (sum === usedTokens && (!areToolsKnown || toolTokens === parts.tools))) return parts;
  const [to, from] = areToolsKnown ? [usedTokens - toolTokens, sum - parts.tools] : [usedTokens, sum];
  const scaled = (tokens: number): number => (from === 0 ? 0 : Math.floor((tokens * to) / from));
  const system = scaled(parts.system);
  const tools = areToolsKnown ? toolTokens : scaled(parts.tools);
  const priming = scaled(parts.priming);
  const pins = scaled(parts.pins);
  const summaries = scaled(parts.summaries);
  const recalled = scaled(parts.recalled);
  const older = scaled(parts.older);
  const recent = usedTokens - system - tools - priming - pins - summaries - recalled - older;
  return { system, tools, priming, pins, summaries, recalled, recent, older };
}

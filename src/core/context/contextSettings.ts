/** Settings of the context, with the defaults of spec §12. */

import {
  readStrategyParameters,
  STRATEGY_SETTING,
  withOwnParameters,
  type StrategyParameterName,
  type StrategyParameters,
} from "./strategyParameters.ts";

/** Spec §6. */
export const STRATEGY_NAMES = [
  ...(["toolCalls", "threshold", "goalBatch", "sandwich", "archive", "tree"] as const),
  ...(["slidingWindow", "fullHistory"] as const),
] as const;
export type StrategyName = (typeof STRATEGY_NAMES)[number];

/** How a conversation stays within its budget: by the pipeline, or by one strategy alone. */
export const CONTEXT_POLICIES = ["pipeline", ...STRATEGY_NAMES] as const;
export type ContextPolicy = (typeof CONTEXT_POLICIES)[number];

/** Percentages are of the budget. */
export interface ContextSettings {
  /** Off: nothing is summarized automatically. */
  readonly infinity: boolean;
  readonly strategy: ContextPolicy;
  /** Strategies that the policy `pipeline` runs, in order. */
  readonly pipeline: readonly StrategyName[];
  /** From this use on a plan is applied. */
  readonly summarizeAtPercent: number;
  /** A plan is extended until the projected use is down to this. */
  readonly targetPercent: number;
  /** Number of newest messages that are always sent unchanged. */
  readonly preserveRecent: number;
  /** Size of a summary as a fraction of what it replaces. */
  readonly summaryRatio: number;
  /** A tool batch is summarized when more turns than this follow it. */
  readonly toolCallTurnAge: number;
  readonly parameters: StrategyParameters;
  /** The user's own limit for an answer; absent: the model's. */
  readonly maxOutputTokens?: number;
}

export const DEFAULT_CONTEXT_SETTINGS: ContextSettings = {
  infinity: true,
  strategy: "pipeline",
  pipeline: ["toolCalls", "threshold", "goalBatch"],
  summarizeAtPercent: 80,
  targetPercent: 50,
  preserveRecent: 4,
  summaryRatio: 0.15,
  toolCallTurnAge: 10,
  parameters: readStrategyParameters(() => undefined),
};

/** Below this nothing is planned, unless the user asks or a model switch needs it. Spec §6. */
export const PLAN_FROM_PERCENT = 70;

/** The conversation's own policy if it names a valid one, else the user's. */
export function effectivePolicy(own: string | undefined, settings: ContextSettings): ContextPolicy {
  return CONTEXT_POLICIES.find((policy) => policy === own) ?? settings.strategy;
}

/** The user's settings with those of one conversation; the same object where it has none. */
export function settingsOfConversation(
  settings: ContextSettings,
  own: (name: string) => string | undefined,
): ContextSettings {
  const strategy = effectivePolicy(own(STRATEGY_SETTING), settings);
  const parameters = withOwnParameters(settings.parameters, own);
  const isSame = strategy === settings.strategy && parameters === settings.parameters;
  return isSame ? settings : { ...settings, strategy, parameters };
}

/**
 * Use of the budget, in percent, from which summaries are applied: a strategy's own threshold, else the one for all. Of
 * several strategies the first counts.
 */
export function appliesFromPercent(policy: ContextPolicy, settings: ContextSettings): number {
  const names = policy === "pipeline" ? settings.pipeline : [policy];
  const thresholds = names.map((name) => {
    return name === "sandwich" || name === "archive"
      ? settings.parameters[`${name}.thresholdPercent`]
      : settings.summarizeAtPercent;
  });
  return Math.min(...thresholds);
}

/**
 * Use of the budget, in percent, down to which a compaction goes. Where a strategy begins earlier than the others, it goes
 * down as much further, so that compactions are as rare.
 */
export function targetPercentOf(policy: ContextPolicy, settings: ContextSettings): number {
  const { targetPercent, summarizeAtPercent } = settings;
  const earlier = summarizeAtPercent - appliesFromPercent(policy, settings);
  return Math.max(LOWEST_TARGET_PERCENT, targetPercent - Math.max(0, earlier));
}

const LOWEST_TARGET_PERCENT = 5;

/** Use of the budget, in percent, from which the user sees summaries being made; null: none are made automatically. */
export function summarizesFromPercent(settings: ContextSettings): number | null {
  const { infinity, strategy } = settings;
  if (!infinity || isPassive(strategy)) return null;
  const names = strategy === "pipeline" ? settings.pipeline : [strategy];
  return names.every((name) => name === "tree" || isPassive(name)) ? 100 : appliesFromPercent(strategy, settings);
}

/** False where only the newest messages are sent: a summary would never be. */
export function sendsSummaries(policy: ContextPolicy): boolean {
  return policy !== "slidingWindow";
}

/** Passive policies never summarize automatically. */
export function isPassive(policy: ContextPolicy): boolean {
  return policy === "fullHistory" || policy === "slidingWindow";
}

/**
 * The defaults with the valid values of `read`; invalid ones are ignored. The target stays at least five percent below
 * `summarizeAtPercent`.
 */
export function readContextSettings(read: (name: ContextSettingName) => unknown): ContextSettings {
  const names = Object.keys(VALIDATORS) as (keyof typeof VALIDATORS)[];
  const validEntries = names
    .map((name) => [name, read(name)] as const)
    .filter(([name, value]) => value !== undefined && VALIDATORS[name](value));
  const set: Partial<ContextSettings> = Object.fromEntries(validEntries);
  const settings = { ...DEFAULT_CONTEXT_SETTINGS, ...set, parameters: readStrategyParameters(read) };
  const highestTarget = settings.summarizeAtPercent - LOWEST_TARGET_PERCENT;
  return { ...settings, targetPercent: Math.min(settings.targetPercent, highestTarget) };
}

/** As in `forge.context.<name>`; `maxOutputTokens` is `forge.maxOutputTokens`. */
export type ContextSettingName = Exclude<keyof ContextSettings, "parameters"> | StrategyParameterName;

/** The bounds are those that the editor shows beside each setting. */
const VALIDATORS: Readonly<Record<Exclude<keyof ContextSettings, "parameters">, (value: unknown) => boolean>> = {
  infinity: (value) => typeof value === "boolean",
  strategy: isOneOf(CONTEXT_POLICIES),
  pipeline: (value) => Array.isArray(value) && value.length > 0 && value.every(isOneOf(STRATEGY_NAMES)),
  summarizeAtPercent: within(10, 100),
  targetPercent: within(5, 95),
  preserveRecent: wholeWithin(1, 1_000),
  summaryRatio: within(0.01, 0.9),
  toolCallTurnAge: wholeWithin(1, 10_000),
  maxOutputTokens: (value) => value === undefined || wholeWithin(1, Number.MAX_SAFE_INTEGER)(value),
};

function isOneOf(words: readonly string[]): (value: unknown) => boolean {
  return (value) => typeof value === "string" && words.includes(value);
}

function within(least: number, most: number): (value: unknown) => boolean {
  return (value) => typeof value === "number" && value >= least && value <= most;
}

function wholeWithin(least: number, most: number): (value: unknown) => boolean {
  const isWithin = within(least, most);
  return (value) => isWithin(value) && Number.isSafeInteger(value);
}

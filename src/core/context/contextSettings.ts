/** What the user can set about the context, with the defaults of spec §12. */

import { validationError, type ValidationError } from "../errors.ts";
import { err, ok, type Result } from "../result.ts";

/** The strategies by name. Spec §6. */
export type StrategyName =
  "toolCalls" | "threshold" | "goalBatch" | "sandwich" | "archive" | "tree" | "slidingWindow" | "fullHistory";

/** How a conversation is kept within its budget: by the pipeline, or by one strategy alone. */
export type ContextPolicy = "pipeline" | StrategyName;

/** Settings of the context. Percentages are of the budget. */
export interface ContextSettings {
  /** Off: nothing is summarized by itself. */
  readonly infinity: boolean;
  readonly strategy: ContextPolicy;
  /** What the policy `pipeline` runs, in order. */
  readonly pipeline: readonly StrategyName[];
  /** From here on a plan is applied. */
  readonly summarizeAtPercent: number;
  /** A plan goes on until the projected use is down to this. */
  readonly targetPercent: number;
  /** So many of the newest messages are always sent as they are. */
  readonly preserveRecent: number;
  /** Size of a summary as a share of what it stands for. */
  readonly summaryRatio: number;
  /** A tool batch is summarized when more turns than this came after it. */
  readonly toolCallTurnAge: number;
  /** The user's own limit of an answer; absent: the model's. */
  readonly maxOutputTokens?: number;
}

/** The settings of a user who has set nothing. */
export const DEFAULT_CONTEXT_SETTINGS: ContextSettings = {
  infinity: true,
  strategy: "pipeline",
  pipeline: ["toolCalls", "threshold", "goalBatch"],
  summarizeAtPercent: 80,
  targetPercent: 50,
  preserveRecent: 4,
  summaryRatio: 0.15,
  toolCallTurnAge: 10,
};

/** Below this share of the budget nothing is planned, unless the user asks or a model switch needs it. Spec §6. */
export const PLAN_FROM_PERCENT = 70;

/** The policy of a conversation: its own where it names one that exists, else the user's. */
export function policyOf(own: string | undefined, settings: ContextSettings): ContextPolicy {
  return POLICIES.find((policy) => policy === own) ?? settings.strategy;
}

const POLICIES: readonly ContextPolicy[] = [
  "pipeline",
  "toolCalls",
  "threshold",
  "goalBatch",
  "sandwich",
  "archive",
  "tree",
  "slidingWindow",
  "fullHistory",
];

/** The defaults with what the user has set. The error names the first setting that cannot be. */
export function contextSettings(set: Partial<ContextSettings>): Result<ContextSettings, ValidationError> {
  const settings = { ...DEFAULT_CONTEXT_SETTINGS, ...set };
  for (const [name, expected, holds] of RULES) {
    if (!holds(settings)) return err(validationError(`forge.context.${name}`, String(settings[name]), expected));
  }
  return ok(settings);
}

type Rule = readonly [name: keyof ContextSettings, expected: string, holds: (settings: ContextSettings) => boolean];

const RULES: readonly Rule[] = [
  [
    "summarizeAtPercent",
    "a number above 0 and at most 100",
    (s) => s.summarizeAtPercent > 0 && s.summarizeAtPercent <= 100,
  ],
  [
    "targetPercent",
    "a number above 0 and below summarizeAtPercent",
    (s) => s.targetPercent > 0 && s.targetPercent < s.summarizeAtPercent,
  ],
  [
    "preserveRecent",
    "a whole number, 1 or more",
    (s) => Number.isSafeInteger(s.preserveRecent) && s.preserveRecent > 0,
  ],
  ["summaryRatio", "a number above 0 and below 1", (s) => s.summaryRatio > 0 && s.summaryRatio < 1],
  [
    "toolCallTurnAge",
    "a whole number, 0 or more",
    (s) => Number.isSafeInteger(s.toolCallTurnAge) && s.toolCallTurnAge >= 0,
  ],
  [
    "maxOutputTokens",
    "a positive whole number",
    ({ maxOutputTokens: tokens }) => tokens === undefined || (Number.isSafeInteger(tokens) && tokens > 0),
  ],
];

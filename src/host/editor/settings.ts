/**
 * The user's settings, validated: settings are untrusted, and an invalid one counts as not set; in place of an invalid
 * address there is none. Everything that names a host or spends money is set for the machine, never by a workspace.
 */

import { readContextSettings, STRATEGY_NAMES, type ContextSettings } from "../../core/context/contextSettings.ts";
import {
  isParameterValue,
  STRATEGY_PARAMETER_NAMES,
  STRATEGY_PARAMETERS,
  type ParameterBounds,
  type StrategyParameterName,
} from "../../core/context/strategyParameters.ts";
import type { ModelOverride } from "../../core/models/modelRegistry.ts";
import { ANSWER_LENGTHS, REASONING_EFFORTS, type GenerationOptions } from "../../core/models/generationOptions.ts";
import type { ModelPrice } from "../../core/models/modelPrice.ts";
import type { SpendingLimits } from "../../core/models/spendingLimits.ts";

/** `auto` takes what is available: a key, then a server, else none. */
export const PROVIDER_CHOICES = [
  "auto",
  "anthropic",
  "openai",
  "openaiCompatible",
  "ollama",
  "editor",
  "offline",
] as const;
export type ProviderChoice = (typeof PROVIDER_CHOICES)[number];

/** Default address of Ollama. */
export const DEFAULT_OLLAMA_URL = "http://127.0.0.1:11434";

/** Providers with an address in the setting `forge.<name>.baseUrl`, and what holds without it; empty: no server. */
const DEFAULT_ADDRESSES = {
  anthropic: "https://api.anthropic.com",
  openai: "https://api.openai.com/v1",
  openaiCompatible: "",
  ollama: DEFAULT_OLLAMA_URL,
} as const;
export type AddressedProvider = keyof typeof DEFAULT_ADDRESSES;
export const ADDRESSED_PROVIDERS = [
  "anthropic",
  "openai",
  "openaiCompatible",
  "ollama",
] as const satisfies readonly AddressedProvider[];

export interface Settings {
  readonly provider: ProviderChoice;
  /** Empty: the provider's default. */
  readonly model: string;
  /** Empty: the provider's small model. */
  readonly summarizationModel: string;
  /** Empty: no such server, or a setting that is no address. */
  readonly addresses: Readonly<Record<AddressedProvider, string>>;
  /** Providers whose setting is no address: something else was meant, so nothing takes its place. */
  readonly invalidAddresses: readonly AddressedProvider[];
  /** Limits and prices by prefix of a model's name. */
  readonly models: Readonly<Record<string, ModelOverride>>;
  /** Defaults for conversations without options of their own. */
  readonly generationOptions: GenerationOptions;
  /** Sent to every model; may be empty. */
  readonly instructions: string;
  readonly workspaceRules: boolean;
  readonly waits: { readonly firstByteMs: number; readonly noBytesMs: number };
  /** Of all states of files that are kept. */
  readonly keptFileBytes: number;
  readonly spending: SpendingLimits;
  readonly context: ContextSettings;
  readonly tools: ToolSettings;
  readonly askBeforeSummarizing: boolean;
  /** Prepare summaries while the user reads and types. */
  readonly background: boolean;
  /** Calls of one compaction that are made side by side, with models that do not run on this machine. */
  readonly parallelSummaryCalls: number;
  /** Send passages of earlier messages beside a question that names what they say. */
  readonly recallForQuestion: boolean;
  /** Values that count as not set, of which the user is told. */
  readonly problems: readonly SettingProblem[];
}

/** `noRoom`: the limits of a model leave no room for input. */
export type SettingProblem =
  | ({ readonly kind: "outOfBounds"; readonly name: StrategyParameterName; readonly found: unknown } & ParameterBounds)
  | { readonly kind: "modelLimit"; readonly model: string; readonly field: ModelLimitField; readonly found: unknown }
  | { readonly kind: "noRoom"; readonly model: string; readonly contextWindow: number; readonly maxOutput: number };

type ModelLimitField = "contextWindow" | "maxOutput";

export interface ToolSettings {
  /** Default for conversations without a choice of their own. */
  readonly enabled: boolean;
  /** Rounds of tool calls for one message before the user is asked whether to continue. */
  readonly maxRounds: number;
}

/** Returns the raw value of `forge.<name>`. */
export type ReadSetting = (name: string) => unknown;

/** Reads all settings; `FORGE_CONTEXT_INFINITY` in `environment` overrides the setting. */
export function readSettings(read: ReadSetting, environment: Readonly<Record<string, string | undefined>>): Settings {
  const text = (name: string, fallback = ""): string => {
    const value = read(name);
    return typeof value === "string" ? value.trim() : fallback;
  };
  const address = (name: AddressedProvider): string | undefined => {
    const value = read(`${name}.baseUrl`) ?? "";
    if (typeof value !== "string") return undefined;
    return value.trim() === "" ? DEFAULT_ADDRESSES[name] : webAddress(value.trim());
  };
  const within = (name: string, fallback: number, low: number, high: number): number => {
    const value = read(name);
    return typeof value === "number" && value >= low && value <= high ? value : fallback;
  };
  const flag = (name: string, fallback: boolean): boolean => {
    const value = read(name);
    return typeof value === "boolean" ? value : fallback;
  };
  const wanted = text("provider", "auto");
  const forced = environment["FORGE_CONTEXT_INFINITY"];
  return {
    provider: PROVIDER_CHOICES.find((choice) => choice === wanted) ?? "auto",
    model: text("model"),
    summarizationModel: text("summarizationModel"),
    addresses: {
      anthropic: address("anthropic") ?? "",
      openai: address("openai") ?? "",
      openaiCompatible: address("openaiCompatible") ?? "",
      ollama: address("ollama") ?? "",
    },
    invalidAddresses: ADDRESSED_PROVIDERS.filter((name) => address(name) === undefined),
    models: modelOverrides(read("models")),
    generationOptions: {
      ...optionFrom("reasoningEffort", REASONING_EFFORTS, read("reasoningEffort")),
      ...optionFrom("answerLength", ANSWER_LENGTHS, read("answerLength")),
    },
    instructions: text("instructions"),
    workspaceRules: flag("workspaceRules", true),
    waits: {
      firstByteMs: 1000 * within("firstByteTimeoutSeconds", 900, 10, 86_400),
      noBytesMs: 1000 * within("silenceTimeoutSeconds", 300, 10, 86_400),
    },
    keptFileBytes: 1e6 * within("keptFileStates.maxMegabytes", 1_000, 0, 100_000),
    spending: spendingLimits(read),
    context: readContextSettings((name) => {
      if (name === "infinity" && (forced === "0" || forced === "1")) return forced === "1";
      if (name === "maxOutputTokens") return read("maxOutputTokens");
      return name === "pipeline" ? knownStrategies(read("context.pipeline")) : read(`context.${name}`);
    }),
    tools: { enabled: flag("tools.enabled", true), maxRounds: Math.floor(within("tools.maxRounds", 50, 1, 1000)) },
    askBeforeSummarizing: flag("context.askBeforeSummarizing", false),
    background: flag("context.background", true),
    parallelSummaryCalls: Math.floor(within("context.parallelSummaryCalls", 4, 1, 16)),
    recallForQuestion: flag("context.recallForQuestion", true),
    problems: [...modelProblems(read("models")), ...parameterProblems(read)],
  };
}

/** An unknown value, and "auto", leave the choice to the model. */
function optionFrom<Name extends string, Value extends string>(
  name: Name,
  values: readonly Value[],
  set: unknown,
): Partial<Record<Name, Value>> {
  const picked: Partial<Record<Name, Value>> = {};
  for (const value of values) if (value === set) picked[name] = value;
  return picked;
}

/** 0 means no limit. */
function spendingLimits(read: ReadSetting): SpendingLimits {
  const limits: Partial<Record<keyof SpendingLimits, number>> = {};
  for (const name of SPENDING_NAMES) {
    const amount = notNegative(read(`spending.${name}`));
    if (amount !== undefined && amount > 0) limits[name] = amount;
  }
  return limits;
}

const SPENDING_NAMES = [
  "warnPerDayUsd",
  "limitPerDayUsd",
  "warnPerConversationUsd",
  "limitPerConversationUsd",
] as const satisfies readonly (keyof SpendingLimits)[];

/** An absolute http or https URL to which a path can be added, without credentials; otherwise `undefined`. */
export function webAddress(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined;
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") return undefined;
  return url.href.replace(/\/+$/, "");
}

/** Unknown names are dropped one by one, so that one typo does not invalidate the list. */
function knownStrategies(value: unknown): unknown {
  return Array.isArray(value) ? value.filter((name) => STRATEGY_NAMES.some((known) => known === name)) : value;
}

function parameterProblems(read: ReadSetting): readonly SettingProblem[] {
  return STRATEGY_PARAMETER_NAMES.flatMap((name): readonly SettingProblem[] => {
    const found = read(`context.${name}`);
    const isUsed = found === undefined || found === null || isParameterValue(name, found);
    return isUsed ? [] : [{ kind: "outOfBounds", name, found, ...STRATEGY_PARAMETERS[name] }];
  });
}

function modelProblems(value: unknown): readonly SettingProblem[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([model, given]): readonly SettingProblem[] => {
    if (model === "" || !isObject(given)) return [];
    const problems = MODEL_LIMIT_FIELDS.filter((field) => {
      return given[field] !== undefined && positive(given[field]) === undefined;
    }).map((field) => ({ kind: "modelLimit", model, field, found: given[field] }) as const);
    const contextWindow = positive(given["contextWindow"]);
    const maxOutput = positive(given["maxOutput"]);
    if (contextWindow === undefined || maxOutput === undefined || maxOutput < contextWindow) return problems;
    return [{ kind: "noRoom", model, contextWindow, maxOutput }];
  });
}

const MODEL_LIMIT_FIELDS: readonly ModelLimitField[] = ["contextWindow", "maxOutput"];

/** Entries are validated one by one, so that one typo does not drop the limits of other models. */
function modelOverrides(value: unknown): Readonly<Record<string, ModelOverride>> {
  if (!isObject(value)) return {};
  const overrides: Record<string, ModelOverride> = {};
  for (const [prefix, given] of Object.entries(value)) {
    if (prefix === "" || !isObject(given)) continue;
    const contextWindow = positive(given["contextWindow"]);
    const maxOutput = positive(given["maxOutput"]);
    const price = priceOf(given["price"]);
    if (contextWindow !== undefined && maxOutput !== undefined && maxOutput >= contextWindow) continue;
    overrides[prefix] = {
      ...(contextWindow === undefined ? {} : { contextWindow }),
      ...(maxOutput === undefined ? {} : { maxOutput }),
      ...(price === undefined ? {} : { price }),
    };
  }
  return overrides;
}

function priceOf(given: unknown): ModelPrice | undefined {
  if (!isObject(given)) return undefined;
  const inputPerMillionUsd = notNegative(given["inputPerMillionUsd"]);
  const outputPerMillionUsd = notNegative(given["outputPerMillionUsd"]);
  if (inputPerMillionUsd === undefined || outputPerMillionUsd === undefined) return undefined;
  const cacheRead = notNegative(given["cacheReadPerMillionUsd"]);
  const cacheWrite = notNegative(given["cacheWritePerMillionUsd"]);
  return {
    inputPerMillionUsd,
    outputPerMillionUsd,
    ...(cacheRead === undefined ? {} : { cacheReadPerMillionUsd: cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWritePerMillionUsd: cacheWrite }),
  };
}

function positive(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function notNegative(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

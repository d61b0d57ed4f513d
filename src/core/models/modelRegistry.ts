/**
 * What is known about a model, from the most trusted source that says something: the user, then the provider, then the
 * snapshots of `builtin.ts`, then a guess small enough for anything. Spec §2.
 */

import { validationError, type ValidationError } from "../errors.ts";
import { modelId, type ModelId } from "../ids.ts";
import { err, ok, type Result } from "../result.ts";
import { builtinLimits, builtinPrice, SMALL_MODELS } from "./builtin.ts";
import { longestPrefix, withoutVendor } from "./longestPrefix.ts";
import { modelLimits, type ModelLimits } from "./modelLimits.ts";
import type { ModelPrice } from "./modelPrice.ts";

/** Where limits come from: the user's setting, the provider, the longest known prefix, or nobody. */
export type LimitsSource = "override" | "live" | "prefix" | "fallback";

/** A model's limits, and how far they can be believed. */
export interface KnownModel {
  readonly limits: ModelLimits;
  readonly source: LimitsSource;
  /** Nobody says how much the model may write; a share of the window is set aside for it. */
  readonly outputAssumed: boolean;
}

/** What the user sets for a model or a family of models in `forge.models`. */
export interface ModelOverride extends Partial<ModelLimits> {
  readonly price?: ModelPrice;
}

/** Limits, prices and small models by name. Every name is answered; what is not known is said to be so. */
export class ModelRegistry {
  #overrides: ReadonlyMap<string, ModelOverride> = new Map();
  readonly #live = new Map<string, Partial<ModelLimits>>();
  readonly #callsTools = new Map<string, boolean>();

  /** The limits of `name`. Never fails: a model that nobody knows gets limits that every model has. */
  get(name: ModelId): KnownModel {
    const override = this.#overrideOf(name);
    const told = this.#told(name);
    if (override?.contextWindow === undefined && override?.maxOutput === undefined) return told;
    const contextWindow = override.contextWindow ?? told.limits.contextWindow;
    const isGuessed = told.outputAssumed || (override.contextWindow !== undefined && told.source === "fallback");
    const maxOutput = override.maxOutput ?? (isGuessed ? undefined : told.limits.maxOutput);
    return known({ contextWindow, ...(maxOutput === undefined ? {} : { maxOutput }) }, "override");
  }

  /** The price of exactly this model, or of the family for which the user set one; `undefined` when it is not known. */
  priceOf(name: ModelId): ModelPrice | undefined {
    return this.#overrideOf(name)?.price ?? builtinPrice(name);
  }

  /** The model of `provider` that makes summaries, where one is known. */
  smallModelOf(provider: string): ModelId | undefined {
    const name = Object.hasOwn(SMALL_MODELS, provider) ? SMALL_MODELS[provider] : undefined;
    return name === undefined ? undefined : modelId(name);
  }

  /** Replaces all of the user's own figures, by prefix. With one that cannot be, names it and changes nothing. */
  setOverrides(overrides: Readonly<Record<string, ModelOverride>>): Result<void, ValidationError> {
    for (const [prefix, override] of Object.entries(overrides)) {
      const checked = checkLimits(override, `forge.models["${prefix}"]`);
      if (!checked.ok) return checked;
    }
    this.#overrides = new Map(Object.entries(overrides));
    return ok(undefined);
  }

  /** Keeps what a provider said of exactly this model; `{}` forgets it. Limits that cannot be are refused. */
  setLive(name: ModelId, limits: Partial<ModelLimits>): Result<void, ValidationError> {
    const checked = checkLimits(limits, name);
    if (!checked.ok) return checked;
    this.#live.set(name, limits);
    return ok(undefined);
  }

  /** Keeps what a provider said of exactly this model: whether it can call tools. */
  noteTools(name: ModelId, callsTools: boolean): void {
    this.#callsTools.set(name, callsTools);
  }

  /** Whether the model can call tools; `undefined` where no provider has said. */
  callsTools(name: ModelId): boolean | undefined {
    return this.#callsTools.get(name);
  }

  #overrideOf(name: ModelId): ModelOverride | undefined {
    return longestPrefix(this.#overrides, name) ?? longestPrefix(this.#overrides, withoutVendor(name));
  }

  #told(name: ModelId): KnownModel {
    const live = this.#live.get(name) ?? {};
    const builtin = builtinLimits(name);
    if (live.contextWindow !== undefined) {
      const maxOutput = live.maxOutput ?? builtin?.maxOutput;
      return known({ contextWindow: live.contextWindow, ...(maxOutput === undefined ? {} : { maxOutput }) }, "live");
    }
    if (builtin === undefined) return FALLBACK;
    return live.maxOutput === undefined ? known(builtin, "prefix") : known({ ...builtin, ...live }, "live");
  }
}

const FALLBACK: KnownModel = {
  limits: { contextWindow: 8_192, maxOutput: 4_096 },
  source: "fallback",
  outputAssumed: false,
};

/** What is set aside where the longest answer is not known. */
const ASSUMED_OUTPUT = 32_000;

/** Fills in what is not known. An output that does not go with the window comes from another source and is not believed. */
function known(
  limits: { readonly contextWindow: number; readonly maxOutput?: number },
  source: LimitsSource,
): KnownModel {
  const { contextWindow, maxOutput } = limits;
  if (maxOutput !== undefined && maxOutput < contextWindow) {
    return { limits: { contextWindow, maxOutput }, source, outputAssumed: false };
  }
  const assumed = Math.min(ASSUMED_OUTPUT, Math.floor(contextWindow / 4));
  return { limits: { contextWindow, maxOutput: Math.max(1, assumed) }, source, outputAssumed: true };
}

/** One limit alone is checked beside a partner that it always goes with: an answer of one token, or a window without end. */
function checkLimits(limits: Partial<ModelLimits>, owner: string): Result<void, ValidationError> {
  const { contextWindow = Number.MAX_SAFE_INTEGER, maxOutput = 1 } = limits;
  if (contextWindow === 1) return err(validationError(`${owner}.contextWindow`, "1", "2 tokens or more"));
  const checked = modelLimits(contextWindow, maxOutput);
  return checked.ok ? ok(undefined) : err({ ...checked.error, field: `${owner}.${checked.error.field}` });
}

/**
 * Limits and prices, from the most trusted source that has them: the user, the provider, the snapshots of `builtin.ts`,
 * then a fallback small enough for any model. Spec §2.
 */

import { validationError, type ValidationError } from "../errors.ts";
import { modelId, type ModelId } from "../ids.ts";
import { err, ok, type Result } from "../result.ts";
import { builtinLimits, builtinPrice, SMALL_MODELS } from "./builtin.ts";
import { longestPrefix, withoutVendor } from "./longestPrefix.ts";
import { modelLimits, type ModelLimits } from "./modelLimits.ts";
import type { ModelPrice } from "./modelPrice.ts";

/** Source of the limits: the user's setting, the provider, the longest known prefix, or none. */
export type LimitsSource = "override" | "live" | "prefix" | "fallback";

export interface KnownModel {
  readonly limits: ModelLimits;
  readonly source: LimitsSource;
  /** No source gives an output limit; a share of the window is reserved for output. */
  readonly outputAssumed: boolean;
}

/** Setting for a model or a family of models in `forge.models`. */
export interface ModelOverride extends Partial<ModelLimits> {
  readonly price?: ModelPrice;
}

/** As a provider reports them; absent where it says nothing. */
export interface ModelAbilities {
  readonly callsTools?: boolean;
  readonly seesImages?: boolean;
  /** Requests that the model's server works on at a time. */
  readonly slots?: number;
}

/** Every name gets an answer; `source` tells how far it can be trusted. */
export class ModelRegistry {
  #overrides: ReadonlyMap<string, ModelOverride> = new Map();
  readonly #live = new Map<string, Partial<ModelLimits>>();
  readonly #abilities = new Map<string, ModelAbilities>();

  /** Never fails: an unknown model gets limits that every model has. */
  get(name: ModelId): KnownModel {
    const override = this.#overrideOf(name);
    const told = this.#told(name);
    if (override?.contextWindow === undefined && override?.maxOutput === undefined) return told;
    const contextWindow = override.contextWindow ?? told.limits.contextWindow;
    const isGuessed = told.outputAssumed || (override.contextWindow !== undefined && told.source === "fallback");
    const maxOutput = override.maxOutput ?? (isGuessed ? undefined : told.limits.maxOutput);
    return withAssumedOutput({ contextWindow, ...(maxOutput === undefined ? {} : { maxOutput }) }, "override");
  }

  /** Price of exactly this model, or of the family that the user set one for; `undefined` when unknown. */
  priceOf(name: ModelId): ModelPrice | undefined {
    return this.#overrideOf(name)?.price ?? builtinPrice(name);
  }

  smallModelOf(provider: string): ModelId | undefined {
    const name = Object.hasOwn(SMALL_MODELS, provider) ? SMALL_MODELS[provider] : undefined;
    return name === undefined ? undefined : modelId(name);
  }

  /** Replaces the user's overrides, keyed by prefix. An impossible limit changes nothing and is named. */
  setOverrides(overrides: Readonly<Record<string, ModelOverride>>): Result<void, ValidationError> {
    for (const [prefix, override] of Object.entries(overrides)) {
      const checked = checkLimits(override, `forge.models["${prefix}"]`);
      if (!checked.ok) return checked;
    }
    this.#overrides = new Map(Object.entries(overrides));
    return ok(undefined);
  }

  /** Stores limits that a provider reported for this model; `{}` removes them. Refuses impossible limits. */
  setLive(name: ModelId, limits: Partial<ModelLimits>): Result<void, ValidationError> {
    const checked = checkLimits(limits, name);
    if (!checked.ok) return checked;
    this.#live.set(name, limits);
    return ok(undefined);
  }

  /** Replaces what a provider said last. */
  setAbilities(name: ModelId, { callsTools, seesImages, slots }: ModelAbilities): void {
    this.#abilities.set(name, {
      ...(callsTools === undefined ? {} : { callsTools }),
      ...(seesImages === undefined ? {} : { seesImages }),
      ...(slots === undefined ? {} : { slots }),
    });
  }

  /** Empty when no provider has reported any. */
  abilitiesOf(name: ModelId): ModelAbilities {
    return this.#abilities.get(name) ?? {};
  }

  #overrideOf(name: ModelId): ModelOverride | undefined {
    return longestPrefix(this.#overrides, name) ?? longestPrefix(this.#overrides, withoutVendor(name));
  }

  #told(name: ModelId): KnownModel {
    const live = this.#live.get(name) ?? {};
    const builtin = builtinLimits(name);
    if (live.contextWindow !== undefined) {
      const maxOutput = live.maxOutput ?? builtin?.maxOutput;
      return withAssumedOutput(
        { contextWindow: live.contextWindow, ...(maxOutput === undefined ? {} : { maxOutput }) },
        "live",
      );
    }
    if (builtin === undefined) return FALLBACK;
    return live.maxOutput === undefined
      ? withAssumedOutput(builtin, "prefix")
      : withAssumedOutput({ ...builtin, ...live }, "live");
  }
}

const FALLBACK: KnownModel = {
  limits: { contextWindow: 8_192, maxOutput: 4_096 },
  source: "fallback",
  outputAssumed: false,
};

const ASSUMED_OUTPUT = 32_000;

/** Fills in a missing output limit. One that is not below the window comes from another source and is ignored. */
function withAssumedOutput(
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

/** Checks each given limit beside a harmless other one: an output of one token, or an unlimited window. */
function checkLimits(limits: Partial<ModelLimits>, owner: string): Result<void, ValidationError> {
  const { contextWindow = Number.MAX_SAFE_INTEGER, maxOutput = 1 } = limits;
  if (contextWindow === 1) return err(validationError(`${owner}.contextWindow`, "1", "2 tokens or more"));
  const checked = modelLimits(contextWindow, maxOutput);
  return checked.ok ? ok(undefined) : err({ ...checked.error, field: `${owner}.${checked.error.field}` });
}

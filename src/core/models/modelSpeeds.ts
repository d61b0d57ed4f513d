/** How fast the models of local servers read and write, as their servers last reported: one record for each model. */

import { modelId, type ModelId } from "../ids.ts";
import { member } from "../json.ts";

/** Tokens, and how many of them a second. */
export interface MeasuredSpeed {
  readonly tokens: number;
  readonly perSecond: number;
}

/** Of one request, as far as it tells. */
export interface RequestSpeed {
  /** Of the tokens that were read anew. */
  readonly reads?: MeasuredSpeed;
  readonly writes?: MeasuredSpeed;
}

/** Tokens a second; absent until measured. */
export interface ModelSpeed {
  readonly reads?: number;
  readonly writes?: number;
}

/** Persistence across windows. The shape of what `get` returns is validated. */
export interface SpeedStore {
  get(): unknown;
  set(value: readonly unknown[]): void;
}

/** Shorter measurements are mostly overhead; they count only while nothing better is known. */
const TELLING_TOKENS = { reads: 100, writes: 8 } as const;
/** One token has no duration. */
const FEWEST_TOKENS = 2;
/** Models remembered; the one measured longest ago is evicted first. */
const MOST_MODELS = 200;

export class ModelSpeeds {
  readonly #store: SpeedStore | undefined;
  /** Latest measurement last. */
  readonly #speeds: Map<ModelId, ModelSpeed>;

  /** Without a store, speeds are forgotten when the process ends. */
  constructor(store?: SpeedStore) {
    this.#store = store;
    this.#speeds = new Map(speedsIn(store?.get()));
  }

  /** Empty until the model's server has reported a speed. */
  of(model: ModelId): ModelSpeed {
    return this.#speeds.get(model) ?? {};
  }

  note(model: ModelId, { reads, writes }: RequestSpeed): void {
    const known = this.of(model);
    const changed = { ...known, ...newer("reads", reads, known), ...newer("writes", writes, known) };
    if (Object.keys(changed).length === 0) return;
    this.#speeds.delete(model);
    this.#speeds.set(model, changed);
    const [oldest] = this.#speeds.keys();
    if (this.#speeds.size > MOST_MODELS && oldest !== undefined) this.#speeds.delete(oldest);
    this.#store?.set([...this.#speeds]);
  }
}

function newer(name: keyof ModelSpeed, measured: MeasuredSpeed | undefined, known: ModelSpeed): ModelSpeed {
  if (measured === undefined || !isSpeed(measured.perSecond) || measured.tokens < FEWEST_TOKENS) return {};
  return measured.tokens < TELLING_TOKENS[name] && known[name] !== undefined ? {} : { [name]: measured.perSecond };
}

function isSpeed(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value > 0;
}

function speedsIn(stored: unknown): readonly (readonly [ModelId, ModelSpeed])[] {
  const entries: readonly unknown[] = Array.isArray(stored) ? stored : [];
  return entries.slice(-MOST_MODELS).flatMap((entry) => {
    const pair: readonly unknown[] = Array.isArray(entry) ? entry : [];
    const [model, speed] = pair;
    if (typeof model !== "string" || model === "") return [];
    const [reads, writes] = [member(speed, "reads"), member(speed, "writes")];
    return [
      [modelId(model), { ...(isSpeed(reads) ? { reads } : {}), ...(isSpeed(writes) ? { writes } : {}) }] as const,
    ];
  });
}

/** Models that servers have listed, across reloads: a model that is gone later keeps its window, and is said to be gone. */

import type { ModelId } from "../../core/ids.ts";
import { member } from "../../core/json.ts";
import type { ModelLimits } from "../../core/models/modelLimits.ts";
import type { OfferedModel } from "../../core/stream/provider.ts";
import type { UserStorage } from "../editor/userStorage.ts";
import type { ServerName } from "./unreachableServers.ts";

/** Key in the editor's storage: pairs of server and model, newest last, with the limits. May be lost. */
const LISTED = "forge.listedModels";
/** More than a server offers at a time. */
const MOST_REMEMBERED = 500;

export class ListedModels {
  readonly #storage: UserStorage;
  readonly #known: Map<string, Partial<ModelLimits>>;
  /** Models of the newest list, by server. */
  readonly #listed = new Map<ServerName, ReadonlySet<ModelId>>();

  constructor(storage: UserStorage) {
    this.#storage = storage;
    this.#known = new Map(storedIn(storage.get(LISTED)));
  }

  /** Returns whether a model came or went. An empty list says nothing: the server may still be loading. */
  record(server: ServerName, models: readonly OfferedModel[]): boolean {
    if (models.length === 0) return false;
    const before = this.#listed.get(server);
    this.#listed.set(server, new Set(models.map(({ id }) => id)));
    for (const { id, limits = {} } of models) {
      const key = keyOf(server, id);
      const known = this.#known.get(key);
      this.#known.delete(key); // it moves to the end
      this.#known.set(key, { ...known, ...limits });
    }
    const newest = [...this.#known].slice(-MOST_REMEMBERED);
    if (JSON.stringify(newest) !== JSON.stringify(this.#storage.get(LISTED))) void this.#storage.update(LISTED, newest);
    return before !== undefined && (before.size !== models.length || models.some(({ id }) => !before.has(id)));
  }

  /** Limits of a model as last listed; `undefined` when it never was. */
  limitsOf(server: ServerName, model: ModelId): Partial<ModelLimits> | undefined {
    return this.#known.get(keyOf(server, model));
  }

  /** True for a model that was listed before and is missing in the newest list. */
  isGone(server: ServerName, model: ModelId): boolean {
    return this.#known.has(keyOf(server, model)) && this.#listed.get(server)?.has(model) === false;
  }
}

function keyOf(server: ServerName, model: ModelId): string {
  return `${server} ${model}`;
}

function storedIn(value: unknown): readonly (readonly [string, Partial<ModelLimits>])[] {
  const pairs: readonly unknown[] = Array.isArray(value) ? value : [];
  return pairs.flatMap((pair) => {
    const list: readonly unknown[] = Array.isArray(pair) ? pair : [];
    const [key, limits] = list;
    if (typeof key !== "string") return [];
    const [contextWindow, maxOutput] = [member(limits, "contextWindow"), member(limits, "maxOutput")];
    return [
      [
        key,
        {
          ...(typeof contextWindow === "number" ? { contextWindow } : {}),
          ...(typeof maxOutput === "number" ? { maxOutput } : {}),
        },
      ] as const,
    ];
  });
}

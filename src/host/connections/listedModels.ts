/** Models that servers have listed, across reloads: a model that is gone later keeps its window, and is said to be gone. */

import type { ModelId } from "../../core/ids.ts";
import { member } from "../../core/json.ts";
import type { ModelLimits } from "../../core/models/modelLimits.ts";
import type { OfferedModel } from "../../core/stream/provider.ts";
import type { UserStorage } from "../editor/userStorage.ts";
import type { ServerName } from "./unreachableServers.ts";

/** Key in the editor's storage: server and model, limits, and `gone` if need be; newest last. May be lost. */
const LISTED = "forge.listedModels";
/** More than a server offers at a time. */
const MOST_REMEMBERED = 500;

interface KnownModel {
  readonly limits: Partial<ModelLimits>;
  /** Missing in the newest list of its server. */
  readonly isGone: boolean;
}

export class ListedModels {
  readonly #storage: UserStorage;
  readonly #known: Map<string, KnownModel>;

  constructor(storage: UserStorage) {
    this.#storage = storage;
    this.#known = new Map(storedIn(storage.get(LISTED)));
  }

  /** Returns whether a known model came back or went. An empty list says nothing: the server may still be loading. */
  record(server: ServerName, models: readonly OfferedModel[]): boolean {
    if (models.length === 0) return false;
    let isChanged = false;
    const listed = new Set(models.map(({ id }) => keyOf(server, id)));
    for (const [key, known] of this.#known) {
      if (!key.startsWith(keyOf(server, "")) || known.isGone !== listed.has(key)) continue;
      this.#known.set(key, { ...known, isGone: !known.isGone });
      isChanged = true;
    }
    for (const { id, limits = {} } of models) {
      const key = keyOf(server, id);
      const known = this.#known.get(key);
      this.#known.delete(key); // it moves to the end
      this.#known.set(key, { limits: { ...known?.limits, ...limits }, isGone: false });
    }
    const newest = [...this.#known].slice(-MOST_REMEMBERED).map(([key, { limits, isGone }]) => {
      return isGone ? [key, limits, "gone"] : [key, limits];
    });
    if (JSON.stringify(newest) !== JSON.stringify(this.#storage.get(LISTED))) void this.#storage.update(LISTED, newest);
    return isChanged;
  }

  /** Limits of a model as last listed; `undefined` when it never was. */
  limitsOf(server: ServerName, model: ModelId): Partial<ModelLimits> | undefined {
    return this.#known.get(keyOf(server, model))?.limits;
  }

  /** True for a model of the newest list, which may be of an earlier start. */
  isListed(server: ServerName, model: ModelId): boolean {
    return this.#known.get(keyOf(server, model))?.isGone === false;
  }

  /** True for a model that was listed before and is missing in the newest list, which may be of an earlier start. */
  isGone(server: ServerName, model: ModelId): boolean {
    return this.#known.get(keyOf(server, model))?.isGone === true;
  }
}

function keyOf(server: ServerName, model: string): string {
  return `${server} ${model}`;
}

function storedIn(value: unknown): readonly (readonly [string, KnownModel])[] {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  return entries.flatMap((entry) => {
    const list: readonly unknown[] = Array.isArray(entry) ? entry : [];
    const [key, stored, mark] = list;
    if (typeof key !== "string") return [];
    const [contextWindow, maxOutput] = [member(stored, "contextWindow"), member(stored, "maxOutput")];
    const limits = {
      ...(typeof contextWindow === "number" ? { contextWindow } : {}),
      ...(typeof maxOutput === "number" ? { maxOutput } : {}),
    };
    return [[key, { limits, isGone: mark === "gone" }] as const];
  });
}

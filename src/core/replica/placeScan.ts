/**
 * Which conversations have something to do, from names alone: from a list of everything, or, at the price of a few
 * requests, from the news that machines put beside their objects.
 */

import type { ObjectHash } from "../history/segmentInfo.ts";
import type { ConversationId } from "../ids.ts";
import type { ListedObject } from "./logReplica.ts";
import type { ObjectCipher } from "./objectCipher.ts";
import { parseName, type MachineId, type NewsName } from "./objectNames.ts";
import { asciiBytes } from "./smallTexts.ts";

/** A conversation in which nothing was left to do: nothing is, as long as both are the same. */
export interface SettledConversation {
  /** Number of its records here. */
  readonly records: number;
  /** Of the names of its objects in the replica. */
  readonly digest: ObjectHash;
}

/** Names of the objects of each conversation, with the lengths that are there. */
export type NamesByConversation = ReadonlyMap<ConversationId, ReadonlyMap<string, number>>;

export interface PlaceOverview {
  readonly conversations: NamesByConversation;
  readonly gone: ReadonlySet<ConversationId>;
  readonly news: readonly NewsName[];
  /** Roots that a passphrase or a recovery code opens. */
  readonly roots: ReadonlySet<string>;
}

/** Takes the pages of a list. */
export class PlaceOverviewBuilder {
  readonly #conversations = new Map<ConversationId, Map<string, number>>();
  readonly #gone = new Set<ConversationId>();
  readonly #news: NewsName[] = [];
  readonly #roots = new Set<string>();

  readonly add = (page: readonly ListedObject[]): void => {
    for (const { name, length } of page) {
      const parsed = parseName(name);
      if (parsed === undefined) continue;
      if (parsed.kind === "news") this.#news.push(parsed);
      else if (parsed.kind === "gone") this.#gone.add(parsed.conversation);
      else if (parsed.kind === "root") this.#roots.add(parsed.root);
      else {
        const names = this.#conversations.get(parsed.conversation) ?? new Map<string, number>();
        this.#conversations.set(parsed.conversation, names.set(name, length));
      }
    }
  };

  get overview(): PlaceOverview {
    return { conversations: this.#conversations, gone: this.#gone, news: this.#news, roots: this.#roots };
  }
}

export function digestOf(names: ReadonlyMap<string, number>, cipher: Pick<ObjectCipher, "hashOf">): ObjectHash {
  const lines = [...names].map(([name, length]) => `${name} ${String(length)}`).sort();
  return cipher.hashOf(asciiBytes(lines.join("\n")));
}

export interface FreshNews {
  /** Objects that were put, by conversation. */
  readonly objects: ReadonlyMap<ConversationId, ReadonlySet<ObjectHash>>;
  /** Some were deleted before this machine saw them: only a list of everything tells what changed. */
  readonly hasGap: boolean;
}

/** `seen` are the names that were listed before; the news of `own` are known. */
export function freshNews(news: readonly NewsName[], seen: ReadonlySet<string>, own: MachineId): FreshNews {
  const objects = new Map<ConversationId, Set<ObjectHash>>();
  const next = new Map<MachineId, number>();
  for (const name of seen) {
    const parsed = parseName(name);
    if (parsed?.kind === "news") next.set(parsed.machine, Math.max(parsed.number + 1, next.get(parsed.machine) ?? 0));
  }
  const lowest = new Map<MachineId, number>();
  for (const { name, machine, number, conversation, object } of news) {
    if (machine === own) continue;
    lowest.set(machine, Math.min(number, lowest.get(machine) ?? number));
    // By name: two windows of a machine may give a number twice.
    if (!seen.has(name)) objects.set(conversation, (objects.get(conversation) ?? new Set<ObjectHash>()).add(object));
  }
  const hasGap = [...lowest].some(([machine, number]) => number > (next.get(machine) ?? 0));
  return { objects, hasGap };
}

/** News of a machine that stay: whoever has not looked for so many lists everything. */
const KEPT_NEWS = 100;

/** Names of `own` news that may be deleted once one more is put. */
export function outdatedNews(news: readonly NewsName[], own: MachineId): readonly NewsName[] {
  const mine = news.filter(({ machine }) => machine === own).toSorted((one, other) => other.number - one.number);
  return mine.slice(KEPT_NEWS);
}

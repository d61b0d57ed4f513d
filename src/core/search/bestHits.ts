/** The best search results, in an order that does not depend on whether an index was used. */

import type { MessageId } from "../ids.ts";
import type { Message } from "../message.ts";
import { searchExcerpt } from "./searchExcerpt.ts";
import { matchQuery, type SearchQuery } from "./searchQuery.ts";
import { searchText } from "./searchText.ts";

export interface SearchHit {
  readonly id: MessageId;
  /** Plain text around the match, about 160 characters, in the words of the message. */
  readonly excerpt: string;
}

/** Takes messages in any order and retains the `limit` best matches. Ties go to the newer message. */
export class BestHits {
  readonly #query: SearchQuery;
  readonly #limit: number;
  #hits: (SearchHit & { readonly score: number })[] = [];

  constructor(query: SearchQuery, limit: number) {
    this.#query = query;
    this.#limit = limit;
  }

  add(id: MessageId, message: Message): void {
    const text = searchText(message);
    const match = matchQuery(this.#query, text);
    if (match === undefined) return;
    const { score } = match;
    const worst = this.#hits.at(-1);
    if (this.#hits.length >= this.#limit && worst !== undefined && !isBefore({ id, score }, worst)) return;
    const place = this.#hits.findIndex((other) => isBefore({ id, score }, other));
    const hit = { id, score, excerpt: searchExcerpt(text, match) };
    this.#hits.splice(place < 0 ? this.#hits.length : place, 0, hit);
    this.#hits.splice(this.#limit);
  }

  /** Best first. */
  get list(): readonly SearchHit[] {
    return this.#hits.map(({ id, excerpt }) => ({ id, excerpt }));
  }
}

type Place = Pick<SearchHit, "id"> & { readonly score: number };

function isBefore(one: Place, other: Place): boolean {
  return one.score > other.score || (one.score === other.score && one.id > other.id);
}

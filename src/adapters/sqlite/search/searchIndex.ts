/**
 * Full-text index: the set of terms of each message, without their order, which makes it a quarter of the size of the
 * text. It is filled in idle time, oldest messages first; the progress in `search_state` is updated in the transaction
 * that adds the terms.
 *
 * An unreadable index is abandoned until the next opening: a possibly damaged file is not written any more, and
 * searches scan the messages themselves.
 */

import { messageId, type MessageId } from "../../../core/ids.ts";
import type { IndexedWords, NamedMessages } from "../../../core/search/ranking/rankedSearch.ts";
import { requiredTerms, searchTerms } from "../../../core/search/searchTerms.ts";
import type { SearchQuery } from "../../../core/search/searchQuery.ts";
import { searchText } from "../../../core/search/searchText.ts";
import { numberColumn, type Engine } from "../engine/engine.ts";
import { parseMessages } from "../rowCodec.ts";

/** Throws when the message cannot be read. */
export type ReadMessageJson = (id: MessageId) => string;

/** If more messages match, only the newest are ranked. */
const MOST_CANDIDATES = 2_000;
/** The rarest term decides the result; more terms only lengthen the query. */
const MOST_TERMS = 16;
/** Words whose messages are remembered, of which a question has 48: a megabyte or two. */
const MOST_NAMED = 128;
/** Terms per INSERT: a few milliseconds of work, however large the message. */
const TERMS_AT_ONCE = 500;
/** Merges small index segments a few pages at a time; otherwise SQLite would eventually merge everything at once. */
const MERGE = "INSERT INTO search(search) VALUES('merge=32,4')";
const FILLINGS_BEFORE_MERGE = 3;

export class SearchIndex {
  readonly #engine: Engine;
  readonly #read: ReadMessageJson;
  #indexedCount: number;
  /** Remaining terms of the message being indexed. */
  #terms: Iterator<string, void> | undefined;
  #countBefore = 0;
  #fillings = 0;
  #isGivenUp = false;
  /** Found last: the sentences of a question are searched one by one, and name what the question names. */
  readonly #named = new Map<string, NamedMessages>();
  #namedBefore = 0;

  constructor(engine: Engine, read: ReadMessageJson) {
    this.#engine = engine;
    this.#read = read;
    const [row] = engine.all("SELECT ifnull(max(indexed), 0) AS indexed FROM search_state");
    this.#indexedCount = numberColumn(row, "indexed");
  }

  /** Also the id of the first message that is not indexed. 0 once abandoned. */
  get indexedCount(): number {
    return this.#isGivenUp ? 0 : this.#indexedCount;
  }

  get isTrusted(): boolean {
    return !this.#isGivenUp;
  }

  /** Messages before `end` that may match, newest first. `end` must not exceed `indexedCount`. */
  candidates(query: SearchQuery, end: number): readonly MessageId[] {
    const needed = requiredTerms(query).slice(0, MOST_TERMS);
    const words = needed.map(({ term, isPrefix }) => (isPrefix ? `${term}*` : term)).join(" ");
    const sql = "SELECT docid FROM search WHERE search MATCH ? AND docid < ? ORDER BY docid DESC LIMIT ?";
    return this.#engine.all(sql, [words, end, MOST_CANDIDATES]).map((row) => messageId(numberColumn(row, "docid")));
  }

  /** The newest `limit` messages before `end` that have any of the words, but none of a prefix that more have. */
  named({ words, isPrefix }: IndexedWords, end: number, limit: number): NamedMessages {
    const match = words.map((word) => (isPrefix ? `${word}*` : word)).join(" OR ");
    if (end !== this.#namedBefore || this.#named.size >= MOST_NAMED) this.#named.clear();
    this.#namedBefore = end;
    const key = `${limit} ${match}`;
    const known = this.#named.get(key);
    if (known !== undefined) return known;
    const named = this.#namedBy(match, isPrefix, end, limit);
    this.#named.set(key, named);
    return named;
  }

  #namedBy(match: string, isPrefix: boolean, end: number, limit: number): NamedMessages {
    const where = "FROM search WHERE search MATCH ? AND docid < ?";
    // One text: a row for each takes four times as long.
    const list = `SELECT group_concat(docid) AS ids FROM (SELECT docid ${where} ORDER BY docid DESC LIMIT ?)`;
    const text = this.#engine.all(list, [match, end, limit])[0]?.["ids"];
    const rows = typeof text === "string" ? text.split(",").map(Number) : [];
    const ids = [...new Set(rows)].sort((one, other) => other - one).map(messageId);
    if (rows.length < limit) return { ids, count: ids.length };
    if (isPrefix) return { ids: [], count: limit };
    return { ids, count: numberColumn(this.#engine.all(`SELECT count(*) AS n ${where}`, [match, end])[0], "n") };
  }

  /**
   * Adds terms until `deadlineMs` on `performance.now()` or until all `messageCount` messages are indexed; returns
   * whether they are. The caller provides the transaction, and calls `undo` if it is rolled back.
   */
  fill(messageCount: number, deadlineMs: number): boolean {
    this.#countBefore = this.#indexedCount;
    if (++this.#fillings % FILLINGS_BEFORE_MERGE === 0) {
      this.#engine.exec(MERGE);
      return false;
    }
    while (this.#indexedCount < messageCount && performance.now() < deadlineMs) this.#addSome();
    this.#engine.all("INSERT OR REPLACE INTO search_state(id, indexed) VALUES(0, ?)", [this.#indexedCount]);
    return this.#indexedCount >= messageCount;
  }

  /** Call when the transaction of the last `fill` was rolled back. */
  undo(): void {
    this.#terms = undefined;
    this.#indexedCount = this.#countBefore;
  }

  /** From now on the index is empty and is not filled. */
  giveUp(): void {
    this.#isGivenUp = true;
  }

  #addSome(): void {
    const id = messageId(this.#indexedCount);
    this.#terms ??= this.#termsOf(id);
    const some: string[] = [];
    let next = this.#terms.next();
    for (; next.done !== true; next = this.#terms.next()) {
      if (some.push(next.value) >= TERMS_AT_ONCE) break;
    }
    // The terms of a message may span several rows, because no term occurs twice.
    if (some.length > 0) this.#engine.all("INSERT INTO search(docid, terms) VALUES(?, ?)", [id, some.join(" ")]);
    if (next.done !== true) return;
    this.#terms = undefined;
    this.#indexedCount++;
  }

  *#termsOf(id: MessageId): Generator<string, void> {
    for (const { message } of parseMessages(`[${this.#read(id)}]`)) yield* searchTerms(searchText(message));
  }
}

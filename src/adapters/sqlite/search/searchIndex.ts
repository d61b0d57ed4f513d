/**
 * The full-text index: which terms each message holds, and nothing of their order, so that it is a quarter as large as what
 * it finds. It is filled when nothing else is to be done, the oldest messages first, and remembers how far it came;
 * `search_state` moves on in the transaction that adds the terms.
 *
 * An index that cannot be read is given up until the next opening: nothing more is written into a file that may be damaged,
 * and a search looks at the messages themselves.
 */

import { messageId, type MessageId } from "../../../core/ids.ts";
import { neededTerms, searchTerms } from "../../../core/search/searchTerms.ts";
import type { SearchQuery } from "../../../core/search/searchQuery.ts";
import { searchText } from "../../../core/search/searchText.ts";
import { numberIn, type Engine } from "../engine/engine.ts";
import { parseMessages } from "../rowCodec.ts";

/** Reads a message as JSON; throws when it cannot be read. */
export type ReadMessageJson = (id: MessageId) => string;

/** Of more messages than these, the newest are compared with each other. */
const MOST_CANDIDATES = 2_000;
/** The rarest term decides; more of them only make the question longer. */
const MOST_TERMS = 16;
/** Terms that are put into the index at once: some milliseconds of work, of a message of any size. */
const TERMS_AT_ONCE = 500;
/** Puts small parts of the index together, a few pages at a time; left alone, SQLite would do it all at once some day. */
const MERGE = "INSERT INTO search(search) VALUES('merge=32,4')";
const FILLINGS_BEFORE_MERGE = 3;

/** The index of one open database. */
export class SearchIndex {
  readonly #engine: Engine;
  readonly #read: ReadMessageJson;
  #indexedCount: number;
  /** Of the message that is next; of a large one, the rest. */
  #terms: Iterator<string, void> | undefined;
  #countBefore = 0;
  #fillings = 0;
  #isGivenUp = false;

  constructor(engine: Engine, read: ReadMessageJson) {
    this.#engine = engine;
    this.#read = read;
    const [row] = engine.all("SELECT ifnull(max(indexed), 0) AS indexed FROM search_state");
    this.#indexedCount = numberIn(row, "indexed");
  }

  /** How many messages are in the index: those before the one with this id. */
  get indexedCount(): number {
    return this.#isGivenUp ? 0 : this.#indexedCount;
  }

  /** False once the index was given up. */
  get isTrusted(): boolean {
    return !this.#isGivenUp;
  }

  /** Messages before `end` that may match, the newest first. Asked only of messages that are in the index. */
  candidates(query: SearchQuery, end: number): readonly MessageId[] {
    const needed = neededTerms(query).slice(0, MOST_TERMS);
    const words = needed.map(({ term, isBeginning }) => (isBeginning ? `${term}*` : term)).join(" ");
    const sql = "SELECT docid FROM search WHERE search MATCH ? AND docid < ? ORDER BY docid DESC LIMIT ?";
    return this.#engine.all(sql, [words, end, MOST_CANDIDATES]).map((row) => messageId(numberIn(row, "docid")));
  }

  /**
   * Adds terms until `deadlineMs` of `performance.now()`, or until all of `messageCount` messages are in; answers whether
   * they are. Runs in a transaction of the caller, who calls `undo` when that comes to nothing.
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

  /** What the last `fill` did is not in the database. */
  undo(): void {
    this.#terms = undefined;
    this.#indexedCount = this.#countBefore;
  }

  /** From now on the index knows nothing, and is not filled. */
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
    // Terms of one message in several rows do not disturb each other, as no term comes twice.
    if (some.length > 0) this.#engine.all("INSERT INTO search(docid, terms) VALUES(?, ?)", [id, some.join(" ")]);
    if (next.done !== true) return;
    this.#terms = undefined;
    this.#indexedCount++;
  }

  *#termsOf(id: MessageId): Generator<string, void> {
    for (const { message } of parseMessages(`[${this.#read(id)}]`)) yield* searchTerms(searchText(message));
  }
}

/**
 * Search in the open conversation through its store, which also finds collapsed, summarized, hidden and unloaded
 * messages.
 */

import type { FindToHost } from "../../protocol/toHost.ts";
import type { StorageFailed } from "../../core/errors.ts";
import { answerStart } from "../../core/history/continuations.ts";
import { messageId } from "../../core/ids.ts";
import type { Message, Part } from "../../core/message.ts";
import { ok, type Result } from "../../core/result.ts";
import { matchedWords } from "../../core/search/matchedWords.ts";
import type { SearchHit } from "../../core/search/bestHits.ts";
import type { RankedHit } from "../../core/search/ranking/rankedSearch.ts";
import { parseQuery, type SearchQuery } from "../../core/search/searchQuery.ts";
import { searchText } from "../../core/search/searchText.ts";
import type { OpenStore } from "../../core/store/conversationStore.ts";
import type { FindPlace } from "../../protocol/findView.ts";
import type { ToViewBody } from "../../protocol/toView.ts";
import { revealRow } from "../view/revealRow.ts";
import type { Session } from "../session/session.ts";

/** Hits beyond this are not returned; `isMore` says that there are some. */
const MOST_HITS = 1_000;
/** Similar messages that follow the hits, and hits with which nothing similar is sought. */
const MOST_SIMILAR = 10;
const ENOUGH_HITS = 100;

/** Opens the text of an existing message in an editor. */
export type OpenInEditor = (session: Session, number: number) => Promise<Result<void, StorageFailed>>;

interface NewestSearch {
  readonly findId: string;
  readonly query: SearchQuery;
  readonly similar: readonly RankedHit[];
}

/** The newest search is saved for the words to mark. */
export class FindInConversation {
  #newest: NewestSearch | undefined;
  readonly #openInEditor: OpenInEditor;

  constructor(openInEditor: OpenInEditor) {
    this.#openInEditor = openInEditor;
  }

  /** `reply` posts to the page that asked. */
  async handle(
    message: FindToHost,
    session: Session,
    reply: (body: ToViewBody) => void,
  ): Promise<Result<void, StorageFailed>> {
    switch (message.kind) {
      case "find":
        return this.#find(message, session, reply);
      case "findGo":
        return this.#showHit(message, session, reply);
      case "openMessage":
        return message.messageId < session.opened.manager.history.length
          ? this.#openInEditor(session, message.messageId)
          : ok(undefined);
    }
  }

  async #find(
    { findId, query }: Extract<FindToHost, { kind: "find" }>,
    { opened }: Session,
    reply: (body: ToViewBody) => void,
  ): Promise<Result<void, StorageFailed>> {
    const parsed = parseQuery(query);
    this.#newest = parsed && { findId, query: parsed, similar: [] };
    const found = parsed === undefined ? ok([]) : await opened.store.search(query, { limit: MOST_HITS });
    if (!found.ok) return found;
    const hits = found.value
      .map(({ id, excerpt }) => ({ messageId: id, excerpt }))
      .sort((one, other) => one.messageId - other.messageId);
    const similar = parsed === undefined ? ok([]) : await similarHits(query, found.value, opened.store);
    if (!similar.ok) return similar;
    if (parsed !== undefined && this.#newest?.findId === findId) {
      this.#newest = { findId, query: parsed, similar: similar.value };
    }
    const more = similar.value.map(({ id, excerpt }) => ({ messageId: id, excerpt, isSimilar: true as const }));
    reply({ kind: "found", findId, hits: [...hits, ...more], isMore: hits.length >= MOST_HITS });
    return ok(undefined);
  }

  async #showHit(
    { findId, messageId: number, before }: Extract<FindToHost, { kind: "findGo" }>,
    session: Session,
    reply: (body: ToViewBody) => void,
  ): Promise<Result<void, StorageFailed>> {
    const newest = this.#newest;
    const { history } = session.opened.manager;
    if (newest?.findId !== findId || number >= history.length) return ok(undefined);
    const similar = newest.similar.find(({ id }) => id === number);
    const wordsIn = (text: string): readonly string[] =>
      similar?.words.filter((word) => text.includes(word)) ?? matchedWords(newest.query, text);
    const entry = history.entry(messageId(number));
    const read = await session.opened.store.readMessages([entry.id]);
    if (!read.ok) return read;
    const [stored] = read.value;
    const { part, callId, marks } = matchingPart(wordsIn, stored?.message ?? { role: entry.role, parts: [] });
    let rowId: string | null = null;
    if (history.isVisible(entry)) {
      const own = entry.batch ?? entry.id;
      rowId = `message-${part === "call" ? own : answerStart(history, own)}`;
      const revealed = await revealRow(session, { rowId, before, keepsFocus: true }, reply);
      if (!revealed.ok) return revealed;
      if (!revealed.value) rowId = null;
    }
    reply({ kind: "foundAt", findId, messageId: number, place: { rowId, part, callId, marks } });
    return ok(undefined);
  }
}

/**
 * Messages with all of the words in other forms; where no message has the words as they were typed, those with the
 * rarest of them.
 */
async function similarHits(
  query: string,
  exact: readonly SearchHit[],
  store: Pick<OpenStore, "searchRanked">,
): Promise<Result<readonly RankedHit[], StorageFailed>> {
  if (exact.length >= ENOUGH_HITS) return ok([]);
  const known = new Set(exact.map(({ id }) => id));
  const ranked = await store.searchRanked(query, { limit: known.size + MOST_SIMILAR });
  if (!ranked.ok) return ranked;
  const others = ranked.value.filter(
    ({ id, words, hasAll }) => !known.has(id) && words.length > 0 && (hasAll || known.size === 0),
  );
  return ok(others.slice(0, MOST_SIMILAR));
}

type PartPlace = Pick<FindPlace, "part" | "callId" | "marks">;

/** The first part with a match; text is preferred to collapsed parts. */
function matchingPart(wordsIn: (text: string) => readonly string[], message: Message): PartPlace {
  const places = message.parts.map((part): PartPlace => {
    const marks = wordsIn(searchText({ role: message.role, parts: [part] }));
    return { ...placeOf(part), marks };
  });
  const marks = [...new Set(places.flatMap((place) => place.marks))];
  const shown = places.filter((place) => place.marks.length > 0);
  const best = shown.find(({ part }) => part === "text") ?? shown[0];
  return { part: best?.part ?? "text", callId: best?.callId ?? "", marks };
}

function placeOf(part: Part): Pick<FindPlace, "part" | "callId"> {
  if (part.kind === "toolCall" || part.kind === "toolResult") return { part: "call", callId: part.callId };
  return { part: part.kind === "thinking" ? "thinking" : "text", callId: "" };
}

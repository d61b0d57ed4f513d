/**
 * Finds what a question names and its request would not have: passages of messages that are summarized, or not sent. The
 * search is the one of `recall_history`; no model is asked. Ordinary messages name nothing of that kind, and get nothing.
 */

import type { FullHistory } from "../../history/fullHistory.ts";
import type { MessageId } from "../../ids.ts";
import type { Message, RecalledPassage } from "../../message.ts";
import { textMessage, textOf } from "../../message.ts";
import type { KnownTexts } from "../../search/ranking/news.ts";
import type { RankedHit } from "../../search/ranking/rankedSearch.ts";
import { isStopWord, languageOf } from "../../search/ranking/stopWords.ts";
import { isTalk } from "../../search/ranking/talk.ts";
import { searchWords } from "../../search/searchWords.ts";
import type { OpenStore } from "../../store/conversationStore.ts";
import type { MessageCounter } from "../../tokens/messageCounter.ts";
import type { TokenCosts } from "../tokenCosts.ts";
import { withoutAskingWords } from "./askingWords.ts";
import { passagePlace } from "./passagePlace.ts";
import { recalledText, type PassagePlace } from "./recalledText.ts";

/** Texts of the next request without the question. */
export interface SentTexts {
  readonly history: FullHistory;
  readonly known: KnownTexts;
  /** Passages that were recalled for earlier questions, and are still sent. */
  readonly recalled: readonly PassagePlace[];
  /** Messages that are not sent in any form. */
  readonly isHidden: (id: MessageId) => boolean;
  readonly costs: TokenCosts;
  /** Most tokens of all passages. */
  readonly mostTokens: number;
}

export interface RecallPorts {
  readonly store: Pick<OpenStore, "searchRanked" | "readMessages">;
  readonly counter: MessageCounter;
}

/** Longer messages are pasted, or say themselves what is to be known. In UTF-16 units, without blocks of code. */
const LONGEST_QUESTION = 1_000;
const FENCED = /^ *(```+|~~~+)[^\n]*\n[\s\S]*?(?:^ *\1|$(?![\s\S]))/gmu;
/** More lines that are not talk are code or data. */
const MOST_NAMED_LINES = 3;

/** Length of the passages that are compared with what is sent, in UTF-16 units. */
const JUDGED_UNITS = 600;
const SEARCHED_HITS = 24;
const MOST_PASSAGES = 6;

/** Passages for `question`, the best one first; none where it names nothing, or the history cannot be searched. */
export async function recallForQuestion(
  question: Message,
  sent: SentTexts,
  { store, counter }: RecallPorts,
): Promise<readonly RecalledPassage[]> {
  const query = namingText(question);
  if (query === undefined || !hasUnsent(sent)) return [];
  let hits = await searched(query, sent, store);
  if (!hits.some(isNamed)) return [];
  const special = await withoutUsualSentences(query, sent, store);
  if (special !== query) hits = await searched(special, sent, store);
  const named = hits
    .filter((hit) => isNamed(hit) && !isUsual(hit, hits) && mayBeRead(hit, sent))
    .sort((one, other) => (other.news?.share ?? 0) - (one.news?.share ?? 0))
    .slice(0, MOST_PASSAGES);
  if (named.length === 0) return [];
  const read = await store.readMessages(named.map(({ id }) => id));
  if (!read.ok) return [];
  const passages: RecalledPassage[] = [];
  for (const [index, { entry, message }] of read.value.entries()) {
    const place = passagePlace(entry.id, message, named[index]?.news?.start ?? 0, sent.mostTokens);
    if (place === undefined || isRecalled(place, sent.recalled)) continue;
    const text = recalledText(place, entry, message);
    if (text === undefined) continue;
    const passage = { ...place, tokens: await counter.count(textMessage("user", text)) };
    if (sent.costs.ofRecalled([...passages, passage]) <= sent.mostTokens) passages.push(passage);
  }
  return passages;
}

/** People say some things in the same words again and again, and these name no message. */
async function withoutUsualSentences(query: string, sent: SentTexts, store: RecallPorts["store"]): Promise<string> {
  const sentences = query.split(SENTENCE_ENDS).filter((sentence) => searchWords(sentence).next().done !== true);
  if (sentences.length === 1 || sentences.length > MOST_SENTENCES) return query;
  const special: string[] = [];
  for (const sentence of sentences) {
    const hits = await searched(sentence, sent, store);
    const isSaidOften = hits.filter(({ news }) => news !== undefined && news.share >= USUAL_SHARE).length > MOST_ALIKE;
    if (!isSaidOften) special.push(sentence);
  }
  return special.length === sentences.length ? query : special.join("\n");
}

async function searched(
  query: string,
  { known }: SentTexts,
  store: RecallPorts["store"],
): Promise<readonly RankedHit[]> {
  const found = await store.searchRanked(query, { limit: SEARCHED_HITS, known, excerptLength: JUDGED_UNITS });
  return found.ok ? found.value : [];
}

/** Words of the user; `undefined` where they are no question but pasted text or code. */
function namingText(question: Message): string | undefined {
  const text = withoutAskingWords(textOf(question).replace(FENCED, "\n")).trim();
  if (text === "" || text.length > LONGEST_QUESTION) return undefined;
  const said = [...searchWords(text)];
  const language = languageOf(said);
  if (said.every(({ folded }) => isStopWord(folded, language))) return undefined;
  const isShort = text.split("\n").length <= MOST_NAMED_LINES;
  return isShort || isTalk(textMessage("user", text)) ? text : undefined;
}

function hasUnsent({ history, known }: SentTexts): boolean {
  return known.ids.length < history.visibleCount(0, history.length);
}

/** Its words are most of what the question asks for, are hardly there by chance, and are not sent together. */
function isNamed({ words, news }: RankedHit): boolean {
  if (news === undefined || words.length === 0) return false;
  const { share, knownShare, specificity } = news;
  return knownShare <= MOST_KNOWN && share >= LEAST_SHARE && specificity >= LEAST_SPECIFICITY;
}

/** Specific as its words are by chance, so many messages have them all the same. */
function isUsual({ news }: RankedHit, hits: readonly RankedHit[]): boolean {
  return hits.filter((hit) => (hit.news?.share ?? 0) >= (news?.share ?? 0)).length > MOST_ALIKE;
}

/** Below these, of 147 messages in recorded sessions 9 % get an excerpt; with `MOST_KNOWN` 0.8 it is 20 %. */
const LEAST_SHARE = 0.5;
const MOST_KNOWN = 0.55;
/** Of what is as rare as two words that stand together, a conversation of 700 messages has a few by chance. */
const LEAST_SPECIFICITY = -2;
/** As many as words of that specificity have by chance. */
const MOST_ALIKE = 7;
/** Of a sentence that is said again with other names. */
const USUAL_SHARE = 0.7;
/** Each is searched for, while the request waits. */
const MOST_SENTENCES = 4;
const SENTENCE_ENDS = /\n|(?<=[.!?])\s+/u;

function mayBeRead({ id }: RankedHit, { history, isHidden }: SentTexts): boolean {
  return !isHidden(id) && history.entry(id).erasedAtMs === undefined;
}

function isRecalled({ id, part, start, end }: PassagePlace, recalled: readonly PassagePlace[]): boolean {
  return recalled.some((each) => each.id === id && each.part === part && each.start < end && start < each.end);
}

/** The user's own words, and which of them a summary retains verbatim whatever its notes say. */

import { wordFactsOf } from "./words.ts";
import { isAccount, isQuestion } from "./directives.ts";
import type { TokenCounts } from "../../message.ts";
import type { TokenCounter } from "../../tokens/tokenCounter.ts";
import type { Fact, FactKind } from "./fact.ts";
import { type Candidate, isUserFact, LedgerRoom } from "./ledgerRoom.ts";
import { Slice, type CooperativeTask } from "../../cooperativeTask.ts";
import type { MessageId } from "../../ids.ts";
import { linesOfMessage } from "./ledger.ts";
import { userExcerpt } from "./userExcerpt.ts";

/** Directives may take at most this many tokens in addition to the target; the rest compete for the ledger. */
export const DIRECTIVE_ALLOWANCE_TOKENS = 400;
/** Other statements get what directives leave of their allowance, up to this share of the target. */
const LARGEST_SHARE_OF_ALLOWANCE = 0.5;

/**
 * Directive allowance for a summary of `sourceTokens`: a fifth, at least 64, at most 400. In a small window, the same
 * directives under each summary would otherwise fill it.
 */
export function directiveAllowance(sourceTokens: number): number {
  return Math.min(DIRECTIVE_ALLOWANCE_TOKENS, Math.max(SMALLEST_ALLOWANCE_TOKENS, Math.floor(sourceTokens / 5)));
}

const SMALLEST_ALLOWANCE_TOKENS = 64;

/** First to get room first. */
export interface UserVerbatim {
  readonly directives: readonly Candidate[];
  readonly remarks: readonly Candidate[];
  /** Facts that fit their room: directives and messages, newest first, then other statements. */
  readonly allowed: readonly Fact[];
  /** Tokens that the messages leave of their share of the target. */
  readonly leftTokens: number;
}

/**
 * The user's words, even when the notes state them: the next summary over this one recognizes only the ledger as the
 * user's. So the newest that fit are retained at every level.
 */
export function* selectUserVerbatim(
  { facts, targetTokens, allowanceTokens, userRoom = NO_ROOM }: UserVerbatimRequest,
  counter: TokenCounter,
): CooperativeTask<UserVerbatim> {
  const slice = new Slice(FACTS_A_SLICE);
  const tokensOf = (message: string): number => counter.countText(linesOfMessage(message), userRoom.encoding);
  const own: Candidate[] = [];
  for (const fact of facts) {
    if (slice.isOver(1)) yield;
    if (!isUserFact(fact)) continue;
    const isMessage = fact.kind === "message";
    own.push({ fact, tokens: isMessage ? tokensOf(fact.text) : counter.countText(fact.text, "cl100k") });
  }
  const newestOf = (wanted: FactKind): readonly Candidate[] =>
    withoutRepetitions(
      own.filter(({ fact }) => fact.kind === wanted).sort((a, b) => b.fact.lastStated - a.fact.lastStated),
    );
  const directives = newestOf("directive");
  const remarks = yield* rankStatements(newestOf("remark"));
  const ledger = new LedgerRoom();
  const shorten = (fact: Fact, units: number): Candidate => {
    const orders = own.flatMap(({ fact: { kind, id, text } }) =>
      kind === "directive" && id === fact.id ? [text] : [],
    );
    const text = userExcerpt(fact.text, units, { orders, isTask: fact.id === userRoom.task });
    return { fact: { ...fact, text }, tokens: tokensOf(text) };
  };
  const messages = retainedMessages(
    own.filter(({ fact }) => fact.kind === "message"),
    userRoom,
    shorten,
  );
  const takenTokens = messages.reduce((sum, { tokens }) => sum + tokens + TOKENS_OF_A_MESSAGE, 0);
  const whole = yield* ledger.take(messages, Infinity);
  const early = yield* ledger.take(directives, allowanceTokens);
  const freeTokens = Math.min(early.leftTokens, Math.floor(targetTokens * LARGEST_SHARE_OF_ALLOWANCE));
  const said = yield* ledger.take(remarks, freeTokens);
  return {
    directives,
    remarks,
    allowed: [...whole.taken, ...early.taken, ...said.taken].map(({ fact }) => fact),
    leftTokens: Math.max(0, userRoom.sharedTokens - takenTokens),
  };
}

/** Mark, number and line break. */
const TOKENS_OF_A_MESSAGE = 6;
/** Of the room, for the task, where there is more. */
const LARGEST_SHARE_OF_TASK = 0.75;
/** Less of a message says nothing. */
const SMALLEST_EXCERPT_TOKENS = 40;

/**
 * The messages that fit: the first of the conversation, which sets the task, then the newest. The last one taken, and
 * the task, may be an excerpt.
 */
function retainedMessages(
  messages: readonly Candidate[],
  { tokens, task }: UserRoom,
  shorten: Shorten,
): readonly Candidate[] {
  const newestFirst = messages.toSorted((a, b) => b.fact.id - a.fact.id || b.fact.lastStated - a.fact.lastStated);
  const tasks = newestFirst.filter(({ fact }) => fact.id === task);
  const others = newestFirst.filter(({ fact }) => fact.id !== task);
  const taken: Candidate[] = [];
  let left = tokens;
  const take = (message: Candidate, mostTokens: number): boolean => {
    const fitting = messageWithin(message, mostTokens - TOKENS_OF_A_MESSAGE, shorten);
    if (fitting === undefined) return false;
    left -= fitting.tokens + TOKENS_OF_A_MESSAGE;
    taken.push(fitting);
    return fitting === message;
  };
  const wanted = others.reduce((sum, { tokens }) => sum + tokens + TOKENS_OF_A_MESSAGE, 0);
  for (const message of tasks) take(message, Math.max(tokens - wanted, Math.floor(tokens * LARGEST_SHARE_OF_TASK)));
  for (const message of others) if (!take(message, left)) break;
  return taken;
}

/** An excerpt of about so many units, and its tokens. */
type Shorten = (message: Fact, units: number) => Candidate;

function messageWithin(message: Candidate, mostTokens: number, shorten: Shorten): Candidate | undefined {
  const { fact, tokens } = message;
  if (tokens <= mostTokens) return message;
  if (mostTokens < SMALLEST_EXCERPT_TOKENS) return undefined;
  let units = Math.floor((fact.text.length * (mostTokens - SMALLEST_EXCERPT_TOKENS / 2)) / tokens);
  // Some parts of a text have more tokens than others.
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const shorter = shorten(fact, units);
    if (shorter.tokens <= mostTokens) return shorter;
    units = Math.floor((units * mostTokens * SAFE_SHARE) / shorter.tokens);
  }
  return undefined;
}

const MOST_ATTEMPTS = 4;
const SAFE_SHARE = 0.97;

export interface UserVerbatimRequest {
  readonly facts: readonly Fact[];
  readonly targetTokens: number;
  readonly allowanceTokens: number;
  /** Absent: none. */
  readonly userRoom?: UserRoom;
}

/** Room for messages, word for word. */
export interface UserRoom {
  readonly tokens: number;
  /** Part of it that counts towards the target of the summary. */
  readonly sharedTokens: number;
  readonly encoding: keyof TokenCounts;
  /** The first message of the conversation. */
  readonly task: MessageId | undefined;
}

const NO_ROOM: UserRoom = { tokens: 0, sharedTokens: 0, encoding: "cl100k", task: undefined };

/** Drops repetitions that differ only in case or punctuation. `candidates` are newest first. */
function withoutRepetitions<T extends Candidate>(candidates: readonly T[]): readonly T[] {
  const said = new Set<string>();
  return candidates.filter(({ fact: { text } }) => {
    const words = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
    if (said.has(words)) return false;
    said.add(words);
    return true;
  });
}

const FACTS_A_SLICE = 100;

interface HasText {
  readonly fact: { readonly text: string };
}

/** Stable within a tier. */
export function* rankStatements<T extends HasText>(remarks: readonly T[]): CooperativeTask<readonly T[]> {
  const slice = new Slice(REMARKS_A_SLICE);
  const tiers = TIERS.map((): T[] => []);
  for (const remark of remarks) {
    tiers[TIERS.indexOf(tierOf(remark.fact.text))]?.push(remark);
    if (slice.isOver(1)) yield;
  }
  return tiers.flat();
}

const REMARKS_A_SLICE = 100;

/**
 * First to get room first. Statements that name a path or an address come last: that fact enters the ledger by itself.
 * Dates do not count as names, because they may set a deadline.
 */
const TIERS = ["plain", "naming", "account", "asking", "known"] as const;

function tierOf(text: string): (typeof TIERS)[number] {
  const kinds = wordFactsOf(text).flatMap(({ kind }) => (kind === "date" ? [] : [kind]));
  if (kinds.some((kind) => kind !== "identifier")) return "known";
  if (isQuestion(text)) return "asking";
  if (isAccount(text)) return kinds.length === 0 ? "account" : "known";
  return kinds.length === 0 ? "plain" : "naming";
}

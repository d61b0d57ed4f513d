/**
 * Sources of a summary as passages of text with their origin. The origin decides what a text may become: only the user
 * gives instructions; tool results and files are data.
 */

import { joinedMessage } from "../../history/continuations.ts";
import type { ForgeError } from "../../errors.ts";
import type { MessageId } from "../../ids.ts";
import type { Message, Part, TokenCounts, StoredMessage } from "../../message.ts";
import type { Result } from "../../result.ts";
import { userSegments } from "../../history/userWords.ts";
import { withoutLoops } from "../../repetition/withoutLoops.ts";
import { excerpt } from "./excerpt.ts";
import { redact } from "../../secrets/redact.ts";

/** One message of the span, or a summary of several as a message of role `system`. */
export interface SummarySource {
  /** The message, or the first one that the summary covers. */
  readonly id: MessageId;
  /** The last message that a summary covers. */
  readonly lastId?: MessageId;
  readonly turn: MessageId;
  readonly message: Message;
  /** As sent. */
  readonly tokens: TokenCounts;
  /** The answer of which this is the rest. */
  readonly continues?: MessageId;
  /** An answer that was cut, stopped or refused. */
  readonly isIncomplete?: boolean;
}

/** `tool` covers tool results and files; `summary` is an earlier summary. */
export type Origin = "user" | "assistant" | "toolCall" | "tool" | "summary";

/** Text of one origin: redacted, and of bounded length. */
export interface Passage {
  readonly id: MessageId;
  readonly origin: Origin;
  readonly text: string;
}

/** Longer texts are reduced to head and tail; the rest stays in the history. */
const LONGEST_PASSAGE_UNITS = 48_000;

/** Of a user's text: what was pasted into it matters most where it ends, see `userExcerpt`. */
const USER_HEAD_SHARE = 1 / 4;

/** Read for whose words they are before they are reduced. */
const LONGEST_USER_TEXT_UNITS = 4 * LONGEST_PASSAGE_UNITS;

export interface ReadSource {
  readonly id: MessageId;
  readonly lastId?: MessageId;
  readonly turn: MessageId;
  readonly passages: readonly Passage[];
  readonly isIncomplete?: boolean;
}

export function sourceOf({ entry, message }: StoredMessage): SummarySource {
  const { id, turn, continues } = entry;
  const tokens = entry.sentTokens ?? entry.tokens;
  const isIncomplete = entry.role === "assistant" && (entry.stop !== undefined || entry.state !== "complete");
  return {
    ...{ id, turn, message, tokens },
    ...(continues === undefined ? {} : { continues }),
    ...(isIncomplete ? { isIncomplete } : {}),
  };
}

/** Sources a page at a time, oldest first; an error ends them. Each iteration reads them anew. */
export type SourcePages = AsyncIterable<Result<readonly SummarySource[], ForgeError>>;

/** The same, read. */
export type ReadPages = AsyncIterable<Result<readonly ReadSource[], ForgeError>>;

/** An answer and its continuations are one source: what was cut in mid-sentence is read as a whole. */
export function withJoinedAnswers(sources: readonly SummarySource[]): readonly SummarySource[] {
  const joiner = new AnswerJoiner();
  return [...joiner.add(sources), ...joiner.end()];
}

/** {@link withJoinedAnswers}, page by page: holds back the last source, which may continue. */
export class AnswerJoiner {
  #open: SummarySource | undefined;
  #last: MessageId | undefined;

  add(sources: readonly SummarySource[]): readonly SummarySource[] {
    const complete: SummarySource[] = [];
    for (const source of sources) {
      if (this.#open !== undefined && source.continues !== undefined && source.continues === this.#last) {
        this.#open = joinedSource(this.#open, source);
      } else {
        complete.push(...this.end());
        this.#open = source;
      }
      this.#last = source.id;
    }
    return complete;
  }

  end(): readonly SummarySource[] {
    const open = this.#open;
    this.#open = undefined;
    return open === undefined ? [] : [open];
  }
}

function joinedSource({ id, turn, message, tokens }: SummarySource, rest: SummarySource): SummarySource {
  return {
    ...{ id, turn, message: joinedMessage(message, rest.message) },
    tokens: { cl100k: tokens.cl100k + rest.tokens.cl100k, o200k: tokens.o200k + rest.tokens.o200k },
    ...(rest.isIncomplete === true ? { isIncomplete: true } : {}),
  };
}

/** Takes a few milliseconds for a long source. Thinking is used only when the message has nothing else. */
export function readSource({ id, lastId, turn, message, isIncomplete }: SummarySource): ReadSource {
  const hasWords = message.parts.some((part) => part.kind !== "thinking");
  const passages = message.parts.flatMap((part): readonly Passage[] => {
    if (part.kind === "thinking" && hasWords) return [];
    const raw = textOfPart(part);
    if (raw.trim() === "") return [];
    const origin = originOf(part, message);
    if (origin === "user") return userPassages(raw, id);
    // A summary is bounded already, and what is cut from its ledger would be lost for good.
    const text =
      origin === "summary" ? raw : excerpt(origin === "assistant" ? withoutLoops(raw) : raw, LONGEST_PASSAGE_UNITS);
    return [{ id, origin, text: redact(text).text }];
  });
  return {
    ...{ id, turn, passages },
    ...(lastId === undefined ? {} : { lastId }),
    ...(isIncomplete === true ? { isIncomplete } : {}),
  };
}

/** Data among the user's words is one passage of its own, after them. */
function userPassages(text: string, id: MessageId): readonly Passage[] {
  const segments = userSegments(excerpt(text, LONGEST_USER_TEXT_UNITS));
  return (["user", "tool"] as const).flatMap((origin) => {
    const texts = segments.flatMap(({ text, label }) => {
      if ((label === undefined) !== (origin === "user")) return [];
      return [label === undefined ? text : `${label}\n${text}`];
    });
    if (texts.length === 0) return [];
    const text = excerpt(texts.join("\n"), LONGEST_PASSAGE_UNITS, origin === "user" ? USER_HEAD_SHARE : undefined);
    return [{ id, origin, text: redact(text).text }];
  });
}

function originOf(part: Part, message: Message): Origin {
  switch (part.kind) {
    case "toolCall":
      return "toolCall";
    case "toolResult":
    case "attachment":
    case "image":
      return "tool";
    case "text":
    case "thinking":
      return message.role === "system" ? "summary" : message.role;
  }
}

function textOfPart(part: Part): string {
  switch (part.kind) {
    case "text":
    case "thinking":
      return part.text;
    case "toolCall":
      return `${part.name} ${part.inputJson}`;
    case "toolResult":
      return part.outcome === "ok" ? part.text : `(${part.outcome}) ${part.text}`;
    case "attachment":
      return `${part.label}\n${part.text}`;
    case "image":
      return `[image: ${part.mediaType}]`;
  }
}

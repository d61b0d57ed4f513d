import { beginningOf } from "../../core/cutText.ts";

/** The rest of a longer sentence is skipped: it is no prose, and a listener could not stop it. In UTF-16 units. */
const maxSentenceLength = 1_000;
/** Limit for text received at once; the transcript has all of it. */
const maxBatchLength = 8_000;

/**
 * Cuts streamed text into whole sentences for the live region, so that a screen reader hears sentences, not tokens.
 * Every character is announced once, in order, except beyond the limits above, where "…" stands for the rest. Markdown
 * syntax is stripped.
 */
export class SentenceAnnouncer {
  /** Text not yet announced; of an overlong sentence, only its beginning and its last {@link endLength} characters. */
  #buffer = "";
  #isCut = false;

  /** Appends streamed text; returns the sentences that it completes, or "". */
  push(text: string): string {
    const buffer = this.#buffer + text;
    const end = endOfLastSentence(buffer);
    const whole = end === 0 ? "" : this.#takeSentences(buffer.slice(0, end));
    if (end > 0) this.#isCut = false;
    this.#retain(buffer.slice(end));
    return whole;
  }

  /** Returns the remaining text at the end of the answer, complete sentence or not. */
  finish(): string {
    const rest = this.#takeSentences(this.#buffer);
    this.#buffer = "";
    this.#isCut = false;
    return rest;
  }

  #retain(rest: string): void {
    this.#isCut ||= rest.length > maxSentenceLength + endLength;
    this.#buffer = this.#isCut
      ? rest.slice(0, maxSentenceLength) + rest.slice(maxSentenceLength).slice(-endLength)
      : rest;
  }

  #takeSentences(text: string): string {
    if (!this.#isCut) return shortened(text);
    const rest = text.slice(maxSentenceLength);
    const end = sentenceEnd.exec(rest);
    const afterEnd = end === null ? "" : rest.slice(end.index + end[0].length);
    return `${withoutMarkdown(beginningOf(text, maxSentenceLength))}… ${shortened(afterEnd)}`.trim();
  }
}

/** Longest sentence end: the stop, closing signs and the white space after it. */
const endLength = 12;

/** "." and the like end a sentence only before white space ("3.14" goes on); CJK stops and line ends always do. */
const sentenceEnd = /(?:[.!?…]["'”’)\]*_`]{0,10}\s|[。！？]|\n)/u;
const sentenceEnds = new RegExp(sentenceEnd, "gu");

function endOfLastSentence(text: string): number {
  let end = 0;
  for (const match of text.matchAll(sentenceEnds)) end = match.index + match[0].length;
  return end;
}

function shortened(text: string): string {
  return text.length <= maxBatchLength
    ? withoutMarkdown(text)
    : `${withoutMarkdown(beginningOf(text, maxBatchLength))}…`;
}

function withoutMarkdown(markdown: string): string {
  return markdown
    .replace(/^[ \t]*(?:```|~~~).*$/gmu, " ")
    .replace(/^[ \t]*(?:#{1,6}|>|[-*+]|\d+\.)(?:[ \t]+|$)/gmu, "")
    .replace(/[*`|]+|__/gu, "")
    .replace(/\[([^\]]{0,300})\]\([^)]{0,1000}\)/gu, "$1")
    .replace(/\s+/gu, " ")
    .trim();
}

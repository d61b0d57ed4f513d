/**
 * Cuts streamed text into whole sentences for the live region, so that a screen reader hears sentences and no tokens.
 * Every character is announced once, in order; Markdown signs that only shape the text are left out.
 */
export class SentenceAnnouncer {
  #heard = "";

  /** Adds streamed text and returns the sentences that are whole now; empty when there is none. */
  push(text: string): string {
    this.#heard += text;
    const end = endOfLastSentence(this.#heard);
    const whole = this.#heard.slice(0, end);
    this.#heard = this.#heard.slice(end);
    return spoken(whole);
  }

  /** Returns what is left, whole or not: the answer has ended. */
  finish(): string {
    const rest = spoken(this.#heard);
    this.#heard = "";
    return rest;
  }
}

/** A full stop and its kin count only when white space follows (in "3.14" and "a.ts" nothing ends); a line end always. */
const sentenceEnd = /(?:[.!?…]["'”’)\]*_`]*\s|[。！？]|\n)/gu;

function endOfLastSentence(text: string): number {
  let end = 0;
  for (const match of text.matchAll(sentenceEnd)) end = match.index + match[0].length;
  return end;
}

function spoken(markdown: string): string {
  return markdown
    .replace(/^\s*(?:```|~~~).*$/gmu, " ")
    .replace(/^\s*(?:#{1,6}|>|[-*+]|\d+\.)\s+/gmu, "")
    .replace(/[*`|]+|__/gu, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/gu, "$1")
    .replace(/\s+/gu, " ")
    .trim();
}

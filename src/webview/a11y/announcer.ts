/** The rest of a longer sentence is skipped: it is no prose, and a listener could not stop it. In UTF-16 units. */
const mostOfSentence = 1_000;
/** Limit for text received at once; the transcript has all of it. */
const mostAtOnce = 8_000;

/**
 * Cuts streamed text into whole sentences for the live region, so that a screen reader hears sentences, not tokens.
 * Every character is announced once, in order, except beyond the limits above, where "…" stands for the rest. Markdown
 * syntax is stripped.
 */
export class SentenceAnnouncer {
  /** Text not yet announced; of an overlong sentence, only its beginning and its last {@link endLength} characters. */
  #heard = "";
  #isCut = false;

  /** Appends streamed text; returns the sentences that it completes, or "". */
  push(text: string): string {
    const heard = this.#heard + text;
    const end = endOfLastSentence(heard);
    const whole = end === 0 ? "" : this.#said(heard.slice(0, end));
    if (end > 0) this.#isCut = false;
    this.#keep(heard.slice(end));
    return whole;
  }

  /** Returns the remaining text at the end of the answer, complete sentence or not. */
  finish(): string {
    const rest = this.#said(this.#heard);
    this.#heard = "";
    this.#isCut = false;
    return rest;
  }

  #keep(rest: string): void {
    this.#isCut ||= rest.length > mostOfSentence + endLength;
    this.#heard = this.#isCut ? rest.slice(0, mostOfSentence) + rest.slice(mostOfSentence).slice(-endLength) : rest;
  }

  #said(text: string): string {
    if (!this.#isCut) return shortened(text);
    const rest = text.slice(mostOfSentence);
    const end = sentenceEnd.exec(rest);
    const behind = end === null ? "" : rest.slice(end.index + end[0].length);
    return `${spoken(text.slice(0, mostOfSentence))}… ${shortened(behind)}`.trim();
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
  return text.length <= mostAtOnce ? spoken(text) : `${spoken(text.slice(0, mostAtOnce))}…`;
}

function spoken(markdown: string): string {
  return markdown
    .replace(/^[ \t]*(?:```|~~~).*$/gmu, " ")
    .replace(/^[ \t]*(?:#{1,6}|>|[-*+]|\d+\.)(?:[ \t]+|$)/gmu, "")
    .replace(/[*`|]+|__/gu, "")
    .replace(/\[([^\]]{0,300})\]\([^)]{0,1000}\)/gu, "$1")
    .replace(/\s+/gu, " ")
    .trim();
}

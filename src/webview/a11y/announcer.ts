/** A sentence longer than this is no prose: the rest of it is not spoken, as nobody could stop it. In UTF-16 units. */
const mostOfSentence = 1_000;
/** Nor is more than this spoken of what came at once; all of it can be read in the transcript. */
const mostAtOnce = 8_000;

/**
 * Cuts streamed text into whole sentences for the live region, so that a screen reader hears sentences and no tokens.
 * Every character is announced once, in order, but for what goes beyond all measure, for which "…" stands; Markdown signs
 * that only shape the text are left out.
 */
export class SentenceAnnouncer {
  /** What has not been announced; of a sentence that is too long its beginning and the last few characters. */
  #heard = "";
  #isCut = false;

  /** Adds streamed text and returns the sentences that are whole now; empty when there is none. */
  push(text: string): string {
    const heard = this.#heard + text;
    const end = endOfLastSentence(heard);
    const whole = end === 0 ? "" : this.#said(heard.slice(0, end));
    if (end > 0) this.#isCut = false;
    this.#keep(heard.slice(end));
    return whole;
  }

  /** Returns what is left, whole or not: the answer has ended. */
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

/** As much of a cut sentence as its end may be made of: the stop, closing signs, and the space behind. */
const endLength = 12;

/** A full stop and its kin count only when white space follows (in "3.14" and "a.ts" nothing ends); a line end always. */
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

/**
 * Loads the highlighter from its own file when the first block of code closes, and works when the browser is idle, one
 * block at a time, so that a streaming answer is not held up; once it is there, a short block is coloured at once, which
 * spares drawing it twice. Where it cannot be loaded, code stays plain.
 */
import type { CodeToken, HighlightCode } from "./codeTokens.ts";
import { loadFunction } from "../loadModule.ts";

/** So much is coloured at once in one drawing, in UTF-16 units; it takes a few milliseconds. */
const atOnceLength = 4_000;

/** Gives the tokens of code; null when there is nothing to colour. */
export class Highlighter {
  readonly #address: string;
  #loading: Promise<HighlightCode | null> | null = null;
  #highlight: HighlightCode | null = null;
  #atOnceLeft = atOnceLength;

  /** `address` is that of the highlighter's file, as the host knows it. */
  constructor(address: string) {
    this.#address = address;
  }

  /** At once, where that costs next to nothing; undefined where {@link tokens} is to be asked. */
  tokensNow(language: string, code: string): readonly CodeToken[] | null | undefined {
    if (language === "" || code === "") return null;
    if (this.#highlight === null || code.length > this.#atOnceLeft) return undefined;
    if (this.#atOnceLeft === atOnceLength) queueMicrotask(() => (this.#atOnceLeft = atOnceLength));
    this.#atOnceLeft -= code.length;
    return this.#highlight(language, code);
  }

  /** Later, when the browser has time. */
  async tokens(language: string, code: string): Promise<readonly CodeToken[] | null> {
    if (language === "" || code === "") return null;
    this.#loading ??= loadFunction(this.#address, "colourCode", isHighlight);
    const highlight = await this.#loading;
    this.#highlight = highlight;
    if (highlight === null) return null;
    await idle();
    return highlight(language, code);
  }
}

function isHighlight(value: unknown): value is HighlightCode {
  return typeof value === "function";
}

function idle(): Promise<void> {
  return new Promise((resolve) => requestIdleCallback(() => resolve(), { timeout: 500 }));
}

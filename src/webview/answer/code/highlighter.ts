/**
 * Loads the highlighter bundle when the first code block closes, and highlights in idle time, one block at a time, so
 * that a streaming answer is not delayed. Once loaded, it highlights short blocks synchronously, which saves a second
 * render. If loading fails, code stays plain.
 */
import type { CodeToken, HighlightCode } from "./codeTokens.ts";
import { loadFunction } from "../loadModule.ts";

/** Code highlighted synchronously per render, in UTF-16 units; takes a few milliseconds. */
const maxSyncLength = 4_000;

/** Both methods return null when there is nothing to colour. */
export class Highlighter {
  readonly #url: string;
  #loading: Promise<HighlightCode | null> | null = null;
  #highlight: HighlightCode | null = null;
  #syncLengthLeft = maxSyncLength;

  /** `address` is the URL of the highlighter bundle, as given by the host. */
  constructor(url: string) {
    this.#url = url;
  }

  /** Synchronous result where that is cheap; undefined where {@link tokens} must be used. */
  tokensSync(language: string, code: string): readonly CodeToken[] | null | undefined {
    if (language === "" || code === "") return null;
    if (this.#highlight === null || code.length > this.#syncLengthLeft) return undefined;
    if (this.#syncLengthLeft === maxSyncLength) queueMicrotask(() => (this.#syncLengthLeft = maxSyncLength));
    this.#syncLengthLeft -= code.length;
    return this.#highlight(language, code);
  }

  /** Highlights in idle time. */
  async tokens(language: string, code: string): Promise<readonly CodeToken[] | null> {
    if (language === "" || code === "") return null;
    this.#loading ??= loadFunction(this.#url, "colourCode", isHighlight);
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

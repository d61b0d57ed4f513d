/**
 * Loads the highlighter from its own file when the first block of code closes, and works when the browser is idle, one
 * block at a time, so that a streaming answer is not held up. Where it can not be loaded, code stays plain.
 */
import type { CodeToken, HighlightCode } from "./codeTokens.ts";

/** Gives the tokens of code, later; null when there is nothing to colour. */
export class Highlighter {
  readonly #address: string;
  #loading: Promise<HighlightCode | null> | null = null;

  /** `address` is that of the highlighter's file, as the host knows it. */
  constructor(address: string) {
    this.#address = address;
  }

  async tokens(language: string, code: string): Promise<readonly CodeToken[] | null> {
    if (language === "" || code === "" || this.#address === "") return null;
    this.#loading ??= load(this.#address);
    const highlight = await this.#loading;
    if (highlight === null) return null;
    await idle();
    return highlight(language, code);
  }
}

async function load(address: string): Promise<HighlightCode | null> {
  const module: unknown = await import(address).catch((error: unknown) => {
    reportError(error);
    return null;
  });
  return hasHighlight(module) ? module.highlight : null;
}

function hasHighlight(module: unknown): module is { highlight: HighlightCode } {
  return typeof module === "object" && module !== null && "highlight" in module;
}

function idle(): Promise<void> {
  return new Promise((resolve) => requestIdleCallback(() => resolve(), { timeout: 500 }));
}

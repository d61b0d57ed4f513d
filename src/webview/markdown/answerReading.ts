/** Reads an answer frame by frame: at a time a part of a long one, and what took long to read is drawn in the next. */
import { MarkdownBlocks } from "./markdownBlocks.ts";
import type { Block } from "./markdownTree.ts";

/** Reading that takes longer leaves no time to draw before a reader notices. */
const longMs = 20;

/** The blocks of one answer, which may grow. */
export class AnswerReading {
  readonly #markdown = new MarkdownBlocks();
  #text: string | undefined;
  #parts: Generator<undefined, readonly Block[]> | undefined;
  /** Read, and not drawn yet. */
  #next: readonly Block[] | undefined;
  #blocks: readonly Block[] | null = null;

  /** What is to be drawn now; null before all of it was read for the first time. */
  get blocks(): readonly Block[] | null {
    return this.#blocks;
  }

  /** Does what is done in one frame for `text`, the answer as it is now. Whether that was all. */
  step(text: string): boolean {
    const startMs = performance.now();
    if (this.#next !== undefined) {
      this.#blocks = this.#next;
      this.#next = undefined;
    } else if (this.#parts !== undefined || this.#text !== text) {
      if (this.#parts === undefined) this.#text = text;
      this.#parts ??= this.#markdown.reading(text);
      const { done, value } = this.#parts.next();
      if (done !== true) return false;
      this.#parts = undefined;
      if (performance.now() - startMs > longMs) this.#next = value;
      else this.#blocks = value;
    }
    return this.#next === undefined && this.#text === text;
  }
}

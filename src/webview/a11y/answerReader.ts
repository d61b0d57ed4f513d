import { MarkdownBlocks } from "../answer/markdown/markdownBlocks.ts";
import { words } from "../words/words.ts";
import { spokenLines } from "./spokenBlocks.ts";

/** "." and the like end a sentence only before white space ("3.14" goes on); CJK stops always do. */
const sentenceEnds = /[.!?…]["'”’)\]]{0,10}(?:\s+|$)|[。！？]["'”’」』）]{0,10}\s*/gu;
/** Text up to here is read: what follows may still become something else. */
const stops = /\n|[.!?…]["'”’)\]*_`]{0,10}\s|[。！？]["'”’」』）*_]{0,10}/gu;
/** Characters from a full stop to the white space behind it, at most. */
const longestStop = 12;
const itemNumber = /^\d+\.\s*$/;
/** Signs that may be Markdown of which the end is missing. */
const openMarkup = /[*_`~[\]]/;

/** Longest text that is read out; a longer one is read in the editor. In UTF-16 units. */
const maxRead = 30_000;

/** Reads a growing answer: each line and each sentence of what is drawn once, when it is finished. */
export class AnswerReader {
  readonly #markdown = new MarkdownBlocks();
  /** Blocks, lines of the next block, and sentences of its next line that were read. */
  #blocks = 0;
  #lines = 0;
  #sentences = 0;
  #isOver = false;

  /** The words that `added`, the end of `text`, has finished. */
  grow(text: string, added: string): string {
    const from = Math.max(0, text.length - added.length - longestStop);
    let end = 0;
    for (const match of text.slice(from).matchAll(stops)) end = from + match.index + match[0].length;
    return end === 0 ? "" : this.#read(text.slice(0, end), false);
  }

  /** The rest, finished or not. More may follow. */
  finish(text: string): string {
    return this.#read(text, true);
  }

  #read(text: string, isFinished: boolean): string {
    if (this.#isOver) return "";
    if (text.length > maxRead) {
      this.#isOver = true;
      return words.spokenTooLong;
    }
    const blocks = this.#markdown.update(text);
    const said: string[] = [];
    for (; this.#blocks < blocks.length; this.#blocks++, this.#lines = 0) {
      const block = blocks[this.#blocks];
      if (block === undefined) break;
      const isOpenBlock = this.#blocks === blocks.length - 1;
      const isClosedCode = block.kind === "code" && block.closed;
      const lines = spokenLines(block);
      for (; this.#lines < lines.length; this.#lines++, this.#sentences = 0) {
        const sentences = sentencesOf(lines[this.#lines] ?? "");
        const isOpen = isOpenBlock && this.#lines === lines.length - 1;
        if (!isOpen) {
          said.push(...sentences.slice(this.#sentences));
          continue;
        }
        const end =
          isFinished || isClosedCode ? sentences.length : block.kind === "code" ? 0 : finished(sentences, text);
        said.push(...sentences.slice(this.#sentences, end));
        this.#sentences = Math.max(this.#sentences, end);
        return said.join(" ");
      }
      if (isOpenBlock) break; // without lines, such as a ruler
    }
    return said.join(" ");
  }
}

/** Number of sentences that no further text can change. The last one may go on where no white space follows. */
function finished(sentences: readonly string[], text: string): number {
  const unclear = sentences.findIndex((sentence) => openMarkup.test(sentence));
  const isEnded = /\s$/.test(text) && /[.!?…。！？]["'”’)\]]{0,10}$/u.test(sentences.at(-1) ?? "");
  const whole = isEnded || /[。！？]$/u.test(text) ? sentences.length : sentences.length - 1;
  return unclear < 0 ? whole : Math.min(unclear, whole);
}

function sentencesOf(line: string): readonly string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const match of line.matchAll(sentenceEnds)) {
    const end = match.index + match[0].length;
    if (start === 0 && itemNumber.test(line.slice(0, end)) && end < line.length) continue;
    sentences.push(line.slice(start, end).trimEnd());
    start = end;
  }
  if (start < line.length) sentences.push(line.slice(start));
  return sentences;
}

/**
 * Marks words in the rows without touching their elements: ranges that the browser paints. What is drawn later, as rows
 * that are scrolled to or a result that is loaded, is marked when it is there.
 */

import { UNFOLD_EVENT } from "./codeFold.ts";

/** So many ranges at most: a word that is everywhere must not slow the page. */
const mostRanges = 2_000;
/** The names under which the style sheet knows them. */
const all = "forge-found";
const present = "forge-found-present";

const letter = /[\p{L}\p{N}]/u;
/** Scripts in which a word may begin at any character. */
const beginsAnywhere = /^[\p{Lu}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** The marks of one page. To be ended. */
export class FindMarks {
  readonly #document: Document;
  readonly #observer: MutationObserver;
  #frame = 0;
  #words: readonly string[] = [];
  #rowId: string | null = null;
  /** The present row's first mark is still to be brought into sight. */
  #isToBeSeen = false;

  constructor(page: Document) {
    this.#document = page;
    this.#observer = new MutationObserver(() => {
      this.#markSoon();
    });
    this.#observer.observe(page.body, { subtree: true, childList: true, characterData: true });
  }

  /** Marks `words`, and those of the row `rowId` as the present ones, of which the first is brought into sight. */
  show(words: ReadonlySet<string>, rowId: string | null): void {
    this.#words = [...words].sort((one, other) => other.length - one.length);
    this.#isToBeSeen = rowId !== null;
    this.#rowId = rowId;
    this.#markSoon();
  }

  /** Takes all marks away. */
  end(): void {
    this.#observer.disconnect();
    cancelAnimationFrame(this.#frame);
    CSS.highlights.delete(all);
    CSS.highlights.delete(present);
  }

  #markSoon(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      this.#mark();
    });
  }

  #mark(): void {
    const others = new Highlight();
    const here = new Highlight();
    here.priority = 1;
    let first: Range | undefined;
    for (const row of this.#words.length === 0 ? [] : this.#document.querySelectorAll<HTMLElement>("[data-row-id]")) {
      const isPresent = row.dataset["rowId"] === this.#rowId;
      for (const range of rangesIn(row, this.#words)) {
        if (others.size + here.size >= mostRanges) break;
        (isPresent ? here : others).add(range);
        if (isPresent) first ??= range;
      }
    }
    CSS.highlights.set(all, others);
    CSS.highlights.set(present, here);
    if (first !== undefined && this.#isToBeSeen) {
      const folded = first.startContainer.parentElement?.closest("pre.folded");
      if (folded != null) {
        folded.dispatchEvent(new Event(UNFOLD_EVENT)); // when it is unfolded, it is marked again
        return;
      }
      this.#isToBeSeen = false;
      this.#bringIntoSight(first);
    }
  }

  #bringIntoSight(range: Range): void {
    const log = this.#document.querySelector<HTMLElement>('[role="log"]');
    if (log === null) return;
    const [box, view] = [range.getBoundingClientRect(), log.getBoundingClientRect()];
    if (box.top < view.top || box.bottom > view.bottom) log.scrollTop += box.top - view.top - view.height / 3;
  }
}

/** The places of words in an element; a word may go on in the next piece of text, as where a part of it is bold. */
function rangesIn(row: HTMLElement, words: readonly string[]): readonly Range[] {
  const { text, pieces } = textOf(row);
  const ranges: Range[] = [];
  const taken = new Set<number>();
  for (const word of words) {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
      if (taken.has(at) || !mayBeginAt(text, at, word)) continue;
      taken.add(at);
      ranges.push(rangeOf(pieces, at, at + word.length));
    }
  }
  return ranges;
}

function mayBeginAt(text: string, at: number, word: string): boolean {
  return at === 0 || beginsAnywhere.test(word) || !letter.test(text.charAt(at - 1)) || !letter.test(word.charAt(0));
}

interface Piece {
  readonly node: Text;
  /** Where it begins in the row's text. */
  readonly start: number;
}

function textOf(row: HTMLElement): { readonly text: string; readonly pieces: readonly Piece[] } {
  const walker = row.ownerDocument.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  const pieces: Piece[] = [];
  let text = "";
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node instanceof Text) || node.parentElement?.closest(".spoken-only") !== null) continue;
    pieces.push({ node, start: text.length });
    text += node.data;
  }
  return { text, pieces };
}

function rangeOf(pieces: readonly Piece[], start: number, end: number): Range {
  const range = new Range();
  const from = pieces.findLast((piece) => piece.start <= start);
  const to = pieces.findLast((piece) => piece.start < end);
  if (from !== undefined) range.setStart(from.node, start - from.start);
  if (to !== undefined) range.setEnd(to.node, end - to.start);
  return range;
}

/**
 * Highlights words in the rows without touching their elements: ranges that the browser paints. Content that is drawn
 * later, as rows scrolled to or a loaded result, is marked then; unchanged content is not searched again.
 */

import { UNFOLD_EVENT } from "../answer/code/codeFold.ts";

/** Limit: a frequent word must not slow the page. */
const maxRanges = 2_000;
/** Highlight names in the style sheet. */
const foundHighlight = "forge-found";
const currentHighlight = "forge-found-present";

const letter = /[\p{L}\p{N}]/u;
/** Capitals, and scripts in which a word may begin at any character. */
const beginsAnywhere = /^[\p{Lu}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Elements searched separately, so that a growing answer costs only its last chunk. */
const part = ".chunk,[data-row-id]";

/** Highlights of a page; call `end` when done. */
export class FindHighlights {
  readonly #document: Document;
  readonly #observer: MutationObserver;
  #frame = 0;
  #words: readonly string[] = [];
  #rowId: string | null = null;
  /** The first highlight of the current row has yet to be scrolled into view. */
  #needsScroll = false;
  readonly #otherRanges = new Highlight();
  readonly #currentRanges = new Highlight();
  /** Ranges of each part that was searched. */
  readonly #marked = new Map<Element, readonly Range[]>();
  /** Parts to search at the next frame. */
  readonly #changed = new Set<Element>();
  /** Parts without ranges, as the limit was reached. */
  readonly #overLimit = new Set<Element>();

  constructor(page: Document) {
    this.#document = page;
    this.#currentRanges.priority = 1;
    CSS.highlights.set(foundHighlight, this.#otherRanges);
    CSS.highlights.set(currentHighlight, this.#currentRanges);
    this.#observer = new MutationObserver((records) => {
      for (const { target, addedNodes } of records) this.#note(target, addedNodes);
    });
    const attributeFilter = ["data-row-id"];
    this.#observer.observe(page.body, { subtree: true, childList: true, characterData: true, attributeFilter });
  }

  /** Highlights `words`; those in row `rowId` are current, and the first of them is scrolled into view. */
  show(words: ReadonlySet<string>, rowId: string | null): void {
    this.#words = [...words].sort((one, other) => other.length - one.length);
    this.#needsScroll = rowId !== null;
    this.#rowId = rowId;
    this.#otherRanges.clear();
    this.#currentRanges.clear();
    this.#marked.clear();
    this.#overLimit.clear();
    this.#noteAllIn(this.#document.body);
    this.#markSoon();
  }

  /** Removes all highlights. */
  end(): void {
    this.#observer.disconnect();
    cancelAnimationFrame(this.#frame);
    CSS.highlights.delete(foundHighlight);
    CSS.highlights.delete(currentHighlight);
  }

  #note(target: Node, added: NodeList): void {
    const changed = (target instanceof Element ? target : target.parentElement)?.closest(part);
    if (changed != null) this.#changed.add(changed);
    for (const node of added) if (node instanceof Element) this.#noteAllIn(node);
    this.#markSoon();
  }

  #noteAllIn(element: Element): void {
    if (element.matches(part)) this.#changed.add(element);
    for (const inner of element.querySelectorAll(part)) this.#changed.add(inner);
  }

  #markSoon(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      this.#mark();
    });
  }

  #mark(): void {
    for (const element of this.#marked.keys()) if (!element.isConnected) this.#changed.add(element);
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const element of changed) this.#unmark(element);
    // Current ones first: a word that is everywhere must not take their place.
    for (const element of changed) if (this.#isCurrent(element)) this.#markIn(element, this.#currentRanges);
    for (const element of changed) if (!this.#isCurrent(element)) this.#markIn(element, this.#otherRanges);
    for (const element of this.#overLimit) {
      if (this.#room <= 0) break;
      this.#markIn(element, this.#isCurrent(element) ? this.#currentRanges : this.#otherRanges);
    }
    if (this.#needsScroll) this.#showFirst();
  }

  get #room(): number {
    return maxRanges - this.#otherRanges.size - this.#currentRanges.size;
  }

  #isCurrent(element: Element): boolean {
    return element.closest<HTMLElement>("[data-row-id]")?.dataset["rowId"] === this.#rowId;
  }

  #unmark(element: Element): void {
    for (const range of this.#marked.get(element) ?? []) {
      this.#otherRanges.delete(range);
      this.#currentRanges.delete(range);
    }
    this.#marked.delete(element);
    this.#overLimit.delete(element);
  }

  #markIn(element: Element, marks: Highlight): void {
    this.#overLimit.delete(element);
    if (!element.isConnected || this.#words.length === 0) return;
    const room = this.#room;
    if (room <= 0) {
      this.#overLimit.add(element);
      return;
    }
    const ranges = rangesIn(element, this.#words).slice(0, room);
    for (const range of ranges) marks.add(range);
    this.#marked.set(element, ranges);
  }

  #showFirst(): void {
    const [first] = [...this.#currentRanges].sort(byPlace);
    if (!(first instanceof Range)) return;
    const folded = first.startContainer.parentElement?.closest("pre.folded");
    if (folded != null) {
      folded.dispatchEvent(new Event(UNFOLD_EVENT)); // unfolding triggers another pass
      return;
    }
    this.#needsScroll = false;
    this.#bringIntoSight(first);
  }

  #bringIntoSight(range: Range): void {
    const log = this.#document.querySelector<HTMLElement>('[role="log"]');
    if (log === null) return;
    const [box, view] = [range.getBoundingClientRect(), log.getBoundingClientRect()];
    if (box.top < view.top || box.bottom > view.bottom) log.scrollTop += box.top - view.top - view.height / 3;
  }
}

function byPlace(one: AbstractRange, other: AbstractRange): number {
  if (!(one instanceof Range) || !(other instanceof Range)) return 0;
  return one.compareBoundaryPoints(Range.START_TO_START, other);
}

/** Ranges of the words in a part; a word may span text nodes, for example if some of it is bold. */
function rangesIn(element: Element, words: readonly string[]): readonly Range[] {
  const { text, pieces } = textOf(element);
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
  /** Offset in the part's text. */
  readonly start: number;
}

/** Text of a part, without nested parts and without text for screen readers only. */
function textOf(element: Element): { readonly text: string; readonly pieces: readonly Piece[] } {
  const walker = element.ownerDocument.createTreeWalker(
    element,
    NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT,
    (node) =>
      node instanceof Text
        ? NodeFilter.FILTER_ACCEPT
        : node instanceof Element && node.matches(`.spoken-only,${part}`)
          ? NodeFilter.FILTER_REJECT
          : NodeFilter.FILTER_SKIP,
  );
  const pieces: Piece[] = [];
  let text = "";
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue;
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

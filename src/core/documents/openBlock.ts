/**
 * Finds what a Markdown text leaves open at its end (a fence, a comment, an element), so that text after it is not taken
 * for a part of it. Follows the blocks of CommonMark line by line: quotes and list items with their lazy lines, fences,
 * HTML blocks. What is open inside a quote or a list item ends with it.
 */

/** What must stand between `text` and the next block; empty when nothing is open. */
export function closingOf(text: string): string {
  if (!MAY_OPEN.test(text)) return "";
  const blocks = new OpenBlocks();
  for (const line of text.split(/\r\n?|\n/)) blocks.read(line);
  return blocks.closing;
}

const MAY_OPEN = /```|~~~|</;

/** Contains the lines up to its end as they are. */
interface Verbatim {
  readonly kind: "fence" | "html";
  readonly isEnd: (line: string) => boolean;
  /** Ends it; empty when a blank line does. */
  readonly closing: string;
}

/** A lazy line continues a paragraph although it continues none of its containers. */
type Leaf = Verbatim | { readonly kind: "paragraph" };

/** `columns` of a list item: those before its content; a quote has none. */
interface Container {
  readonly columns: number | undefined;
  /** A list item without any text yet. */
  isEmpty: boolean;
}

/** More levels than anybody writes: what is nested deeper is read as text. */
const MOST_LEVELS = 20;
/** More open elements than a browser shows apart. */
const MOST_ELEMENTS = 100;

class OpenBlocks {
  readonly #containers: Container[] = [];
  #leaf: Leaf | undefined;
  /** Names of the elements without an end tag, outermost first. */
  readonly #elements: string[] = [];

  get closing(): string {
    const leaf = this.#leaf;
    const isOpen = this.#containers.length === 0 && leaf !== undefined && leaf.kind !== "paragraph";
    const end = isOpen && leaf.closing !== "" ? `\n${leaf.closing}` : "";
    const tags = this.#elements.toReversed().map((name) => `</${name}>`);
    return tags.length === 0 ? end : `${end}\n\n${tags.join("\n")}`;
  }

  read(raw: string): void {
    const { rest, matched } = this.#matchContainers(expandTabs(raw));
    const leaf = this.#leaf;
    const isWithin = matched === this.#containers.length;
    if (leaf === undefined || leaf.kind === "paragraph") this.#begin(rest, matched, isWithin);
    else if (!isWithin) {
      this.#closeFrom(matched);
      this.#begin(rest, matched, true);
    } else {
      if (leaf.isEnd(rest)) this.#leaf = undefined;
      if (leaf.closing === "") this.#countTags(rest);
    }
  }

  /** The line inside the containers that it continues, and their number. */
  #matchContainers(line: string): { readonly rest: string; readonly matched: number } {
    let rest = line;
    let matched = 0;
    for (const { columns, isEmpty } of this.#containers) {
      if (columns === undefined) {
        const marker = QUOTE.exec(rest);
        if (marker === null) break;
        rest = rest.slice(marker[0].length);
      } else if (isBlank(rest) ? !isEmpty : indentOf(rest) >= columns) rest = rest.slice(columns);
      else break;
      matched++;
    }
    return { rest, matched };
  }

  #closeFrom(level: number): void {
    if (level === this.#containers.length) return;
    this.#containers.length = level;
    this.#leaf = undefined;
  }

  #begin(line: string, matched: number, isWithin: boolean): void {
    let rest = line;
    let mayInterrupt = isWithin && this.#leaf?.kind === "paragraph";
    let isNew = false;
    for (let level = matched; level < MOST_LEVELS; level++) {
      const found = containerAt(rest, mayInterrupt);
      if (found === undefined) break;
      if (!isNew) this.#closeFrom(matched);
      this.#leaf = undefined;
      this.#containers.push({ columns: found.columns, isEmpty: isBlank(found.rest) });
      rest = found.rest;
      [isNew, mayInterrupt] = [true, false];
    }
    const level = isNew ? this.#containers.length : matched;
    if (isBlank(rest)) {
      this.#closeFrom(level);
      this.#leaf = undefined;
      return;
    }
    for (const container of this.#containers.slice(0, level)) container.isEmpty = false;
    const isParagraph = this.#leaf?.kind === "paragraph";
    const isCode = !isParagraph && indentOf(rest) >= CODE_INDENT;
    const verbatim = verbatimAt(rest, isParagraph);
    const endsParagraph = verbatim !== undefined || isHeadingOrRule(rest, isParagraph && isWithin && !isNew);
    if (endsParagraph || !isParagraph) {
      this.#closeFrom(level);
      this.#leaf = endsParagraph || isCode ? undefined : { kind: "paragraph" };
    }
    if (verbatim !== undefined && (verbatim.kind === "fence" || !verbatim.isEnd(rest))) this.#leaf = verbatim;
    if (!isCode && (verbatim === undefined || verbatim.closing === "")) this.#countTags(rest);
  }

  #countTags(line: string): void {
    for (const [, slash, name = ""] of withoutCodeSpans(line).matchAll(TAG)) {
      const tag = name.toLowerCase();
      if (!ENCLOSING.has(tag)) continue;
      const last = this.#elements.lastIndexOf(tag);
      if (slash === "" && this.#elements.length < MOST_ELEMENTS) this.#elements.push(tag);
      else if (slash !== "" && last >= 0) this.#elements.length = last;
    }
  }
}

const QUOTE = /^ {0,3}> ?/;
const LIST_MARKER = /^( {0,3}(?:[-+*]|(\d{1,9})[.)]))( +|$)/;
const CODE_INDENT = 4;

function containerAt(
  line: string,
  isInParagraph: boolean,
): { readonly columns: number | undefined; readonly rest: string } | undefined {
  const quote = QUOTE.exec(line);
  if (quote !== null) return { columns: undefined, rest: line.slice(quote[0].length) };
  const item = LIST_MARKER.exec(line);
  if (item === null || isThematicBreak(line)) return undefined;
  const [, marker = "", number, blanks = ""] = item;
  const rest = line.slice(marker.length);
  const isEmpty = isBlank(rest);
  if (isInParagraph && (isEmpty || (number !== undefined && Number(number) !== 1))) return undefined;
  const columns = marker.length + (isEmpty || blanks.length > CODE_INDENT ? 1 : blanks.length);
  return { columns, rest: line.slice(columns) };
}

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

function verbatimAt(line: string, isInParagraph: boolean): Verbatim | undefined {
  const [, fence = "", info = ""] = FENCE.exec(line) ?? [];
  if (fence !== "" && !(fence.startsWith("`") && info.includes("`"))) {
    return { kind: "fence", isEnd: (end) => endsFence(end, fence), closing: fence };
  }
  for (const { start, end, closing } of HTML_BLOCKS) {
    const name = start.exec(line)?.[1];
    if (name !== undefined) return { kind: "html", isEnd: (last) => end.test(last), closing: closing ?? `</${name}>` };
  }
  const isBlock = HTML_UNTIL_BLANK.test(line) || (!isInParagraph && ONLY_A_TAG.test(line));
  return isBlock ? { kind: "html", isEnd: isBlank, closing: "" } : undefined;
}

function endsFence(line: string, fence: string): boolean {
  const marker = line.trim();
  return indentOf(line) < CODE_INDENT && marker.length >= fence.length && isAll(marker, fence.charAt(0));
}

/** HTML that ends with a mark of its own. The first group is the name of an element. */
const HTML_BLOCKS: readonly { readonly start: RegExp; readonly end: RegExp; readonly closing?: string }[] = [
  { start: /^ {0,3}<(script|pre|style|textarea)(?:[\s>]|$)/i, end: /<\/(?:script|pre|style|textarea)>/i },
  { start: /^ {0,3}<!--()/, end: /-->/, closing: "-->" },
  { start: /^ {0,3}<\?()/, end: /\?>/, closing: "?>" },
  { start: /^ {0,3}<![A-Za-z]()/, end: />/, closing: ">" },
  { start: /^ {0,3}<!\[CDATA\[()/, end: /\]\]>/, closing: "]]>" },
];

/** Element names of CommonMark that begin a block which a blank line ends. */
const BLOCK_NAMES =
  "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|" +
  "fieldset|figcaption|figure|footer|form|frame|frameset|h1|h2|h3|h4|h5|h6|head|header|hr|html|iframe|legend|li|link|" +
  "main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|" +
  "title|tr|track|ul";
const HTML_UNTIL_BLANK = new RegExp(`^ {0,3}</?(?:${BLOCK_NAMES})(?:\\s|/?>|$)`, "i");
const ONLY_A_TAG = /^ {0,3}<\/?[a-z][a-z0-9-]*(?:[\s/][^<>]*)?>\s*$/i;

const TAG = /<(\/?)([a-z][a-z0-9]*)(?:[\s/][^<>]*)?>/gi;
/** Elements that take in what follows until their end tag, block by block. */
const ENCLOSING = new Set(
  [
    "details",
    "summary",
    "div",
    "table",
    "blockquote",
    "center",
    "ul",
    "ol",
    "dl",
    "section",
    "article",
    "dialog",
  ].concat([
    "a",
    "b",
    "i",
    "em",
    "strong",
    "s",
    "del",
    "ins",
    "u",
    "sub",
    "sup",
    "small",
    "code",
    "kbd",
    "font",
    "select",
  ]),
);

function withoutCodeSpans(line: string): string {
  return line.includes("`") ? line.replace(/`+/g, "`").replace(/`[^`]*`/g, "") : line;
}

/** A heading or a rule; in a paragraph also the line below a heading. */
function isHeadingOrRule(line: string, isInParagraph: boolean): boolean {
  if (indentOf(line) >= CODE_INDENT) return false;
  return HEADING.test(line) || isThematicBreak(line) || (isInParagraph && UNDERLINE.test(line));
}

const HEADING = /^ {0,3}#{1,6}(?: |$)/;
const UNDERLINE = /^ {0,3}(?:=+|-+) *$/;

function isThematicBreak(line: string): boolean {
  if (indentOf(line) >= CODE_INDENT) return false;
  return RULES.some(({ other, marks }) => !other.test(line) && marks.test(line));
}

const RULES = [
  { other: /[^ -]/, marks: /- *- *-/ },
  { other: /[^ *]/, marks: /\* *\* *\*/ },
  { other: /[^ _]/, marks: /_ *_ *_/ },
];

function isAll(text: string, character: string): boolean {
  return text !== "" && text.replaceAll(character, "") === "";
}

function isBlank(line: string): boolean {
  return line.trim() === "";
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** With tab stops of four columns. */
function expandTabs(line: string): string {
  if (!line.includes("\t")) return line;
  let columns = 0;
  return line.replace(/[^\t]*\t/g, (cell) => {
    const text = cell.slice(0, -1);
    const width = 4 - ((columns + text.length) % 4);
    columns += text.length + width;
    return text + " ".repeat(width);
  });
}

/** Words of an answer that are read out: those that are drawn, without marks, rulers and addresses. */
import type { Block, Inline, List, ListItem, Table } from "../answer/markdown/markdownTree.ts";
import { words } from "../words/words.ts";

/** Lines of a block, each read out as a whole: a paragraph, an item, a row, a piece of code. */
export function spokenLines(block: Block): readonly string[] {
  return linesOf(block).map(tidy);
}

function linesOf(block: Block): readonly string[] {
  switch (block.kind) {
    case "paragraph":
    case "heading":
      return [spokenInlines(block.inlines)];
    case "code":
      return [words.spokenCode(block.language, block.text)];
    case "quote":
      return block.blocks.flatMap(linesOf);
    case "list":
      return block.items.flatMap((item, index) => itemLines(block, item, index));
    case "table":
      return tableLines(block);
    case "rule":
      return [];
    case "formula":
      return [block.tex];
    case "verbatim":
    case "plain":
      return [block.text];
  }
}

function itemLines({ start }: List, { task, blocks }: ListItem, index: number): readonly string[] {
  const number = start === null ? "" : `${String(start + index)}. `;
  const state = task === null ? "" : `${task === "done" ? words.done : words.notDone}: `;
  const [first = "", ...rest] = blocks.flatMap(linesOf);
  return [number + state + first, ...rest];
}

/** Each row with the name of each column, as it is looked up by those who see it. */
function tableLines({ header, rows }: Table): readonly string[] {
  const names = header.map(spokenInlines);
  const cellWords = (cell: readonly Inline[], column: number): string => {
    const name = names[column] ?? "";
    return name === "" ? spokenInlines(cell) : `${name}: ${spokenInlines(cell)}`;
  };
  return [words.spokenTable(names.length), ...rows.map((row) => `${row.map(cellWords).join(", ")}.`)];
}

export function spokenInlines(inlines: readonly Inline[]): string {
  return inlines.map(spokenInline).join("");
}

function spokenInline(inline: Inline): string {
  switch (inline.kind) {
    case "text":
    case "code":
      return inline.text;
    case "strong":
    case "emphasis":
    case "strike":
      return spokenInlines(inline.inlines);
    case "break":
      return " ";
    case "formula":
      return inline.tex;
    case "conversation":
      return spokenInlines(inline.inlines);
    case "link":
      return linkWords(spokenInlines(inline.inlines), inline.address);
    case "message":
      return inline.inlines.length === 0
        ? words.covered(inline.messageId, inline.messageId)
        : spokenInlines(inline.inlines);
    case "image":
      return `${words.image} ${inline.alt}`;
  }
}

/** An address that stands for itself is read by its host. */
function linkWords(text: string, address: string): string {
  const isAddress = text.includes("://") && (text === address || address.startsWith(text));
  if (!isAddress || !URL.canParse(text)) return text;
  return words.spokenLink(new URL(text).host);
}

function tidy(line: string): string {
  return line.replace(/\s+/gu, " ").trim();
}

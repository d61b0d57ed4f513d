/** Turns tokens of the Markdown lexer into blocks of the fixed list. Pure. */
import { decodeHTMLStrict } from "entities/decode";
import type { MarkedToken, Token, Tokens } from "marked";
import { parseConversationAddress } from "../../../protocol/conversationLink.ts";
import { safeLink } from "../safeLink.ts";
import { codeInfo } from "./codeInfo.ts";
import { drawnSize } from "./drawnSize.ts";
import { isFormula } from "./formulaTokens.ts";
import type { DocumentToken } from "./lexMarkdown.ts";
import type { Block, Inline, ListItem } from "./markdownTree.ts";

/** Level of a turn's heading; headings in an answer are below it. */
export const turnHeadingLevel = 2;

/** Level of the last heading, so that the next is at most one deeper. One object per answer. */
export interface HeadingLevels {
  last: number;
}

/** Elements and text nodes per block: a growing list or table is compared and laid out as a whole. */
const maxElementsPerBlock = 5_000;

/** Blocks of an answer, in the order of `tokens`; updates `levels`. */
export function blocksOf(tokens: readonly Token[], levels: HeadingLevels): Block[] {
  return tokens.flatMap((token) => {
    const block = blockFrom(token, levels);
    if (block === null) return [];
    const hasOwnLimit = block.kind === "code" || block.kind === "formula";
    return hasOwnLimit || drawnSize(block) <= maxElementsPerBlock
      ? [block]
      : [{ kind: "plain", text: token.raw.trimEnd() }];
  });
}

function innerBlocks(tokens: readonly Token[], levels: HeadingLevels): Block[] {
  return tokens.map((token) => blockFrom(token, levels)).filter((block) => block !== null);
}

function blockFrom(token: Token, levels: HeadingLevels): Block | null {
  return isFormula(token) ? token.formula : blockOf(known(token), levels);
}

/** Except for formulas, the lexer makes only its own tokens; its type also allows those of other extensions. */
function known(token: Token): MarkedToken {
  return token as MarkedToken;
}

function blockOf(token: MarkedToken, levels: HeadingLevels): Block | null {
  switch (token.type) {
    case "heading": {
      levels.last = Math.min(levels.last + 1, token.depth + turnHeadingLevel, 6);
      return { kind: "heading", depth: token.depth, level: levels.last, inlines: inlinesOf(token.tokens) };
    }
    case "code":
      return codeOf(token);
    case "blockquote":
      return { kind: "quote", blocks: innerBlocks(token.tokens, levels) };
    case "list":
      return {
        kind: "list",
        start: token.ordered && token.start !== "" ? token.start : null,
        items: token.items.map((item) => itemOf(item, levels)),
      };
    case "table":
      return {
        kind: "table",
        align: token.align,
        header: token.header.map((cell) => inlinesOf(cell.tokens)),
        rows: token.rows.map((row) => row.map((cell) => inlinesOf(cell.tokens))),
      };
    case "hr":
      return { kind: "rule" };
    case "html":
      return { kind: "verbatim", text: token.raw.trimEnd() };
    case "paragraph":
      return { kind: "paragraph", inlines: inlinesOf(token.tokens) };
    case "text":
      return { kind: "paragraph", inlines: inlinesOf(token.tokens ?? [token]) };
    case "space":
    case "def":
    case "checkbox":
      return null;
    default:
      // An inline token at block level: the lexer makes none, but its text must not be lost.
      return { kind: "paragraph", inlines: inlinesOf([token]) };
  }
}

function itemOf(item: Tokens.ListItem, levels: HeadingLevels): ListItem {
  const task = item.task ? (item.checked === true ? "done" : "open") : null;
  return { task, blocks: innerBlocks(item.tokens, levels), tight: !item.loose };
}

function inlinesOf(tokens: readonly Token[]): Inline[] {
  const inlines: Inline[] = [];
  for (const token of tokens) {
    const inline = isFormula(token) ? token.formula : inlineOf(known(token));
    if (inline !== null) inlines.push(inline);
  }
  return inlines;
}

function inlineOf(token: MarkedToken): Inline | null {
  switch (token.type) {
    case "strong":
      return { kind: "strong", inlines: inlinesOf(token.tokens) };
    case "em":
      return { kind: "emphasis", inlines: inlinesOf(token.tokens) };
    case "del":
      return { kind: "strike", inlines: inlinesOf(token.tokens) };
    case "codespan":
      return { kind: "code", text: token.text };
    case "br":
      return { kind: "break" };
    case "link": {
      const address = token.autolink === true ? token.href : decodeHTMLStrict(token.href);
      const number = /^#message-([1-9]\d{0,8})$/.exec(address)?.[1];
      const inlines = token.text === `message ${number ?? ""}` ? [] : inlinesOf(token.tokens);
      if (number !== undefined) return { kind: "message", messageId: Number(number) - 1, inlines };
      const place = parseConversationAddress(address);
      if (place !== undefined) return { kind: "conversation", place, inlines };
      return { kind: "link", href: safeLink(address), address, inlines };
    }
    case "image": {
      const address = decodeHTMLStrict(token.href);
      return { kind: "image", href: safeLink(address), address, alt: decodeHTMLStrict(token.text) };
    }
    case "text":
      return { kind: "text", text: decodeHTMLStrict(token.text) };
    case "escape":
      return { kind: "text", text: token.text };
    case "checkbox":
      return null;
    default: // raw HTML is text, except for the tag that alone gives a table cell a second line
      return /^<br *\/?>$/i.test(token.raw) ? { kind: "break" } : { kind: "text", text: token.raw };
  }
}

function codeOf(token: Tokens.Code): Block {
  const text = codeText(token.text);
  const { language, path } = codeInfo(token.lang, text);
  const isClosedFence = isDocument(token) ? !token.isOpen : isClosed(token);
  if (language === "math" && isClosedFence && text.trim() !== "") {
    return { kind: "formula", tex: text.trim(), source: text, display: true };
  }
  const block = { kind: "code", language, text, closed: isClosedFence } as const;
  return path === "" ? block : { ...block, path };
}

function codeText(text: string): string {
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}

function isDocument(token: Tokens.Code): token is DocumentToken {
  return "isOpen" in token;
}

/** An indented block has no fence and is closed; a fenced one if its last line is a fence at least as long. */
function isClosed(token: Tokens.Code): boolean {
  const opening = /^ {0,3}(`{3,}|~{3,})/.exec(token.raw)?.[1];
  if (opening === undefined) return true;
  const raw = token.raw.trimEnd();
  return raw.includes("\n") && raw.slice(raw.lastIndexOf("\n")).trim().startsWith(opening);
}

/**
 * Token counts of texts and messages in the two known encodings; the only place where text is counted.
 *
 * A provider's bill follows from these counts by its `CountingFormula`. Counts depend on content alone, so they are
 * stored with each message in the history index and not here. Never throws, on any string.
 */

import type { ImagePart, Message, Part, TokenCounts } from "../message.ts";
import type { BpeCounter } from "./bpe/bpeCounter.ts";
import { LiveCounter } from "./liveCounter.ts";
import type { EncodingName } from "./bpe/preTokenizer.ts";

/** UTF-16 units counted without yielding: a few milliseconds at worst, for both encodings together. */
const UNITS_A_SLICE = 4096;
/** Framing of a tool call or result: its id, its type, its place in the message. An estimate, rather too high. */
const TOOL_PART_TOKENS = 10;
/** Markers around an attachment's label and content. */
const ATTACHMENT_TOKENS = 12;

/** Its tables are shared by all conversations. */
export class TokenCounter {
  private readonly counters: Readonly<Record<EncodingName, BpeCounter>>;

  constructor(counters: Readonly<Record<EncodingName, BpeCounter>>) {
    this.counters = counters;
  }

  /** Synchronous: a megabyte of text takes some 100 ms, see {@link countInSlices}. */
  countText(text: string, encoding: EncodingName = "o200k"): number {
    return this.counters[encoding].count(text);
  }

  /** Tokens sent of a message, in both encodings, without the message's own framing; synchronous. */
  countMessage(message: Message): TokenCounts {
    return counts((encoding) => sum(sentBack(message), (part) => this.countPart(part, encoding)));
  }

  /** Like {@link countMessage}, but yields every few milliseconds of work; never for a short message. */
  async countInSlices(message: Message, yieldToHost: () => Promise<void>): Promise<TokenCounts> {
    const parts = sentBack(message);
    const fixed = sum(parts, fixedTokensOf);
    let cl100k = fixed;
    let o200k = fixed;
    let unitsLeft = UNITS_A_SLICE;
    for (const text of parts.flatMap(textsOf)) {
      for (const encoding of ENCODINGS) {
        for (let start = 0; start < text.length;) {
          if (unitsLeft <= 0) {
            await yieldToHost();
            unitsLeft = UNITS_A_SLICE;
          }
          const stretch = this.counters[encoding].countFrom(text, start, unitsLeft);
          if (encoding === "cl100k") cl100k += stretch.tokens;
          else o200k += stretch.tokens;
          unitsLeft -= stretch.end - start;
          start = stretch.end;
        }
      }
    }
    return { cl100k, o200k };
  }

  /** Incremental count of a streamed text. */
  live(encoding: EncodingName): LiveCounter {
    return new LiveCounter(this.counters[encoding]);
  }

  private countPart(part: Part, encoding: EncodingName): number {
    return fixedTokensOf(part) + sum(textsOf(part), (text) => this.countText(text, encoding));
  }
}

const ENCODINGS: readonly EncodingName[] = ["cl100k", "o200k"];

/** No provider gets unsigned thinking back, except before calls. */
function sentBack({ parts }: Message): readonly Part[] {
  if (parts.some(({ kind }) => kind === "toolCall")) return parts;
  return parts.filter((part) => part.kind !== "thinking" || part.signature !== undefined);
}

/** Texts of a part that a model reads. The signature of a thinking part is not billed. */
function textsOf(part: Part): readonly string[] {
  switch (part.kind) {
    case "text":
    case "thinking":
    case "toolResult":
      return [part.text];
    case "toolCall":
      return [part.name, part.inputJson];
    case "attachment":
      return [part.label, part.text];
    case "image":
      return [];
  }
}

/** Tokens of a part that do not come from its texts, equal in both encodings. */
function fixedTokensOf(part: Part): number {
  switch (part.kind) {
    case "text":
    case "thinking":
      return 0;
    case "toolCall":
    case "toolResult":
      return TOOL_PART_TOKENS;
    case "attachment":
      return ATTACHMENT_TOKENS;
    case "image":
      return imageTokens(part);
  }
}

const LARGEST_IMAGE_TOKENS = 1600;
const LONGEST_IMAGE_SIDE_PX = 1568;
const PIXELS_PER_TOKEN = 750;
/** Cost of the smallest image at the cheapest setting of the providers that bill by tiles. */
const SMALLEST_IMAGE_TOKENS = 85;

/**
 * Anthropic's published rule: width × height / 750 after scaling the longer side down to 1,568 px. That is above
 * OpenAI's price except for very long strips. At most 1,600 tokens, also used when the size is unknown.
 */
export function imageTokens(image: Pick<ImagePart, "widthPx" | "heightPx">): number {
  const { widthPx, heightPx } = image;
  if (widthPx === undefined || heightPx === undefined || !(widthPx > 0 && heightPx > 0)) return LARGEST_IMAGE_TOKENS;
  const scale = Math.min(1, LONGEST_IMAGE_SIDE_PX / Math.max(widthPx, heightPx));
  const tokens = Math.ceil((widthPx * scale * heightPx * scale) / PIXELS_PER_TOKEN);
  return Math.min(LARGEST_IMAGE_TOKENS, Math.max(SMALLEST_IMAGE_TOKENS, tokens));
}

function counts(countIn: (encoding: EncodingName) => number): TokenCounts {
  return { cl100k: countIn("cl100k"), o200k: countIn("o200k") };
}

function sum<T>(items: readonly T[], valueOf: (item: T) => number): number {
  return items.reduce((total, item) => total + valueOf(item), 0);
}

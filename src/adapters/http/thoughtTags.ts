/**
 * Thinking that servers without a parser for it leave in the text, between tags of the model's own. Tags count at the
 * start of an answer only; anywhere else they are what the answer speaks of. The opening tag may be missing: chat
 * templates put it into the prompt.
 */

import type { StreamEvent } from "../../core/stream/streamEvent.ts";

interface TagPair {
  readonly opening: string;
  /** The first one found ends the thinking. */
  readonly closings: readonly string[];
}

const HARMONY_ENDS = [
  "<|end|><|start|>assistant<|channel|>final<|message|>",
  "<|start|>assistant<|channel|>final<|message|>",
  "<|channel|>final<|message|>",
  "<|end|>",
];

/** Compared without regard to case. Of two that begin alike, the longer one is first. */
const TAGS: readonly TagPair[] = [
  // DeepSeek, Qwen, GLM, MiniMax and most others; Claude's habit; Gemini; Nous; Seed; LongCat.
  ...["think", "thinking", "thought", "thoughts", "reasoning", "seed:think", "mm:think", "longcat_think"].map(
    (name) => ({
      opening: `<${name}>`,
      closings: [`</${name}>`],
    }),
  ),
  // Kimi; Mistral; Cohere; OpenThinker; Gemma, twice.
  { opening: "◁think▷", closings: ["◁/think▷"] },
  { opening: "[think]", closings: ["[/think]"] },
  { opening: "<|start_thinking|>", closings: ["<|end_thinking|>"] },
  { opening: "<|begin_of_thought|>", closings: ["<|end_of_thought|>"] },
  { opening: "<|channel>thought", closings: ["<channel|>"] },
  { opening: "<unused94>thought", closings: ["<unused95>"] },
  // gpt-oss.
  ...["<|start|>assistant", ""].flatMap((start) =>
    ["analysis", "commentary"].map((channel) => ({
      opening: `${start}<|channel|>${channel}<|message|>`,
      closings: HARMONY_ENDS,
    })),
  ),
];

/** Marks around the answer itself: dropped where an answer begins or ends. */
const ANSWER_MARKS: readonly string[] = [
  "<|start|>assistant<|channel|>final<|message|>",
  "<|channel|>final<|message|>",
  "<|start_response|>",
  "<|begin_of_solution|>",
  "<think/>",
  "<think />",
];

/** Closing tags that may come without an opening one. */
const UNOPENED = ["</think>", "</thinking>", "</thought>", "</seed:think>", "</mm:think>", "◁/think▷", "[/think]"];

const LONGEST_OPENING = 60;

/** Reads the text of one answer. */
export class ThoughtTags {
  #state: "start" | "thinking" | "text" = "start";
  /** Text that may be part of a tag, or white space whose meaning the next text decides. */
  #held = "";
  #closings: readonly string[] = [];
  /** True once thinking has been found: then what follows begins without blank lines. */
  #hasThought = false;
  /** True once the current thinking has begun to be emitted. */
  #isTrimmed = false;
  readonly #unopened = new UnopenedThinking();

  /** `text` as it arrives. */
  add(text: string): readonly StreamEvent[] {
    if (text === "") return [];
    const events: StreamEvent[] = [];
    this.#held += text;
    while (this.#step(events));
    return events;
  }

  /** Text that was held back, once the text has ended or another part of the answer begins. */
  end(): readonly StreamEvent[] {
    const held = this.#held;
    this.#held = "";
    if (this.#state === "thinking") return thinking(held.trimEnd());
    if (this.#state === "start" && this.#hasThought && held.trim() === "") return [];
    const isStart = this.#state === "start";
    this.#state = "text";
    return isStart ? textEvents(this.#hasThought ? held.trimStart() : held) : this.#unopened.end(held);
  }

  /** Thinking arrived in a field of its own: a closing tag alone is left over from it. */
  noteThinking(): void {
    if (this.#state === "start") this.#hasThought = true;
    this.#unopened.stop();
  }

  /** True if there is more to do at once. */
  #step(events: StreamEvent[]): boolean {
    switch (this.#state) {
      case "start":
        return this.#begin();
      case "thinking":
        return this.#think(events);
      case "text": {
        const { events: told, rest } = this.#unopened.add(this.#held);
        this.#held = rest;
        events.push(...told);
        return false;
      }
    }
  }

  #begin(): boolean {
    const begun = this.#held.trimStart();
    if (begun === "") return false;
    const start = begun.slice(0, LONGEST_OPENING).toLowerCase();
    const pair = TAGS.find(({ opening }) => start.startsWith(opening));
    const dropped = [...ANSWER_MARKS, ...UNOPENED].find((mark) => start.startsWith(mark));
    if (pair !== undefined) {
      this.#state = "thinking";
      this.#closings = pair.closings;
      this.#isTrimmed = false;
      this.#hasThought = true;
      this.#held = begun.slice(pair.opening.length);
      return true;
    }
    if (dropped !== undefined) {
      this.#hasThought = true;
      this.#held = begun.slice(dropped.length);
      return true;
    }
    const mayBecomeTag = [...TAGS.map(({ opening }) => opening), ...ANSWER_MARKS, ...UNOPENED].some((tag) =>
      tag.startsWith(start),
    );
    if (mayBecomeTag) return false;
    this.#state = "text";
    if (this.#hasThought) {
      this.#held = begun;
      this.#unopened.stop();
    }
    return true;
  }

  #think(events: StreamEvent[]): boolean {
    if (!this.#isTrimmed) {
      this.#held = this.#held.trimStart();
      if (this.#held === "") return false;
      this.#isTrimmed = true;
    }
    const lower = this.#held.toLowerCase();
    const found = firstOf(lower, this.#closings);
    // The sign after a tag tells whether it is in back quotes.
    if (found !== undefined && this.#held[found.at - 1] === "`" && found.at + found.tag.length === lower.length)
      return false;
    if (found !== undefined) {
      events.push(...thinking(this.#held.slice(0, found.at).trimEnd()));
      this.#held = this.#held.slice(found.at + found.tag.length);
      this.#state = "start";
      return true;
    }
    // White space before a closing tag belongs to the tag; the sign before one may be a back quote.
    const safe = Math.max(0, lengthWithoutTagStart(lower, this.#closings) - 1);
    const sure = this.#held.slice(0, safe).trimEnd();
    events.push(...thinking(sure));
    this.#held = this.#held.slice(sure.length);
    return false;
  }
}

interface Found {
  readonly at: number;
  readonly tag: string;
}

/** The first closing tag; one in back quotes is spoken of. */
function firstOf(text: string, tags: readonly string[]): Found | undefined {
  let first: Found | undefined;
  for (const tag of tags) {
    for (let at = text.indexOf(tag); at !== -1; at = text.indexOf(tag, at + 1)) {
      const isQuoted = text[at - 1] === "`" && text[at + tag.length] === "`";
      if (isQuoted) continue;
      if (first === undefined || at < first.at) first = { at, tag };
      break;
    }
  }
  return first;
}

/** Length of `text` without an end that may be the beginning of one of `tags`. */
function lengthWithoutTagStart(text: string, tags: readonly string[]): number {
  const longest = Math.max(...tags.map((tag) => tag.length));
  for (let at = Math.max(0, text.length - longest); at < text.length; at++) {
    const end = text.slice(at);
    if (tags.some((tag) => tag.startsWith(end) || end === tag)) return at;
  }
  return text.length;
}

/**
 * Text that turns out to have been thinking, by a closing tag without an opening one. Only the first such tag counts, and
 * only where it stands alone or ends a sentence, outside of code, in text that has not spoken of the tags before.
 */
class UnopenedThinking {
  #isOver = false;
  #isAfterTag = false;
  readonly #line = new LineReader();
  /** End of the text, for tags in pieces. */
  #tail = "";

  add(text: string): { readonly events: readonly StreamEvent[]; readonly rest: string } {
    if (this.#isOver) return { events: textEvents(this.#withoutBlank(text)), rest: "" };
    const lower = text.toLowerCase();
    const found = firstOf(lower, UNOPENED);
    // The sign after the tag tells whether it is spoken of.
    if (found !== undefined && found.at + found.tag.length < text.length)
      return { events: this.#decide(text, found), rest: "" };
    const safe = found?.at ?? lengthWithoutTagStart(lower, UNOPENED);
    this.#follow(text.slice(0, safe));
    return { events: textEvents(text.slice(0, safe)), rest: text.slice(safe) };
  }

  end(rest: string): readonly StreamEvent[] {
    const found = this.#isOver ? undefined : firstOf(rest.toLowerCase(), UNOPENED);
    return found === undefined ? textEvents(this.#withoutBlank(rest)) : this.#decide(rest, found);
  }

  stop(): void {
    this.#isOver = true;
  }

  #decide(text: string, { at, tag }: Found): readonly StreamEvent[] {
    const before = text.slice(0, at);
    const after = text.slice(at + tag.length);
    this.#follow(before);
    const isSpokenOf = this.#isOver || this.#line.isInCode;
    const isGlued = !/[\s`'"“”‘’()[\],;]/.test(this.#line.last) && !/^[`'"“”‘’()[\],;.:]/.test(after);
    this.#isOver = true;
    if (isSpokenOf || !(this.#line.isBlank || isGlued)) return textEvents(text);
    this.#isAfterTag = true;
    return [...textEvents(before), { kind: "textWasThinking" }, ...textEvents(this.#withoutBlank(after))];
  }

  /** Without blank lines between the tag and the answer. */
  #withoutBlank(text: string): string {
    if (!this.#isAfterTag) return text;
    const begun = text.trimStart();
    this.#isAfterTag = begun === "";
    return begun;
  }

  #follow(text: string): void {
    this.#line.add(text);
    if (/<(?:think|thinking|thought|seed:think|mm:think)>|\[think\]|◁think▷/i.test(this.#tail + text))
      this.#isOver = true;
    this.#tail = (this.#tail + text).slice(-LONGEST_OPENING);
  }
}

/** The current line of a text, and whether it is code. */
class LineReader {
  last = "\n";
  #start = "";
  #quotes = 0;
  #isInFence = false;

  get isBlank(): boolean {
    return this.#start === "";
  }

  get isInCode(): boolean {
    return this.#isInFence || this.#quotes % 2 === 1;
  }

  add(text: string): void {
    for (const sign of text) {
      this.last = sign;
      if (sign === "\n") {
        this.#start = "";
        this.#quotes = 0;
        continue;
      }
      if (sign === "`") this.#quotes++;
      if (this.#start.length < FENCE.length && (this.#start !== "" || sign.trim() !== "")) {
        this.#start += sign;
        if (this.#start === FENCE) {
          this.#isInFence = !this.#isInFence;
          this.#quotes = 0;
        }
      }
    }
  }
}

const FENCE = "```";

function thinking(text: string): readonly StreamEvent[] {
  return text === "" ? [] : [{ kind: "thinking", text }];
}

function textEvents(text: string): readonly StreamEvent[] {
  return text === "" ? [] : [{ kind: "text", text }];
}

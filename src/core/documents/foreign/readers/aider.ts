/**
 * aider's `.aider.chat.history.md`: the chats of a project one after the other, which is one conversation here. Lines
 * of the user begin with `####`, those of aider with `>`; the rest is the model's. What aider writes ends with two
 * blanks, unless an editor has removed them: so headings and quotes of the model are told from it.
 */

import {
  optionalCount,
  optionalTimeMs,
  type ForeignConversation,
  type ForeignMessage,
  type ForeignUsage,
  type HeldMessage,
} from "../foreignConversation.ts";
import type { ForeignFile } from "../foreignFile.ts";
import type { MessageHolder } from "../heldMessages.ts";
import { asData } from "../userParts.ts";

const START = /^# aider chat started at (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)/;

export function isAider({ beginning }: ForeignFile): boolean {
  return !/^[[{]/.test(beginning) && new RegExp(START, "m").test(beginning);
}

export function readAider(file: ForeignFile, holder: MessageHolder): ForeignConversation {
  const history = new History(holder, hasMarks(file));
  for (const line of file.textLines()) history.add(line);
  return { title: "", messages: history.end() };
}

function hasMarks(file: ForeignFile): boolean {
  for (const line of file.textLines()) if (/^#### .* {2}$/.test(line)) return true;
  return false;
}

class History {
  readonly #holder: MessageHolder;
  readonly #hasMarks: boolean;
  readonly #messages: HeldMessage[] = [];
  /** Lines of the user or of aider that stand together. */
  #block: string[] = [];
  #isOfUser = false;
  /** Of the model, since the last block. */
  #said: string[] = [];
  /** The answer to which the next number of tokens belongs. */
  #answer: number | undefined;
  #model = "";

  constructor(holder: MessageHolder, hasMarks: boolean) {
    this.#holder = holder;
    this.#hasMarks = hasMarks;
  }

  add(line: string): void {
    const [start, day = "", time = ""] = START.exec(line) ?? [];
    const isUser = /^####(?: |$)/.test(line) && (!this.#hasMarks || line.endsWith("  "));
    const isBlock = isUser || /^>(?: |$)/.test(line);
    if (!isBlock || isUser !== this.#isOfUser) this.#endBlock();
    if (start !== undefined) {
      this.#pushSaid();
      this.#push(
        asData(
          {
            ...message("user", start.replace("# ", "")),
            createdAtMs: optionalTimeMs({ value: `${day}T${time}`, path: "" }),
          },
          "aider",
        ),
      );
    } else if (isBlock) {
      this.#isOfUser = isUser;
      this.#block.push(line);
    } else this.#said.push(line);
  }

  end(): readonly HeldMessage[] {
    this.#endBlock();
    this.#pushSaid();
    return this.#messages;
  }

  #endBlock(): void {
    const lines = this.#block;
    if (lines.length === 0) return;
    this.#block = [];
    if (!this.#isOfUser && this.#hasMarks && !lines.some((line) => line.endsWith("  "))) {
      for (const line of lines) this.#said.push(line);
      return;
    }
    this.#pushSaid();
    const text = lines.map((line) => line.replace(/^(?:####|>) ?/, "").replace(/ {1,2}$/, "")).join("\n");
    if (this.#isOfUser) {
      this.#answer = undefined;
      this.#push(message("user", text));
      return;
    }
    this.#model = MODEL.exec(text)?.[1] ?? this.#model;
    this.#addUsage(usageIn(text));
    if (text.trim() !== "") this.#push(asData(message("user", text), "aider"));
  }

  #pushSaid(): void {
    const text = this.#said
      .join("\n")
      .replace(/^(?:[^\S\n]*\n)+/, "")
      .trimEnd();
    this.#said = [];
    if (text === "") return;
    this.#answer = this.#messages.length;
    this.#push({ ...message("assistant", text), model: this.#model });
  }

  #addUsage(usage: ForeignUsage | undefined): void {
    const answer = this.#answer === undefined ? undefined : this.#messages[this.#answer];
    if (usage === undefined || answer === undefined || this.#answer === undefined) return;
    this.#messages[this.#answer] = { ...answer, usage };
    this.#answer = undefined;
  }

  #push(made: ForeignMessage): void {
    this.#messages.push(this.#holder.hold(made));
  }
}

function message(role: "user" | "assistant", text: string): ForeignMessage {
  return { message: { role, parts: [{ kind: "text", text }] }, createdAtMs: 0, state: "complete", model: "", id: "" };
}

const MODEL = /^(?:Main model|Model): ([^\s,]+)/m;
const COUNT = "([\\d.,]+[kM]?)";
const TOKENS = new RegExp(
  `Tokens: ${COUNT} sent(?:, ${COUNT} cache write)?(?:, ${COUNT} cache hit)?, ${COUNT} received`,
);

/** As aider shows it: large numbers in thousands. */
function usageIn(text: string): ForeignUsage | undefined {
  const [found, sent, written, hit, received] = TOKENS.exec(text) ?? [];
  if (found === undefined) return undefined;
  const [cacheWriteTokens, cacheReadTokens] = [countOf(written), countOf(hit)];
  const costUsd = Number(/Cost: \$([\d.]*\d) (?:message|request)/.exec(text)?.[1]);
  return {
    inputTokens: countOf(sent) + cacheWriteTokens + cacheReadTokens,
    outputTokens: countOf(received),
    cacheReadTokens,
    cacheWriteTokens,
    ...(costUsd > 0 ? { costUsd } : {}),
  };
}

function countOf(shown = ""): number {
  const number = Number(shown.replace(/,/g, "").replace(/[kM]$/, ""));
  const count = Math.round(number * (shown.endsWith("k") ? 1_000 : shown.endsWith("M") ? 1_000_000 : 1));
  return optionalCount({ value: count, path: "" });
}

/** Compares what a generated file contains with what was stored of it. */

import type { FullHistory } from "../../../src/core/history/fullHistory.ts";
import type { Summary } from "../../../src/core/history/summaries/summary.ts";
import type { HistoryEntry, Part } from "../../../src/core/message.ts";
import { storedConversations, type StoredConversation } from "./storedConversations.ts";
import { MARKS } from "./talk.ts";
import type { ExpectedPart, Tally } from "./tally.ts";

/** Numbers of what differs, by what it is; the first of each is named. */
export class Differences {
  readonly #counts = new Map<string, number>();
  readonly #examples = new Map<string, string>();

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  note(kind: string, example: string, count = 1): void {
    if (count === 0) return;
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + count);
    if (!this.#examples.has(kind)) this.#examples.set(kind, example);
  }

  /** A number that should be another one. */
  noteNumber(kind: string, expected: number, found: number): void {
    this.note(kind, `${found} instead of ${expected}`, Math.abs(expected - found));
  }

  *lines(): Generator<string> {
    for (const [kind, count] of this.#counts) yield `${count} ${kind}, such as ${this.#examples.get(kind) ?? ""}`;
  }
}

export interface Compared {
  readonly conversations: number;
  readonly messages: number;
  readonly parts: number;
  /** Missing, cut, or in another place or form than they were. */
  readonly lost: Differences;
  /** There twice, or in no file. */
  readonly invented: Differences;
  readonly damagedKept: number;
}

export function compared(root: string, tally: Tally): Compared {
  const found = new FoundParts(tally);
  const [lost, invented] = [new Differences(), new Differences()];
  let [conversations, messages, leaves, damagedKept] = [0, 0, 0, 0];
  const usage = { count: 0, inputTokens: 0, outputTokens: 0 };
  const titles = new Set(tally.titles);
  for (const conversation of storedConversations(root)) {
    conversations++;
    messages += conversation.history.length;
    leaves += leavesOf(conversation);
    damagedKept += conversation.damaged;
    usage.count += conversation.usage.count;
    usage.inputTokens += conversation.usage.inputTokens;
    usage.outputTokens += conversation.usage.outputTokens;
    titles.delete(conversation.history.title?.title ?? "");
    found.addAll(conversation, { lost, invented });
  }
  for (const title of titles) lost.note("titles", title);
  lost.noteNumber("conversations", tally.conversations, conversations);
  lost.noteNumber("messages", tally.messages, messages);
  lost.noteNumber("branches", tally.leaves, leaves);
  lost.noteNumber("usages", tally.usages, usage.count);
  if (usage.inputTokens !== tally.inputTokens || usage.outputTokens !== tally.outputTokens)
    lost.note("sums of usage", `${JSON.stringify(usage)} instead of ${tally.inputTokens}, ${tally.outputTokens}`);
  lost.noteNumber("damaged lines", tally.damaged, damagedKept);
  found.noteMissing(lost);
  return { conversations, messages, parts: tally.parts.size, lost, invented, damagedKept };
}

function leavesOf({ history }: StoredConversation): number {
  const parents = new Set(history.entries.map(({ id }) => history.branches.parentOf(id)));
  return history.entries.filter(({ id }) => !parents.has(id)).length;
}

interface Found {
  readonly lost: Differences;
  readonly invented: Differences;
}

class FoundParts {
  readonly #tally: Tally;
  readonly #first = new Set<number>();
  readonly #last = new Set<number>();

  constructor(tally: Tally) {
    this.#tally = tally;
  }

  addAll({ history, messages }: StoredConversation, of: Found): void {
    let calls = new Map<string, number>();
    for (const { entry, message } of messages()) {
      const isShown = history.isVisible(entry);
      const next = new Map<string, number>();
      for (const part of message.parts) {
        const mark = this.#add(part, of.invented, (expected) => {
          const fault = faultOf(expected, { part, entry, isShown });
          if (fault !== undefined) of.lost.note(`parts with another ${fault}`, exampleOf(part));
        });
        if (part.kind === "toolCall" && mark !== undefined) next.set(part.callId, mark);
        if (part.kind !== "toolResult") continue;
        const call = calls.get(part.callId);
        if (call === undefined || this.#tally.resultOf.get(call) !== mark)
          of.lost.note("results of another call", exampleOf(part));
      }
      calls = next;
    }
    for (const summary of history.summaries) this.#addSummary(summary, history, of);
  }

  #addSummary({ id, covers, content }: Summary, history: FullHistory, of: Found): void {
    this.#add({ kind: "text", text: content }, of.invented, ({ kind }) => {
      if (kind !== "summary") of.lost.note(`parts with another kind than ${kind}`, content.slice(0, 60));
      else if (!history.isUsable(id) || covers.start !== 0)
        of.lost.note("summaries of other messages", content.slice(0, 60));
    });
  }

  noteMissing(lost: Differences): void {
    for (const [mark, { kind }] of this.#tally.parts) {
      if (!this.#first.has(mark)) lost.note(`${kind} parts`, `mark_${mark}`);
      else if (!this.#last.has(mark)) lost.note(`ends of ${kind} parts`, `mark_${mark}`);
    }
  }

  /** The mark of the part. */
  #add(part: Part, invented: Differences, check: (expected: ExpectedPart) => void): number | undefined {
    let found: number | undefined;
    for (const [, number = "", end] of textOf(part).matchAll(MARKS)) {
      const mark = Number(number);
      const expected = this.#tally.parts.get(mark);
      const known = end === "a" ? this.#first : this.#last;
      if (expected === undefined) invented.note("parts that are in no file", exampleOf(part));
      else if (known.has(mark)) invented.note(`${expected.kind} parts that are there twice`, exampleOf(part));
      else if (end === "a") check(expected);
      known.add(mark);
      found ??= mark;
    }
    return found;
  }
}

interface StoredPart {
  readonly part: Part;
  readonly entry: HistoryEntry;
  readonly isShown: boolean;
}

function faultOf(expected: ExpectedPart, { part, entry, isShown }: StoredPart): string | undefined {
  if (part.kind !== expected.kind) return `kind than ${expected.kind}`;
  if (isShown !== expected.isShown) return "branch";
  if (expected.atMs !== undefined && entry.createdAtMs !== expected.atMs) return "time";
  return expected.model !== undefined && entry.model !== expected.model ? "model" : undefined;
}

function textOf(part: Part): string {
  if (part.kind === "image") return Buffer.from(part.dataBase64, "base64").toString("latin1");
  return part.kind === "toolCall" ? part.inputJson : part.text;
}

function exampleOf(part: Part): string {
  return `${part.kind}: ${textOf(part).slice(0, 60).replaceAll("\n", " ")}`;
}

/** A machine that has a conversation, without a disk or a network: for tests of what copies become. */

import { createHash } from "node:crypto";
import { erasurePlaceholder, makeErasure, recordAfterErasure } from "../../../src/core/history/erasure.ts";
import { branchChange } from "../../../src/core/history/branches/branches.ts";
import type { ConversationRecord, MessageRecord } from "../../../src/core/history/records.ts";
import type { ObjectHash } from "../../../src/core/history/segmentInfo.ts";
import { messageId, modelId, stepId, summaryId, type ConversationId, type MessageId } from "../../../src/core/ids.ts";
import { textMessage, textOf, type Role } from "../../../src/core/message.ts";
import { ConversationCopy } from "../../../src/core/replica/conversationCopy.ts";
import { keyOf } from "../../../src/core/replica/globalIds.ts";
import { contentOf, type SegmentContent } from "../../../src/core/replica/segmentContent.ts";
import { placeSegment } from "../../../src/core/replica/segmentPlacement.ts";
import { SegmentWriter } from "../../../src/core/replica/segmentWriter.ts";
import { contentLines } from "./contentLines.ts";

const CONVERSATION = "00000000-0000-4000-8000-000000000001" as ConversationId;
const TOKENS = { cl100k: 3, o200k: 3 };

export interface PublishedSegment {
  readonly hash: ObjectHash;
  readonly content: SegmentContent;
}

/** A copy by global ids: equal for copies that have converged. */
export interface SharedTree {
  /** Text and place of each message, by its global id. */
  readonly messages: Readonly<Record<string, string>>;
  readonly pins: readonly string[];
  readonly title: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly summaries: Readonly<Record<string, string>>;
}

export class Machine {
  readonly name: string;
  records: ConversationRecord[] = [];
  copy = new ConversationCopy();
  readonly erasedTexts: string[] = [];
  /** Of its clock, which may be wrong. */
  nowMs = 0;
  /** Number of records that the copy for publishing has. */
  #folded = 0;
  #published = new ConversationCopy();
  #sequence = 0;
  #previous: ObjectHash | undefined;
  #said = 0;

  constructor(name: string) {
    this.name = name;
  }

  commit(...records: readonly ConversationRecord[]): void {
    for (const record of records) {
      this.copy.apply(record);
      this.records.push(record);
    }
  }

  say(role: Role = "user", text?: string): void {
    const { history } = this.copy;
    const id = messageId(history.length);
    const turn = role === "user" ? id : (history.lastVisible?.turn ?? id);
    const said = ++this.#said;
    const step = stepId(`${this.name}-${String(said).padStart(34, "0")}`);
    const entry = { id, role, turn, state: "complete", createdAtMs: this.nowMs + said, tokens: TOKENS, step } as const;
    this.commit({ kind: "message", entry, message: textMessage(role, text ?? `${this.name}${String(said)}`) });
  }

  askAndAnswer(): void {
    this.say();
    this.say("assistant");
  }

  /** Replaces what is shown from the question `back` questions ago on. */
  edit(back: number): void {
    const shown = this.shownIds().filter((id) => this.copy.history.entry(id).role === "user");
    const from = shown.at(-1 - back);
    if (from !== undefined) this.hide(from, messageId(this.copy.history.length), true);
    this.askAndAnswer();
  }

  hideTurn(back: number): void {
    const turn = this.shownIds().at(-1 - back);
    if (turn !== undefined) this.hide(turn, messageId(turn + 1), true);
  }

  hide(start: MessageId, end: MessageId, hidden: boolean): void {
    this.commit({ kind: "visibility", range: { start, end }, hidden, atMs: this.nowMs });
  }

  /** Shows another version of the message `back` shown messages ago. */
  switchVersion(back: number): void {
    const { history } = this.copy;
    const from = this.shownIds().at(-1 - back);
    const other = from === undefined ? undefined : history.branches.siblings(from).find((id) => id !== from);
    if (from === undefined || other === undefined) return;
    const { hide, show } = branchChange(history, from, other);
    for (const { start, end } of hide) this.hide(start, end, true);
    for (const { start, end } of show) this.hide(start, end, false);
  }

  pin(back: number, pinned: boolean): void {
    const id = this.shownIds().at(-1 - back);
    if (id !== undefined) this.commit({ kind: "pin", id, pinned, atMs: this.nowMs });
  }

  entitle(): void {
    this.commit({ kind: "title", title: `${this.name}${String(++this.#said)}`, by: "user", atMs: this.nowMs });
  }

  set(name: string): void {
    this.commit({ kind: "setting", name, value: `${this.name}${String(++this.#said)}`, atMs: this.nowMs });
  }

  summarize(): void {
    const { history } = this.copy;
    const ids = this.shownIds();
    const [first, last] = [ids[0], ids[Math.min(2, ids.length - 1)]];
    if (first === undefined || last === undefined) return;
    const covers = history.wholeAtoms({ start: first, end: messageId(last + 1) });
    this.commit({
      kind: "summary",
      summary: {
        id: summaryId(history.summaryCount),
        covers,
        level: 1,
        kind: "conversation",
        content: `summary ${this.name}${String(++this.#said)}`,
        tokenCount: TOKENS,
        originalTokens: TOKENS,
        createdAtMs: this.nowMs,
        generatedBy: "model",
        sourceHash: history.sourceHash(covers),
        factsKept: 0,
        factsTotal: 0,
        state: "active",
      },
    });
  }

  chooseModel(): void {
    this.commit({
      kind: "model",
      provider: "p",
      model: modelId(`${this.name}${String(++this.#said)}`),
      atMs: this.nowMs,
    });
  }

  erase(ids: readonly MessageId[]): void {
    const { history } = this.copy;
    const erased = ids.filter((id) => history.entry(id).erasedAtMs === undefined);
    if (erased.length === 0) return;
    const messages = this.#messages();
    this.erasedTexts.push(...erased.map((id) => textOf(messages[id]?.message ?? textMessage("user", ""))));
    const erasure = makeErasure(
      erased.map((id) => {
        const message = erasurePlaceholder(messages[id]?.message ?? textMessage("user", ""));
        return { entry: history.entry(id), message, tokens: TOKENS };
      }),
      { atMs: this.nowMs + 1 },
    );
    const newest = this.records.findLastIndex(({ kind }) => kind === "title");
    this.records = this.records.map((record, at) => recordAfterErasure(record, erasure, at === newest));
    this.records.push(erasure.record);
    this.reopen();
  }

  eraseShown(back: number): void {
    const id = this.shownIds().at(-1 - back);
    if (id !== undefined) this.erase([id]);
  }

  /** As after a crash or at the next start: everything in memory is folded anew, and another writer goes on. */
  reopen(asOther = false): void {
    this.copy = new ConversationCopy();
    for (const record of this.records) this.copy.apply(record);
    this.#published = new ConversationCopy();
    const publishedTo = this.copy.ids.publishedTo;
    for (const record of this.records.slice(0, publishedTo)) this.#published.apply(record);
    this.#folded = publishedTo;
    if (asOther) [this.#sequence, this.#previous] = [0, undefined];
  }

  publish(): readonly PublishedSegment[] {
    const made: PublishedSegment[] = [];
    for (const record of this.records.slice(this.#folded))
      if (record.kind === "segment") this.#published.ids.learn(record);
    for (let next = this.#publishOne(); next !== undefined; next = this.#publishOne()) made.push(next);
    return made;
  }

  #publishOne(): PublishedSegment | undefined {
    const writer = new SegmentWriter(this.#published);
    while (this.#folded < this.records.length && !writer.isComplete()) {
      const record = this.records[this.#folded++];
      if (record !== undefined) writer.add(record);
    }
    const previous = this.#previous === undefined ? {} : { previous: this.#previous };
    const made = writer.finish({ writer: this.name, machine: this.name, sequence: this.#sequence, ...previous });
    if (made === undefined) return undefined;
    const lines = contentLines({ kind: "segment", conversation: CONVERSATION, segment: made.content });
    const hash = createHash("sha256").update(lines.join("\n")).digest("hex").slice(0, 32);
    this.#sequence++;
    this.#previous = hash;
    const record = made.recordOf(hash);
    this.commit(record);
    this.#published.ids.learn(record);
    const read = contentOf(lines);
    if (!read.ok || read.value.kind !== "segment") throw new Error(JSON.stringify(read));
    return { hash, content: read.value.segment };
  }

  has(hash: ObjectHash): boolean {
    return this.copy.ids.segment(hash) !== undefined;
  }

  /** Takes all that it can of what there is, in the order that all machines have. */
  receive(segments: readonly PublishedSegment[]): void {
    for (;;) {
      const ready = segments.filter(
        ({ hash, content: { info } }) => !this.has(hash) && info.after.every((each) => this.has(each)),
      );
      const [next] = ready.toSorted(
        (one, other) =>
          one.content.info.epoch - other.content.info.epoch ||
          (one.content.info.writer < other.content.info.writer ? -1 : 1),
      );
      if (next === undefined) return;
      this.#take(next);
    }
  }

  shownIds(): readonly MessageId[] {
    const { history } = this.copy;
    return history.entries.filter((entry) => history.isVisible(entry)).map(({ id }) => id);
  }

  shown(): string {
    const messages = this.#messages();
    return this.shownIds()
      .map((id) => textOf(messages[id]?.message ?? textMessage("user", "")))
      .join(" ");
  }

  tree(): SharedTree {
    const { history, ids } = this.copy;
    const messages = this.#messages();
    const idOf = (number: number | undefined): string => {
      const id = number === undefined ? undefined : ids.idOf(number);
      return id === undefined ? "unpublished" : keyOf(id);
    };
    const nameOf = (id: MessageId | undefined): string => (id === undefined ? "start" : idOf(ids.recordOfMessage(id)));
    return {
      messages: Object.fromEntries(
        history.entries.map(({ id, turn, erasedAtMs }) => [
          nameOf(id),
          [
            nameOf(history.branches.parentOf(id)),
            textOf(messages[id]?.message ?? textMessage("user", "")),
            nameOf(turn),
            erasedAtMs === undefined ? "" : "erased",
          ].join(" "),
        ]),
      ),
      pins: [...history.pins].map(nameOf).sort(),
      title: history.title?.title ?? "",
      settings: Object.fromEntries([...history.settings].sort()),
      summaries: Object.fromEntries(
        history.summaries.map(({ id, content }) => [idOf(ids.recordOfSummary(id)), content]),
      ),
    };
  }

  #take({ hash, content }: PublishedSegment): void {
    const { records, erased } = placeSegment(this.copy, hash, content);
    this.records.push(...records);
    if (erased.length > 0) this.erase(erased);
  }

  #messages(): readonly MessageRecord[] {
    return this.records.filter((record) => record.kind === "message");
  }
}

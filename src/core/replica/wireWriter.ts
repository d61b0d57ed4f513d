/** Writes records as they travel, with references in place of this copy's numbers. */

import { portableProject } from "../history/project.ts";
import type { MessageRange } from "../history/summaries/summary.ts";
import { messageId, type MessageId, type SummaryId } from "../ids.ts";
import type { HistoryEntry } from "../message.ts";
import { omit } from "../omit.ts";
import { assertNever, invariant } from "../result.ts";
import type { ConversationCopy } from "./conversationCopy.ts";
import type { OutgoingRecord, PublishedRecord, WireMessage, WireRef, WireRun } from "./wireRecord.ts";

/** Of a copy, before a record was applied. */
export interface StateBefore {
  /** For a change of what is visible: the last visible message. */
  readonly from: MessageId | undefined;
  /** For a summary: what it is of was unchanged. */
  readonly isOfSource: boolean;
}

export function stateBefore(copy: ConversationCopy, record: PublishedRecord): StateBefore {
  const isOfSource =
    record.kind === "summary" && copy.history.sourceHash(record.summary.covers) === record.summary.sourceHash;
  return { from: record.kind === "visibility" ? copy.end : undefined, isOfSource };
}

export class WireWriter {
  readonly #copy: ConversationCopy;
  readonly #refTo: (number: number) => WireRef;

  /** `refTo` refers to a record of the copy by its number. */
  constructor(copy: ConversationCopy, refTo: (number: number) => WireRef) {
    this.#copy = copy;
    this.#refTo = refTo;
  }

  /** `record` was applied to the copy just now; it is one that travels. */
  wire(record: PublishedRecord, before: StateBefore): OutgoingRecord {
    const { history } = this.#copy;
    switch (record.kind) {
      case "message":
        return { ...this.#place(record.entry), message: record.message };
      case "entry":
        return {
          kind: "line",
          start: `${JSON.stringify(this.#place(record.entry)).slice(0, -1)},"message":`,
          json: record.json,
        };
      case "visibility": {
        const { hidden, atMs } = record;
        const from = before.from === undefined ? {} : { from: this.#message(before.from) };
        const to = this.#copy.end === undefined ? {} : { to: this.#message(this.#copy.end) };
        return { kind: "visibility", runs: this.#messages(record.range), hidden, atMs, ...from, ...to };
      }
      case "summary": {
        const { covers } = record.summary;
        const summary = omit(record.summary, "id", "covers", "sourceHash");
        const hidden = this.#messages(covers, (entry) => !history.isVisible(entry));
        return { kind: "summary", covers: this.#messages(covers), hidden, isOfSource: before.isOfSource, summary };
      }
      case "summaryState": {
        const { id, ...others } = record;
        return { ...others, of: this.#summary(id) };
      }
      case "pin":
      case "leftOut": {
        const { id, ...others } = record;
        return { ...others, of: this.#message(id) };
      }
      case "receipt": {
        const { summaries, span, notesLater, ...receipt } = record.receipt;
        const later = notesLater === undefined ? {} : { notesLater: notesLater.map((id) => this.#summary(id)) };
        const made = summaries.map((id) => this.#summary(id));
        return { kind: "receipt", summaries: made, span: this.#messages(span), ...later, receipt };
      }
      case "usage": {
        const { message, ...usage } = record;
        return message < history.length ? { ...usage, message: this.#message(message) } : usage;
      }
      case "project": {
        const project = portableProject(record.project);
        invariant(project !== undefined, "a project that travels is known elsewhere");
        return { ...record, project };
      }
      case "erasure": {
        const erased = record.entries.map(({ id, tokens }) => ({ of: this.#message(id), tokens }));
        return { kind: "erasure", atMs: record.atMs, erased };
      }
      case "model":
      case "title":
      case "setting":
        return record;
      case "segment":
        throw new Error("a segment's record stays here");
      default:
        return assertNever(record);
    }
  }

  #place(stored: HistoryEntry): Omit<WireMessage, "message"> {
    const { id, turn, batch, continues, recalled, ...others } = stored;
    const parent = this.#copy.history.branches.parentOf(id);
    const place = parent === undefined ? {} : { follows: this.#message(parent) };
    const entry = {
      ...others,
      turn: this.#message(turn),
      ...(batch === undefined ? {} : { batch: this.#message(batch) }),
      ...(continues === undefined ? {} : { continues: this.#message(continues) }),
      ...(recalled === undefined
        ? {}
        : { recalled: recalled.map(({ id: of, ...passage }) => ({ of: this.#message(of), ...passage })) }),
    };
    return { kind: "message", ...place, entry };
  }

  #message(id: MessageId): WireRef {
    return this.#ref(this.#copy.ids.recordOfMessage(id));
  }

  #summary(id: SummaryId): WireRef {
    return this.#ref(this.#copy.ids.recordOfSummary(id));
  }

  #ref(number: number | undefined): WireRef {
    invariant(number !== undefined, "what a record refers to is in the history");
    return this.#refTo(number);
  }

  #messages({ start, end }: MessageRange, isWanted: (entry: HistoryEntry) => boolean = () => true): readonly WireRun[] {
    const runs: (readonly [segment: number, first: number, last: number])[] = [];
    let isOpen = false;
    for (let id: number = start; id < end; id++) {
      if (!isWanted(this.#copy.history.entry(messageId(id)))) {
        isOpen = false;
        continue;
      }
      const [segment, index] = this.#message(messageId(id));
      const last = runs.at(-1);
      if (isOpen && last?.[0] === segment && last[2] < index) runs.splice(-1, 1, [segment, last[1], index]);
      else runs.push([segment, index, index]);
      isOpen = true;
    }
    return runs;
  }
}

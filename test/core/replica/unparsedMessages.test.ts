/** Messages whose contents travel as they are stored: objects are the same as if they had been parsed. */

import assert from "node:assert/strict";
import fc from "fast-check";
import type { ConversationRecord } from "../../../src/core/history/records.ts";
import type { ObjectHash } from "../../../src/core/history/segmentInfo.ts";
import type { ConversationId } from "../../../src/core/ids.ts";
import type { Message } from "../../../src/core/message.ts";
import { ConversationCopy } from "../../../src/core/replica/conversationCopy.ts";
import { contentOf, type OutgoingContent } from "../../../src/core/replica/segmentContent.ts";
import { SegmentRebuilder } from "../../../src/core/replica/segmentRebuilder.ts";
import type { PublishedRecord } from "../../../src/core/replica/wireRecord.ts";
import { contentLines } from "../../support/replica/contentLines.ts";
import { Machine, type PublishedSegment } from "../../support/replica/machine.ts";
import { MACHINE_ACTS } from "../../support/replica/machineActs.ts";
import { unpublishedSegments } from "../../support/replica/unpublishedSegments.ts";

const CONVERSATION = "00000000-0000-4000-8000-000000000001" as ConversationId;
const HASH = "f".repeat(32);

const step = fc.record({
  isOther: fc.boolean(),
  act: fc.constantFrom(...Object.keys(MACHINE_ACTS), "exchange", "exchange", "ask"),
  number: fc.nat(11),
});
/** Of any form: what models and tools write is not known beforehand. */
const part = fc.jsonValue({ stringUnit: "binary" });

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Records of the first of two machines, whose messages have `parts` as well, by turns. */
function recordsAfter(steps: readonly Step[], parts: readonly unknown[]): readonly ConversationRecord[] {
  const machines = [new Machine("a"), new Machine("b")] as const;
  const segments: PublishedSegment[] = [];
  for (const { isOther, act, number } of steps) {
    const machine = machines[isOther ? 1 : 0];
    if (act === "exchange") {
      segments.push(...machine.publish());
      machine.receive(segments);
    } else MACHINE_ACTS[act]?.(machine, number);
  }
  return machines[0].records.map((record, at) => {
    if (record.kind !== "message") return record;
    const others = [parts[at % parts.length], `\ud800${String(at)}\n`] as unknown as Message["parts"];
    return { ...record, message: { ...record.message, parts: [...record.message.parts, ...others] } };
  });
}

function asStored(record: ConversationRecord): PublishedRecord {
  if (record.kind !== "message") return record;
  return { kind: "entry", entry: record.entry, json: Buffer.from(JSON.stringify(record.message)) };
}

function linesOf(content: OutgoingContent): readonly string[] {
  const lines = contentLines(content);
  const read = contentOf(lines);
  assert.ok(read.ok && JSON.stringify(contentLines(read.value)) === JSON.stringify(lines));
  return lines;
}

/** Lines of all segments that are not published, with the records that note them. */
function published(records: readonly ConversationRecord[], form: (record: ConversationRecord) => PublishedRecord) {
  return unpublishedSegments(records, form).map(({ segment, record }) => [
    linesOf({ kind: "segment", conversation: CONVERSATION, segment }),
    record,
  ]);
}

function rebuilt(records: readonly ConversationRecord[], form: (record: ConversationRecord) => PublishedRecord) {
  const copy = new ConversationCopy();
  for (const record of records) copy.apply(record);
  const wanted = new Set<ObjectHash>(copy.ids.segments.map(({ hash }) => hash));
  const rebuilder = new SegmentRebuilder(copy.ids, wanted);
  for (const record of records) rebuilder.add(form(record));
  const pack = { segments: rebuilder.finish(), replaces: [HASH], without: [] };
  return linesOf({ kind: "pack", conversation: CONVERSATION, pack });
}

describe("Messages as they are stored", () => {
  it("become the same segments, and the same packs, as messages that were parsed", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.array(part, { minLength: 1, maxLength: 9 }), (steps, parts) => {
        const records = recordsAfter(steps, parts);
        assert.deepEqual(
          published(records, asStored),
          published(records, (record) => record),
        );
        assert.deepEqual(
          rebuilt(records, asStored),
          rebuilt(records, (record) => record),
        );
      }),
      { numRuns: 200 },
    );
  });
});

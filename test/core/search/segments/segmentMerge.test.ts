import assert from "node:assert/strict";
import fc from "fast-check";
import { runSync } from "../../../../src/core/cooperativeTask.ts";
import { parseConversationId, type ConversationId } from "../../../../src/core/ids.ts";
import { indexedWords } from "../../../../src/core/search/segments/indexedWords.ts";
import { Segment } from "../../../../src/core/search/segments/segment.ts";
import { SegmentBuilder } from "../../../../src/core/search/segments/segmentBuilder.ts";
import { mergeSegments } from "../../../../src/core/search/segments/segmentMerge.ts";

interface Part {
  readonly conversation: number;
  readonly first: number;
  readonly texts: readonly string[];
}

function idOf(number: number): ConversationId {
  const id = parseConversationId(`00000000-0000-4000-8000-${String(number).padStart(12, "0")}`);
  assert.ok(id);
  return id;
}

function bytesOf(parts: readonly Part[]): Uint8Array {
  const builder = new SegmentBuilder();
  for (const { conversation, first, texts } of parts) {
    for (const text of texts)
      builder.addMessage(runSync(indexedWords({ role: "user", parts: [{ kind: "text", text }] })));
    const end = first + texts.length;
    builder.addRun({ conversation: idOf(conversation), first, count: texts.length, recordCount: end, mark: end });
  }
  return runSync(builder.toBytes());
}

function segmentOf(bytes: Uint8Array): Segment {
  return new Segment({ length: bytes.length, read: (at, length) => bytes.slice(at, at + length) });
}

/** Words that all messages have, that many have, and that hardly one has; some several times. */
const text = fc
  .record({ many: fc.nat(3), rare: fc.nat(200), times: fc.integer({ min: 1, max: 3 }) })
  .map(({ many, rare, times }) => ["lease", `pool${many} `.repeat(times), `quorum${rare}`].join(" "));
const texts = fc.array(text, { minLength: 1, maxLength: 30 });

describe("merging segments", () => {
  it("makes the one that the messages would have made at once, without those that are removed", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ texts, more: texts, segment: fc.nat(2), isRemoved: fc.boolean() }), { maxLength: 12 }),
        (conversations) => {
          const segments: Part[][] = [[], [], [], []];
          for (const [conversation, { texts: begun, more, segment }] of conversations.entries()) {
            segments[segment]?.push({ conversation, first: 0, texts: begun });
            segments[segment + 1]?.push({ conversation, first: begun.length, texts: more });
          }
          const removed = new Set(conversations.flatMap(({ isRemoved }, at) => (isRemoved ? [idOf(at)] : [])));
          const merged = runSync(
            mergeSegments(
              segments.map((parts) => segmentOf(bytesOf(parts.toReversed()))),
              removed,
            ),
          );
          const expected = bytesOf(
            conversations.flatMap(({ texts: begun, more, isRemoved }, conversation) =>
              isRemoved ? [] : [{ conversation, first: 0, texts: [...begun, ...more] }],
            ),
          );
          assert.deepEqual(merged, expected);
        },
      ),
      { numRuns: 200 },
    );
  });
});

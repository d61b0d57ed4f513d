import type { ConversationRecord, SegmentRecord } from "../../../src/core/history/records.ts";
import { ConversationCopy } from "../../../src/core/replica/conversationCopy.ts";
import type { OutgoingSegment } from "../../../src/core/replica/segmentContent.ts";
import { SegmentWriter } from "../../../src/core/replica/segmentWriter.ts";
import type { PublishedRecord } from "../../../src/core/replica/wireRecord.ts";

interface UnpublishedSegment {
  readonly segment: OutgoingSegment;
  /** Notes that it was published. */
  readonly record: SegmentRecord;
}

/** Segments that a machine with `records` would publish, each up to an erasure; `form` is how it reads a record. */
export function unpublishedSegments(
  records: readonly ConversationRecord[],
  form: (record: ConversationRecord) => PublishedRecord = (record) => record,
): readonly UnpublishedSegment[] {
  const [all, published] = [new ConversationCopy(), new ConversationCopy()];
  for (const record of records) all.apply(record);
  const { publishedTo } = all.ids;
  for (const record of records.slice(0, publishedTo)) published.apply(record);
  published.ids.learnFrom(all.ids);
  const made: UnpublishedSegment[] = [];
  for (let next = publishedTo; next < records.length; next = published.ids.recordCount) {
    const writer = new SegmentWriter(published);
    for (const record of records.slice(next)) {
      writer.add(form(record));
      if (writer.isComplete()) break;
    }
    const written = writer.finish({ writer: "f".repeat(16), machine: "a", sequence: made.length });
    if (written === undefined) continue;
    const record = written.recordOf(String(made.length).padStart(32, "f"));
    made.push({ segment: written.content, record });
    published.ids.learn(record);
  }
  return made;
}

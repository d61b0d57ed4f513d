/** Places of a segment's messages and summaries in this copy. */

import type { ConversationRecord, SegmentRecord } from "../history/records.ts";
import type { RecordPlace } from "../history/segmentInfo.ts";

export class RecordPlaces {
  readonly #messages: RecordPlace[] = [];
  readonly #summaries: RecordPlace[] = [];

  add(record: ConversationRecord, number: number): void {
    if (record.kind === "message") this.#messages.push([number, record.entry.id]);
    else if (record.kind === "summary") this.#summaries.push([number, record.summary.id]);
  }

  get ofSegment(): Pick<SegmentRecord, "messages" | "summaries"> {
    const [messages, summaries] = [this.#messages, this.#summaries];
    return { ...(messages.length === 0 ? {} : { messages }), ...(summaries.length === 0 ? {} : { summaries }) };
  }
}

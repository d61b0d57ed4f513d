/** Places of a segment's messages and summaries in this copy. */

import type { SegmentRecord } from "../history/records.ts";
import type { RecordPlace } from "../history/segmentInfo.ts";
import type { PublishedRecord } from "./wireRecord.ts";

export class RecordPlaces {
  readonly #messages: RecordPlace[] = [];
  readonly #summaries: RecordPlace[] = [];

  add(record: PublishedRecord, number: number): void {
    if (record.kind === "message" || record.kind === "entry") this.#messages.push([number, record.entry.id]);
    else if (record.kind === "summary") this.#summaries.push([number, record.summary.id]);
  }

  get ofSegment(): Pick<SegmentRecord, "messages" | "summaries"> {
    const [messages, summaries] = [this.#messages, this.#summaries];
    return { ...(messages.length === 0 ? {} : { messages }), ...(summaries.length === 0 ? {} : { summaries }) };
  }
}

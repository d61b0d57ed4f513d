/** Takes the text of erased messages out of a segment, and all that was made of it. */

import { erasurePlaceholder } from "../history/erasure.ts";
import type { GlobalId, ObjectHash } from "../history/segmentInfo.ts";
import { erasedSummary } from "../history/summaries/summary.ts";
import { omit } from "../omit.ts";
import { keyOf } from "./globalIds.ts";
import type { SegmentContent } from "./segmentContent.ts";
import { NOTHING, type WireMessage, type WireRecord, type WireRun } from "./wireRecord.ts";

/** `segment` with the same records, so that references to it stay right. */
export function scrubbed(segment: SegmentContent, hash: ObjectHash, erased: readonly GlobalId[]): SegmentContent {
  if (erased.length === 0) return segment;
  const keys = new Set(erased.map(keyOf));
  const hashOf = (place: number): ObjectHash | undefined => (place < 0 ? hash : segment.segments[place]);
  const covers = (runs: readonly WireRun[]): boolean =>
    erased.some(({ segment: of, index }) =>
      runs.some(([place, first, last]) => hashOf(place) === of && first <= index && index <= last),
    );
  const records = segment.records.map((record, index): WireRecord => {
    switch (record.kind) {
      case "message":
        return keys.has(keyOf({ segment: hash, index })) ? withoutText(record) : record;
      case "summary":
        return covers(record.covers) ? { ...record, summary: erasedSummary(record.summary) } : record;
      case "title":
        return record.by === "automatic" ? NOTHING : record;
      default:
        return record;
    }
  });
  return { ...segment, records };
}

/** The tokens stay those of the text until the erasure itself says those of the placeholder. */
function withoutText(record: WireMessage): WireMessage {
  const entry = omit(record.entry, "textClass", "sentTokens", "leftOut", "recalled");
  return { ...record, entry, message: erasurePlaceholder(record.message) };
}

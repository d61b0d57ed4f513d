/** A short notation of request segments for tables of tests. */

import type { ContextSegment } from "../../../src/core/context/cut/workingContext.ts";

/** `7` is a message, `7~` an excerpt of it, `S0[0-6]` a summary and its range, `-[0-6]` messages not sent, `+(2,4)` passages of messages. */
export function shortSegment(segment: ContextSegment): string {
  switch (segment.kind) {
    case "original":
      return String(segment.id);
    case "excerpt":
      return `${String(segment.id)}~`;
    case "recalled":
      return `+(${segment.passages.map(({ id }) => String(id)).join(",")})`;
    case "summary":
      return `S${String(segment.id)}[${String(segment.covers.start)}-${String(segment.covers.end - 1)}]`;
    case "omitted":
      return `-[${String(segment.covers.start)}-${String(segment.covers.end - 1)}]`;
  }
}

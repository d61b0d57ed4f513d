/** Content of an object of the replica, as its lines. */

import { contentPieces, type OutgoingContent } from "../../../src/core/replica/segmentContent.ts";

export function contentLines(content: OutgoingContent): readonly string[] {
  return Buffer.concat([...contentPieces(content)].map((piece) => Buffer.from(piece)))
    .toString()
    .split("\n");
}

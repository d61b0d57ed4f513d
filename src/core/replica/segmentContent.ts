/** Content of an object of the replica, before it is compressed and encrypted: JSON lines, the first a header. */

import { validationError, type ValidationError } from "../errors.ts";
import type { ObjectHash, SegmentInfo } from "../history/segmentInfo.ts";
import type { ConversationId } from "../ids.ts";
import { listIn, member, parseJson } from "../json.ts";
import { omit } from "../omit.ts";
import { err, ok, type Result } from "../result.ts";
import type { OutgoingRecord, WireRecord } from "./wireRecord.ts";

/** Of the form of objects; a newer one is left alone until Forge is updated. */
export const CONTENT_VERSION = 1;

/** A segment, and what its references need. Its hash is that of the object in which it was published. */
export interface SegmentContent {
  readonly info: Omit<SegmentInfo, "hash">;
  /** Segments that references name. */
  readonly segments: readonly ObjectHash[];
  readonly records: readonly WireRecord[];
}

/** Segments in one object that replaces those in which they were. */
export interface PackContent {
  readonly segments: readonly (SegmentContent & { readonly hash: ObjectHash })[];
  /** Objects that it replaces. */
  readonly replaces: readonly ObjectHash[];
  /** Erasing segments whose messages it has no text of, nor anything made of them. */
  readonly without: readonly ObjectHash[];
}

export type ObjectContent =
  | { readonly kind: "segment"; readonly conversation: ConversationId; readonly segment: SegmentContent }
  | { readonly kind: "pack"; readonly conversation: ConversationId; readonly pack: PackContent };

/** A segment whose records are on their way into an object. */
export interface OutgoingSegment extends Omit<SegmentContent, "records"> {
  readonly records: readonly OutgoingRecord[];
}
export interface OutgoingPack extends Omit<PackContent, "segments"> {
  readonly segments: readonly (OutgoingSegment & { readonly hash: ObjectHash })[];
}
export type OutgoingContent =
  | { readonly kind: "segment"; readonly conversation: ConversationId; readonly segment: OutgoingSegment }
  | { readonly kind: "pack"; readonly conversation: ConversationId; readonly pack: OutgoingPack };

/** A part of a text, or its bytes in UTF-8. */
export type TextPiece = string | Uint8Array;

/** One line for the object, one for each segment, one for each record; in pieces, for whoever needs the bytes anyway. */
export function* contentPieces(content: OutgoingContent): Generator<TextPiece> {
  const { kind, conversation } = content;
  const pack = content.kind === "pack" ? content.pack : undefined;
  const segments = content.kind === "pack" ? content.pack.segments : [content.segment];
  const { replaces, without } = pack ?? {};
  yield JSON.stringify({ version: CONTENT_VERSION, kind, conversation, count: segments.length, replaces, without });
  for (const { records, ...segment } of segments) {
    yield `\n${JSON.stringify({ ...segment, lines: records.length })}`;
    for (const record of records) {
      yield "\n";
      if (record.kind !== "line") {
        yield JSON.stringify(record);
        continue;
      }
      yield record.start;
      yield record.json;
      yield "}";
    }
  }
}

/**
 * Checks the frame. The records are as their writer made them: whoever has the key wrote them, and the cipher tells every
 * change. Fails on another version: a newer Forge's.
 */
export function contentOf(lines: readonly string[]): Result<ObjectContent, ValidationError> {
  const [first, ...others] = lines;
  const header = readLine(first);
  const version = member(header, "version");
  if (version !== CONTENT_VERSION) return err(validationError("version", String(version), String(CONTENT_VERSION)));
  const conversation = member(header, "conversation") as ConversationId;
  const count = Number(member(header, "count"));
  const segments: (SegmentContent & { readonly hash: ObjectHash })[] = [];
  let at = 0;
  while (segments.length < count) {
    const line = readLine(others[at++]);
    const length = Number(member(line, "lines"));
    const records = others.slice(at, at + length).map(readLine);
    if (!Number.isSafeInteger(length) || records.length !== length || records.includes(undefined))
      return err(validationError("records", String(records.length), String(length)));
    at += length;
    const segment = omit(line as SegmentContent & { readonly hash: ObjectHash; readonly lines: number }, "lines");
    segments.push({ ...segment, records: records as readonly WireRecord[] });
  }
  if (at !== others.length) return err(validationError("records", String(others.length), String(at)));
  if (member(header, "kind") === "pack") {
    const replaces = listIn(header, "replaces") as readonly ObjectHash[];
    const without = listIn(header, "without") as readonly ObjectHash[];
    return ok({ kind: "pack", conversation, pack: { segments, replaces, without } });
  }
  const [segment] = segments;
  return segment === undefined
    ? err(validationError("segments", "0", "1"))
    : ok({ kind: "segment", conversation, segment });
}

function readLine(line: string | undefined): unknown {
  const parsed = parseJson(line ?? "");
  return parsed.ok ? parsed.value : undefined;
}

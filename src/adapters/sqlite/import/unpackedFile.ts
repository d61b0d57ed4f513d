/** Files that a tool has compressed, as Codex does with older sessions. */

import { closeSync, createReadStream, createWriteStream, openSync, readSync } from "node:fs";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import * as zlib from "node:zlib";
import { validationError, type ValidationError } from "../../../core/errors.ts";
import { err, ok, type Result } from "../../../core/result.ts";

/** A text of one letter takes a thousandth of it. */
const MOST_BYTES = 4 * 1024 ** 3;

/**
 * The path of what is in `file`: itself, or `target`, to which it is unpacked if it is compressed; of a file that is cut,
 * what can be unpacked. Throws the system's error.
 */
export async function unpackedFile(file: string, target: string): Promise<Result<string, ValidationError>> {
  const kind = compressionOf(file);
  if (kind === undefined) return ok(file);
  const unpack = kind === "zstd" ? zstdStream() : zlib.createGunzip(CUT);
  if (unpack === undefined) return err(validationError("document.compression", "Zstandard", "a Node that has it"));
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.length;
      done(bytes > MOST_BYTES ? new TooMuch() : null, chunk);
    },
  });
  try {
    await pipeline(createReadStream(file), unpack, counted, createWriteStream(target, { mode: 0o600 }));
  } catch (error) {
    if (error instanceof TooMuch)
      return err(validationError("document", `more than ${MOST_BYTES} bytes when unpacked`, `at most ${MOST_BYTES}`));
    if (isOfUnpacking(error)) return err(validationError("document", "a damaged compressed file", "a JSON document"));
    throw error;
  }
  return ok(target);
}

export function isCompressed(file: string): boolean {
  return compressionOf(file) !== undefined;
}

/** Compressed bytes that are unpacked for a beginning. */
const BEGINNING_BYTES = 1 << 18;
const MOST_OF_BEGINNING = 1 << 26;

/** The first `most` bytes of a compressed file; empty if they cannot be unpacked. Throws the system's error. */
export function unpackedBeginning(file: string, most: number): string {
  const packed = beginningOf(file, BEGINNING_BYTES);
  const bounded = { ...CUT, maxOutputLength: MOST_OF_BEGINNING };
  try {
    const isZstd = compressionOf(file) === "zstd";
    if (isZstd && zstdStream() === undefined) return "";
    const { maxOutputLength } = bounded;
    const unpacked = isZstd ? zlib.zstdDecompressSync(packed, { maxOutputLength }) : zlib.gunzipSync(packed, bounded);
    return unpacked.toString("utf8", 0, most);
  } catch (error) {
    if (isOfUnpacking(error)) return "";
    throw error;
  }
}

/** A file that is cut ends where it is cut. */
const CUT = { finishFlush: zlib.constants.Z_SYNC_FLUSH };

class TooMuch extends Error {}

function compressionOf(file: string): "zstd" | "gzip" | undefined {
  const mark = beginningOf(file, 4).toString("hex");
  if (mark === "28b52ffd") return "zstd";
  return mark.startsWith("1f8b08") ? "gzip" : undefined;
}

function beginningOf(file: string, most: number): Buffer {
  const handle = openSync(file, "r");
  try {
    const bytes = Buffer.alloc(most);
    return bytes.subarray(0, readSync(handle, bytes, 0, most, 0));
  } finally {
    closeSync(handle);
  }
}

/** `undefined` before Node 22.15. */
function zstdStream(): Transform | undefined {
  return "createZstdDecompress" in zlib ? zlib.createZstdDecompress() : undefined;
}

/** Of the content, not of the disk. */
function isOfUnpacking(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    /^(?:Z_|ZSTD_|ERR_ZLIB_|ERR_ZSTD_|ERR_BUFFER_TOO_LARGE)/.test(String(error.code))
  );
}

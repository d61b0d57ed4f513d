/** Files that a tool has compressed, as Codex does with older sessions. */

import { createReadStream, createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
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
  const mark = await firstBytes(file);
  const isZstd = mark.startsWith("28b52ffd");
  if (!isZstd && !mark.startsWith("1f8b08")) return ok(file);
  const unpack = isZstd ? zstdStream() : zlib.createGunzip({ finishFlush: zlib.constants.Z_SYNC_FLUSH });
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

class TooMuch extends Error {}

/** The first bytes, as hexadecimal digits. */
async function firstBytes(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString("hex", 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** `undefined` before Node 22.15. */
function zstdStream(): Transform | undefined {
  return "createZstdDecompress" in zlib ? zlib.createZstdDecompress() : undefined;
}

/** Of the content, not of the disk. */
function isOfUnpacking(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^(?:Z_|ZSTD_|ERR_ZLIB_|ERR_ZSTD_)/.test(String(error.code));
}

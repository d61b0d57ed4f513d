/** Type and size of an image from its bytes: names and declared types are not trusted. Pure. */

import type { ImagePart } from "../../core/message.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { localize } from "../../protocol/localize.ts";

/** The limit of providers. */
const MOST_BYTES = 5_000_000;

/** The image as a message part; the error is for the user. */
export function imagePart(bytes: Uint8Array): Result<ImagePart, string> {
  const mediaType = mediaTypeOf(bytes);
  if (mediaType === undefined) return err(localize("This is not a PNG, JPEG, GIF or WebP image."));
  if (bytes.length > MOST_BYTES) return err(localize("The image is larger than 5 MB, which no model takes."));
  const size = sizeOf(mediaType, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const dataBase64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  return ok({ kind: "image", mediaType, dataBase64, ...size });
}

/** From the magic number; `undefined` for any other file. */
export function mediaTypeOf(bytes: Uint8Array): ImagePart["mediaType"] | undefined {
  const head = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(head)) return "image/gif";
  return head.startsWith("RIFF") && head.slice(8, 12) === "WEBP" ? "image/webp" : undefined;
}

type Size = Pick<ImagePart, "widthPx" | "heightPx">;

function sizeOf(mediaType: string, bytes: Buffer): Size {
  if (mediaType === "image/png" && bytes.length >= 24) {
    return { widthPx: bytes.readUInt32BE(16), heightPx: bytes.readUInt32BE(20) };
  }
  if (mediaType === "image/gif" && bytes.length >= 10) {
    return { widthPx: bytes.readUInt16LE(6), heightPx: bytes.readUInt16LE(8) };
  }
  return mediaType === "image/jpeg" ? jpegSize(bytes) : {};
}

/** Scans the segments up to the first frame header. */
function jpegSize(bytes: Buffer): Size {
  for (let at = 2; at + 9 < bytes.length;) {
    if (bytes[at] !== 0xff) return {};
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { heightPx: bytes.readUInt16BE(at + 5), widthPx: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return {};
}

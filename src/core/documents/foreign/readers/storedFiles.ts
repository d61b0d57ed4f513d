/** Pictures and documents that other tools store as base64 or as an address. */

import type { AttachmentPart, ImagePart } from "../../../message.ts";

interface StoredFile {
  /** Empty when unknown. */
  readonly mediaType: string;
  /** Base64; empty where the file holds only the address. */
  readonly data?: string;
  /** Empty when unknown. `data:` addresses hold the file. */
  readonly address?: string;
  /** Name for the user; a word for its kind when empty. */
  readonly label?: string;
}

/** A picture with its bytes is a picture; anything else is an attachment that says what it was. */
export function storedFile({ mediaType, data = "", address = "", label = "" }: StoredFile): ImagePart | AttachmentPart {
  const held = DATA_ADDRESS.exec(address.slice(0, LONGEST_HEAD));
  const type = (held?.[1] ?? "") || mediaType;
  const dataBase64 = (held === null ? data : address.slice(held[0].length)).replace(/\s+/g, "");
  if (type.startsWith("image/") && BASE64.test(dataBase64)) return { kind: "image", mediaType: type, dataBase64 };
  const kind = kindOf(type);
  const name = label || kind;
  if (held === null && address !== "") return { kind: "attachment", label: name, text: address };
  if (dataBase64 === "") {
    const missing = type.startsWith("image/") ? "A picture" : "A file";
    return { kind: "attachment", label: name, text: `[${missing} that the file does not contain]` };
  }
  const bytes = Math.floor((dataBase64.length * 3) / 4).toLocaleString("en-US");
  return { kind: "attachment", label: name, text: `[${kind}, ${bytes} bytes, not imported]` };
}

/** The text that stands in a tool result for a file beside it. */
export function standIn(file: ImagePart | AttachmentPart): string {
  return file.kind === "image" ? `[picture: ${file.mediaType}]` : `[${file.label}]`;
}

const DATA_ADDRESS = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w.+=-]+)*,/;
const LONGEST_HEAD = 300;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

function kindOf(mediaType: string): string {
  if (mediaType.startsWith("image/")) return "picture";
  return mediaType === "application/pdf" ? "PDF" : mediaType || "file";
}

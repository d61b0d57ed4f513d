/** Files and pictures of formats that hold them as addresses: whole in a data URL, or only referred to. */

import type { AttachmentPart, ImagePart } from "../../../message.ts";

const DATA_URL = /^data:(image\/[\w.+-]{1,40});base64,([A-Za-z0-9+/\s]+={0,2})\s*$/;

/** The picture itself where the address contains it, else its address. */
export function pictureAt(address: string, label = "picture"): ImagePart | AttachmentPart {
  const [, mediaType, data] = DATA_URL.exec(address) ?? [];
  if (mediaType !== undefined && data !== undefined)
    return { kind: "image", mediaType, dataBase64: data.replace(/\s+/g, "") };
  return /^https?:/.test(address)
    ? { kind: "attachment", label, text: address }
    : missingFile(label, "picture", address);
}

/** A file by its name, with what is known of it. */
export function missingFile(label: string, kind: string, ...facts: readonly string[]): AttachmentPart {
  const known = [kind, ...facts].filter((fact) => fact !== "");
  return { kind: "attachment", label: label || kind, text: `[${known.join(", ")}, not in the file]` };
}

export function bytesIn(size: unknown): string {
  return typeof size === "number" && size > 0 ? `${size.toLocaleString("en-US")} bytes` : "";
}

/** Attachments and images of a message that is not in the history yet, read from its journal row. */

import type { AttachmentPart, ImagePart } from "../message.ts";

export type AddedPart = AttachmentPart | ImagePart;

/** Malformed parts are skipped. */
export function readAddedParts(value: unknown): readonly AddedPart[] {
  return Array.isArray(value) ? value.flatMap((part: unknown) => readAddedPart(part) ?? []) : [];
}

function readAddedPart(value: unknown): AddedPart | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const text = (name: string): string | undefined => {
    const found: unknown = Reflect.get(value, name);
    return typeof found === "string" ? found : undefined;
  };
  const [kind, label, content, uri] = [text("kind"), text("label"), text("text"), text("uri")];
  if (kind === "attachment" && label !== undefined && content !== undefined) {
    return { kind, label, text: content, ...(uri === undefined ? {} : { uri }) };
  }
  const [mediaType, dataBase64] = [text("mediaType"), text("dataBase64")];
  if (kind !== "image" || mediaType === undefined || dataBase64 === undefined) return undefined;
  const widthPx: unknown = Reflect.get(value, "widthPx");
  const heightPx: unknown = Reflect.get(value, "heightPx");
  const size = typeof widthPx === "number" && typeof heightPx === "number" ? { widthPx, heightPx } : {};
  return { kind, mediaType, dataBase64, ...size };
}

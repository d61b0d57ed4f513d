/** What was added to a message, as the view shows it. Pure. */

import type { Message, Part } from "../core/message.ts";
import type { AttachmentKind, AttachmentView } from "../protocol/attachmentView.ts";

/** The attachments of a message, in its order. */
export function attachmentsOf(message: Message): readonly AttachmentView[] {
  return message.parts.flatMap((part, index) => attachmentView(part, String(index), null) ?? []);
}

/** A part as an attachment; `undefined` for one that is none. */
export function attachmentView(part: Part, attachmentId: string, tokens: number | null): AttachmentView | undefined {
  if (part.kind === "image") return { attachmentId, kind: "image", label: imageLabel(part), tokens };
  if (part.kind !== "attachment") return undefined;
  return { attachmentId, kind: kindOf(part.label), label: part.label, tokens };
}

function imageLabel({ mediaType, widthPx, heightPx }: Extract<Part, { kind: "image" }>): string {
  const type = mediaType.replace("image/", "").toUpperCase();
  const size = widthPx === undefined || heightPx === undefined ? "" : ` ${String(widthPx)} × ${String(heightPx)}`;
  return `${type} image${size}`;
}

/** Labels of what is no file begin with a word of this list. */
const KINDS: readonly (readonly [string, AttachmentKind])[] = [
  ["Problems", "problems"],
  ["Git diff", "diff"],
  ["Terminal", "terminal"],
  ["Open editors", "editors"],
  ["Selection", "selection"],
  ["Folder", "folder"],
  ["Symbol", "symbol"],
];

function kindOf(label: string): AttachmentKind {
  return KINDS.find(([word]) => label === word || label.startsWith(`${word} `))?.[1] ?? "file";
}

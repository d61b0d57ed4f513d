/** Attachments of messages as the webview shows them. Pure. */

import type { AttachmentPart, Message, Part } from "../../core/message.ts";
import { pastedLines } from "../../core/journal/pastedText.ts";
import type { AttachmentKind, AttachmentView } from "../../protocol/attachmentView.ts";
import { parseConversationAddress, type ConversationPlace } from "../../protocol/conversationLink.ts";
import { localize, plural } from "../../protocol/localize.ts";

/** In the order of the message; `isExcluded`: indices of the parts that are excluded from requests. */
export function attachmentsOf(message: Message, leftOut: readonly number[] = []): readonly AttachmentView[] {
  return message.parts.flatMap((part, index) => {
    const view = attachmentView(part, String(index), null);
    return view === undefined ? [] : [{ ...view, isExcluded: leftOut.includes(index) }];
  });
}

/** `undefined` for a part that is no attachment. */
export function attachmentView(part: Part, attachmentId: string, tokens: number | null): AttachmentView | undefined {
  if (part.kind === "image") return { attachmentId, kind: "image", label: imageLabel(part), tokens, isExcluded: false };
  if (part.kind !== "attachment") return undefined;
  return { attachmentId, ...shownLabel(part), tokens, isExcluded: false };
}

function imageLabel({ mediaType, widthPx, heightPx }: Extract<Part, { kind: "image" }>): string {
  const type = mediaType.replace("image/", "").toUpperCase();
  return widthPx === undefined || heightPx === undefined
    ? localize("{0} image", type)
    : localize("{0} image {1} × {2}", type, widthPx, heightPx);
}

/** Place of the conversation that an attachment was made of. */
export function attachedConversation(uri: string | undefined): ConversationPlace | undefined {
  return uri === undefined ? undefined : parseConversationAddress(uri);
}

/** First words of labels that name no file; they are stored in English, and models read them. */
const NO_FILES: Readonly<Record<string, { readonly kind: AttachmentKind; readonly shown: string }>> = {
  Problems: { kind: "problems", shown: localize("Problems") },
  "Git diff": { kind: "diff", shown: localize("Git diff") },
  Terminal: { kind: "terminal", shown: localize("Terminal") },
  "Open editors": { kind: "editors", shown: localize("Open editors") },
  Selection: { kind: "selection", shown: localize("Selection") },
  Folder: { kind: "folder", shown: localize("Folder") },
  Symbol: { kind: "symbol", shown: localize("Symbol") },
};

function shownLabel({ label, uri }: AttachmentPart): Pick<AttachmentView, "kind" | "label"> {
  if (attachedConversation(uri) !== undefined)
    return { kind: "conversation", label: label.replace(/^Conversation /, "") };
  const lines = pastedLines(label);
  if (lines !== undefined) {
    const shown = plural(lines, "Pasted text, 1 line", "Pasted text, {0} lines");
    return { kind: "pasted", label: shown };
  }
  for (const [word, { kind, shown }] of Object.entries(NO_FILES)) {
    if (label === word || label.startsWith(`${word} `)) return { kind, label: `${shown}${label.slice(word.length)}` };
  }
  return { kind: "file", label };
}

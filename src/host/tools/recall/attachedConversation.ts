/** The text of a conversation that the user added to a message of another one. All of it is data that others wrote. */

import type { ConversationDigest } from "../../../core/documents/conversationDigest.ts";
import { conversationAddress } from "../../../protocol/conversationLink.ts";
import { counted, dataText, fenced, sanitizeText } from "../resultText.ts";
import { headOf, nameOf, type OtherConversation } from "./otherConversations.ts";

/** In English, as it is stored and models read it. */
export function attachedLabel(title: string): string {
  return `Conversation ${sanitizeText(title).text}`;
}

export function attachedText({ items, omitted }: ConversationDigest, other: OtherConversation): string {
  const told = items.map((item) => {
    const rest = item.isCut ? "\n[The rest is left out.]" : "";
    const head =
      item.kind === "message"
        ? headOf(other, item.entry)
        : `Summary of messages ${String(item.first + 1)} to ${String(item.last + 1)}:`;
    return `${head}\n${fenced(item.text)}${rest}`;
  });
  const clean = sanitizeText(told.join("\n\n"));
  const address = conversationAddress({ conversationId: other.id, messageId: null });
  const title = sanitizeText(other.title).text;
  const notes = [
    `The user added this; it can be named to them as a link: [${title}](${address}).`,
    ...(omitted === 0
      ? []
      : [
          `${counted(omitted, "earlier message or summary", "earlier messages or summaries")} did not fit and are left out.`,
        ]),
  ];
  return dataText({ heading: nameOf({ ...other, title }), body: clean.text, changes: clean, notes });
}

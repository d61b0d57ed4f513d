import { messageNumber, type MessageId } from "../ids.ts";
import type { HistoryEntry } from "../message.ts";

/** The model that reads a heading. */
export interface HeadingReader {
  /** Name of a message, as the reader is to repeat it. */
  readonly nameOf: (id: MessageId) => string;
  /** Who answered in the conversation, from its point of view. */
  readonly assistantName: string;
}

/** The model that answers in the conversation; the chat makes links of these names. */
export const OWN_MODEL = {
  nameOf: (id) => `[message ${messageNumber(id)}](#message-${messageNumber(id)})`,
  assistantName: "you",
} satisfies HeadingReader;

/** "[message 118](#message-118), you, 2026-11-12 10:15 UTC:", with `notes` before the colon. */
export function messageHeading(
  { id, role, createdAtMs, batch }: Pick<HistoryEntry, "id" | "role" | "createdAtMs" | "batch">,
  reader: HeadingReader,
  notes: readonly string[] = [],
): string {
  const speaker = role === "user" ? (batch === undefined ? "the user" : "a tool") : reader.assistantName;
  const date = new Date(createdAtMs);
  const time = Number.isNaN(date.getTime()) ? [] : [`${date.toISOString().slice(0, 16).replace("T", " ")} UTC`];
  return `${[reader.nameOf(id), speaker, ...time, ...notes].join(", ")}:`;
}

/**
 * An answer may be continued by others, each of which names the one before. They are messages of their own, and for a
 * reader one answer: only the next visible message continues one.
 */

import type { MessageId } from "../ids.ts";
import type { HistoryEntry, Message, Part } from "../message.ts";
import type { FullHistory } from "./fullHistory.ts";

/** The messages of the answer that message `id` belongs to, oldest first; `id` alone for any other message. */
export function answerParts(history: FullHistory, id: MessageId): readonly MessageId[] {
  const parts = [id];
  for (let at = continuedBy(history, id); at !== undefined; at = continuedBy(history, at)) parts.unshift(at);
  for (let next = nextVisible(history, id); next?.continues === parts.at(-1) && next !== undefined;) {
    parts.push(next.id);
    next = nextVisible(history, next.id);
  }
  return parts;
}

/** The message under which `id` is shown. */
export function answerStart(history: FullHistory, id: MessageId): MessageId {
  return answerParts(history, id)[0] ?? id;
}

/** The message before `id` that `id` continues. */
function continuedBy(history: FullHistory, id: MessageId): MessageId | undefined {
  const { continues } = history.entry(id);
  return continues !== undefined && nextVisible(history, continues)?.id === id ? continues : undefined;
}

/** `undefined` also if message `id` itself is hidden. */
function nextVisible(history: FullHistory, id: MessageId): HistoryEntry | undefined {
  if (!history.isVisible(history.entry(id))) return undefined;
  for (let at = id + 1; at < history.length; at++) {
    const entry = history.entries[at];
    if (entry !== undefined && history.isVisible(entry)) return entry;
  }
  return undefined;
}

/** One message of an answer and its continuation: their texts are one, in mid-sentence. */
export function joinedMessage(first: Message, rest: Message): Message {
  const last = first.parts.at(-1);
  const at = rest.parts.findIndex(({ kind }) => kind !== "thinking");
  const next = rest.parts[at];
  if (last?.kind !== "text" || next?.kind !== "text") return { ...first, parts: [...first.parts, ...rest.parts] };
  const text: Part = { kind: "text", text: last.text + next.text };
  const parts = [...first.parts.slice(0, -1), ...rest.parts.slice(0, at), text, ...rest.parts.slice(at + 1)];
  return { ...first, parts };
}

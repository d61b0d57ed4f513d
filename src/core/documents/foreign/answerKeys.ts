/**
 * Keys by which a conversation, and each of its questions and answers, is found again when its file is imported once more.
 * They depend on what was said and called, and on what came before: so a message keeps its key while the file grows.
 */

import { fingerprint } from "../../history/summaries/sourceHash.ts";
import type { Message, Part } from "../../message.ts";
import type { ForeignConversation } from "./foreignConversation.ts";
import type { MessageHolder } from "./heldMessages.ts";

/** A call without a result may get one later: then the answer is another one. */
export function answerKey(parentKey: string, messages: readonly Message[]): string {
  const said = messages.map(({ role, parts }) => `${role} ${parts.flatMap(wordsOf).join("\n")}`);
  return fingerprint([parentKey, ...said].join("\n"));
}

/** Not what readers may label or sort otherwise one day: thinking, pictures, contents of results. */
function wordsOf(part: Part): readonly string[] {
  switch (part.kind) {
    case "text":
    case "attachment":
      return part.text.trim() === "" ? [] : [part.text.trim()];
    case "toolCall":
      return [`${part.callId} ${part.name}`];
    case "toolResult":
      return [`${part.callId} ${part.outcome === "interrupted" && part.text === "" ? "open" : "done"}`];
    case "thinking":
    case "image":
      return [];
  }
}

const MOST_FIRST_MESSAGES = 6;
const MOST_FIRST_CHARACTERS = 1_000;

/** Its own id, or a fingerprint of how it begins. */
export function sourceIdOf({ source, messages }: ForeignConversation, holder: MessageHolder): string {
  if (source !== undefined && source.id !== "") return source.id;
  const first = messages.filter(({ parts }) => parts.length > 0).slice(0, MOST_FIRST_MESSAGES);
  const isDated = (first[0]?.createdAtMs ?? 0) > 0;
  const answer = first.findIndex(({ role }) => role === "assistant");
  const used = isDated ? 1 : answer < 0 ? first.length : answer + 1;
  const said = first.slice(0, used).map(({ role, createdAtMs, parts }) => {
    const texts = parts.flatMap((part) => wordsOf(holder.part(part)));
    return `${role} ${createdAtMs} ${texts.join("\n").slice(0, MOST_FIRST_CHARACTERS)}`;
  });
  return `#${fingerprint(said.join("\n"))}`;
}

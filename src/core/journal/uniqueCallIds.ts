/** Results refer to their call by its id, and some servers give one id twice, or none. */

import { unusedCallId } from "../ids.ts";
import type { Message, Part } from "../message.ts";

export function withUniqueCallIds(message: Message): Message {
  const used = new Set<string>();
  const parts = message.parts.map((part): Part => {
    if (part.kind !== "toolCall") return part;
    const base = part.callId.trim() === "" ? "call" : part.callId;
    const callId = unusedCallId(base, used);
    return callId === part.callId ? part : { ...part, callId };
  });
  return { ...message, parts };
}

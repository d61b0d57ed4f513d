/** The searchable text of a message: all that somebody wrote, read or ran. */

import type { Message, Part } from "../message.ts";
import { assertNever } from "../result.ts";

export function searchText(message: Message): string {
  return message.parts.map(textOfPart).join("\n");
}

function textOfPart(part: Part): string {
  switch (part.kind) {
    case "text":
    case "thinking":
    case "toolResult":
      return part.text;
    case "toolCall":
      return `${part.name} ${argumentsOf(part.inputJson)}`;
    case "attachment":
      return `${part.label}\n${part.text}`;
    case "image":
      return "";
    default:
      return assertNever(part);
  }
}

/** Unescapes JSON, as the "n" of an escaped line break would become a letter of the next word. */
function argumentsOf(json: string): string {
  if (!json.includes("\\")) return json;
  return json.replace(/\\(?:u([0-9a-fA-F]{4})|([nrtbf])|(.))/g, (_all, code: string | undefined, blank, other) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return blank === undefined ? String(other) : " ";
  });
}

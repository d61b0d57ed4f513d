/** The searchable text of a message: all that somebody wrote, read or ran. */

import type { Message, Part } from "../message.ts";
import { assertNever } from "../result.ts";

export function searchText(message: Message): string {
  return message.parts.map(textOfPart).join("\n");
}

/** The part of a message at a place of its searchable text, and the place in the part's own text, as far as it can be told. */
export function partAt({ parts }: Message, place: number): { readonly part: number; readonly offset: number } {
  let start = 0;
  for (const [index, part] of parts.entries()) {
    const { length } = textOfPart(part);
    if (place <= start + length || index === parts.length - 1) {
      return { part: index, offset: Math.max(0, place - start - leadOf(part)) };
    }
    start += length + 1;
  }
  return { part: 0, offset: 0 };
}

/** Units before the part's own text. */
function leadOf(part: Part): number {
  if (part.kind === "attachment") return part.label.length + 1;
  return part.kind === "toolCall" ? part.name.length + 1 : 0;
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

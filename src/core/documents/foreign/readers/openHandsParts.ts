import type { Part } from "../../../message.ts";
import type { LocatedValue } from "../../documentReader.ts";
import { optionalTimeMs } from "../foreignConversation.ts";

/** Times without a zone are those of the machine that it ran on, which are in UTC. */
export function localTimeMs({ value, path }: LocatedValue): number {
  const hasZone = typeof value !== "string" || /(?:Z|[+-]\d\d:?\d\d)$/.test(value);
  return optionalTimeMs({ value: hasZone ? value : `${value}Z`, path });
}

export function textPart(text: string): readonly Part[] {
  return text.trim() === "" ? [] : [{ kind: "text", text }];
}

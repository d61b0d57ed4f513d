/**
 * Messages of another tool's file while their places in the conversation are being found: what they consist of is in
 * memory, the contents are on disk.
 */

import { toolCallId } from "../../ids.ts";
import { parseJson } from "../../json.ts";
import type { Part } from "../../message.ts";
import type { ForeignMessage, HeldMessage, HeldPart } from "./foreignConversation.ts";

/** Texts that are written once and read again by the number that `add` returned. */
export interface TextStore {
  add(text: string): number;
  get(place: number): string;
}

export class MessageHolder {
  readonly #texts: TextStore;

  constructor(texts: TextStore) {
    this.#texts = texts;
  }

  hold({ message: { role, parts }, resultFiles, ...about }: ForeignMessage): HeldMessage {
    const files = resultFiles?.map(({ callId, part }) => ({ callId, part: this.#holdPart(part) }));
    const held = { ...about, role, parts: parts.map((part) => this.#holdPart(part)) };
    return files === undefined ? held : { ...held, resultFiles: files };
  }

  part({ kind, callId, place }: HeldPart): Part {
    if (place === undefined)
      return { kind: "toolResult", callId: callId ?? toolCallId(""), outcome: "interrupted", text: "" };
    const parsed = parseJson(this.#texts.get(place));
    if (!parsed.ok) throw new Error(`part ${place} is not what was written`);
    const part = parsed.value as Part;
    // The call of this result is not in the file.
    const isLost = part.kind === "toolResult" && kind === "attachment";
    return isLost ? { kind: "attachment", label: "tool result", text: part.text } : part;
  }

  #holdPart(part: Part): HeldPart {
    const place = this.#texts.add(JSON.stringify(part));
    if (part.kind !== "toolCall" && part.kind !== "toolResult") return { kind: part.kind, place };
    return { kind: part.kind, callId: part.callId, place };
  }
}

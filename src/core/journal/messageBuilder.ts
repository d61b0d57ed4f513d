/** Puts the pieces of a streamed answer together into a message, in the order in which they came. */

import type { Message, Part, ThinkingPart, ToolCallPart } from "../message.ts";
import type { MessageEvent } from "./stepContent.ts";

type Draft =
  | { readonly kind: "text"; readonly texts: string[] }
  | {
      readonly kind: "thinking";
      readonly texts: string[];
      signature: string | undefined;
      readonly startedAtMs: number;
      endedAtMs: number;
    }
  | { readonly kind: "toolCall"; readonly call: Pick<ToolCallPart, "callId" | "name">; readonly texts: string[] };

/** Collects pieces; text costs are linear in its length. */
export class MessageBuilder {
  readonly #drafts: Draft[] = [];

  /** Adds a piece that became durable at `atMs`, in milliseconds since 1970. Arguments of an unknown call are left out: the call that they belong to was never begun. */
  add(event: MessageEvent, atMs: number): void {
    const last = this.#drafts.at(-1);
    // A stretch of thinking ends when something else begins; what comes behind its signature is no part of it.
    if (last?.kind === "thinking" && last.signature === undefined) last.endedAtMs = atMs;
    switch (event.kind) {
      case "text":
        if (last?.kind === "text") last.texts.push(event.text);
        else this.#drafts.push({ kind: "text", texts: [event.text] });
        return;
      case "thinking":
        // A signature closes a stretch of thinking; what follows is another one.
        if (last?.kind === "thinking" && last.signature === undefined) last.texts.push(event.text);
        else this.#drafts.push(thinking([event.text], undefined, atMs));
        return;
      case "thinkingSignature":
        // Signatures come whole: another one is of another stretch, which has no text.
        if (last?.kind === "thinking" && last.signature === undefined) last.signature = event.signature;
        else this.#drafts.push(thinking([], event.signature, atMs));
        return;
      case "toolCallStart":
        this.#drafts.push({ kind: "toolCall", call: { callId: event.callId, name: event.name }, texts: [] });
        return;
      case "toolCallArgs":
        this.#drafts
          .findLast((draft) => draft.kind === "toolCall" && draft.call.callId === event.callId)
          ?.texts.push(event.json);
        return;
    }
  }

  /** The message so far, of role `assistant`. */
  message(): Message {
    return { role: "assistant", parts: this.#drafts.map(partOf) };
  }
}

function thinking(texts: string[], signature: string | undefined, atMs: number): Draft {
  return { kind: "thinking", texts, signature, startedAtMs: atMs, endedAtMs: atMs };
}

function partOf(draft: Draft): Part {
  const text = draft.texts.join("");
  switch (draft.kind) {
    case "text":
      return { kind: "text", text };
    case "thinking": {
      const { signature, startedAtMs, endedAtMs } = draft;
      const durationMs = endedAtMs - startedAtMs;
      const part: ThinkingPart = {
        kind: "thinking",
        text,
        ...(signature === undefined ? {} : { signature }),
        ...(durationMs > 0 ? { durationMs } : {}),
      };
      return part;
    }
    case "toolCall":
      return { kind: "toolCall", ...draft.call, inputJson: text };
  }
}

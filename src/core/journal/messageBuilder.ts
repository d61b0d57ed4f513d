/** Assembles the events of a streamed answer into a message, in order of arrival. */

import type { Message, Part, ThinkingPart, ToolCallPart } from "../message.ts";
import type { ContentEvent } from "./stepContent.ts";

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

/** Runs in time linear in the length of the text. */
export class MessageBuilder {
  readonly #drafts: Draft[] = [];

  /** Adds an event that became durable at `atMs`. Arguments of a call that was never started are dropped. */
  add(event: ContentEvent, atMs: number): void {
    const last = this.#drafts.at(-1);
    // A thinking part lasts until its signature, or until another part begins.
    if (last?.kind === "thinking" && last.signature === undefined) last.endedAtMs = atMs;
    switch (event.kind) {
      case "text":
        if (last?.kind === "text") last.texts.push(event.text);
        else this.#drafts.push({ kind: "text", texts: [event.text] });
        return;
      case "thinking":
        // A signature ends a thinking part; what follows is another one.
        if (last?.kind === "thinking" && last.signature === undefined) last.texts.push(event.text);
        else this.#drafts.push(thinking([event.text], undefined, atMs));
        return;
      case "textWasThinking":
        for (const [index, draft] of this.#drafts.entries()) {
          if (draft.kind === "text") this.#drafts[index] = thinking([draft.texts.join("").trim()], undefined, atMs);
        }
        return;
      case "thinkingSignature":
        // Signatures arrive whole: a second one belongs to another thinking part, which has no text.
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

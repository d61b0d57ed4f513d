/** Decoder for Messages streams. Ignores unknown events and blocks: the service adds kinds of blocks every month. */

import type { RawMessageStreamEvent } from "@anthropic-ai/sdk/resources/messages/messages";
import type { ToolCallId } from "../../core/ids.ts";
import { CallIds } from "../http/callIds.ts";
import { stopReasonOf } from "../http/stopReasons.ts";
import { member, stringField } from "../../core/json.ts";
import { UsageCounts } from "../http/usage.ts";
import type { StopReason, StreamEvent } from "../../core/stream/streamEvent.ts";

/** Prefix of signatures that stand for redacted thinking, which has no text. */
export const REDACTED_PREFIX = "redacted:";

type Block = Extract<RawMessageStreamEvent, { type: "content_block_start" }>["content_block"];

/** State of an open block, by its index. */
type OpenBlock =
  | { readonly kind: "tool"; readonly callId: ToolCallId; readonly input: unknown; readonly hasArgs: boolean }
  | { readonly kind: "thinking"; readonly signature: string };

export class AnthropicDecoder {
  readonly #open = new Map<number, OpenBlock>();
  readonly #begun = new Set<number>();
  readonly #callIds = new CallIds();
  readonly #usage = new UsageCounts();
  #stopReason = "";
  #called = false;
  #isEnded = false;

  decode(event: RawMessageStreamEvent): readonly StreamEvent[] {
    switch (event.type) {
      case "message_start":
        return this.#countUsage(member(event, "message"));
      case "content_block_start":
        return this.#startBlock(event.index, event.content_block);
      case "content_block_delta":
        return this.#addDelta(event.index, event.delta);
      case "content_block_stop":
        return this.#finishBlock(event.index);
      case "message_delta":
        this.#stopReason = stringField(member(event, "delta"), "stop_reason") || this.#stopReason;
        return this.#countUsage(event);
      case "message_stop":
        this.#isEnded = true;
        return [{ kind: "done", stopReason: this.#reason() }];
      default:
        return [];
    }
  }

  /** Terminal event for gateways that send a stop reason but no `message_stop`. */
  end(): readonly StreamEvent[] {
    const isWhole = !this.#isEnded && this.#stopReason !== "" && this.#open.size === 0;
    return isWhole ? [{ kind: "done", stopReason: this.#reason() }] : [];
  }

  #countUsage(holder: unknown): readonly StreamEvent[] {
    this.#usage.add(holder);
    return [{ kind: "usage", usage: this.#usage.soFar }];
  }

  /** Some gateways send their own stop reasons, or none, even when the model waits for tool results. */
  #reason(): StopReason {
    const reason = stopReasonOf(this.#stopReason) ?? OWN_REASONS.get(this.#stopReason) ?? "endTurn";
    return reason === "endTurn" && this.#called ? "toolUse" : reason;
  }

  /** Ignores repeated starts. After a block has stopped, its index may be used again. Any field may be missing. */
  #startBlock(index: number, block: Block): readonly StreamEvent[] {
    if (this.#begun.has(index)) return [];
    this.#begun.add(index);
    switch (block.type) {
      case "text":
        return text(stringField(block, "text"));
      case "thinking":
        this.#open.set(index, { kind: "thinking", signature: stringField(block, "signature") });
        return thinking(stringField(block, "thinking"));
      case "redacted_thinking":
        return [{ kind: "thinkingSignature", signature: REDACTED_PREFIX + stringField(block, "data") }];
      case "tool_use": {
        const callId = this.#callIds.next(stringField(block, "id"));
        this.#called = true;
        this.#open.set(index, { kind: "tool", callId, input: member(block, "input") ?? {}, hasArgs: false });
        return [{ kind: "toolCallStart", callId, name: stringField(block, "name") }];
      }
      default:
        return [];
    }
  }

  #addDelta(index: number, delta: unknown): readonly StreamEvent[] {
    const open = this.#open.get(index);
    switch (stringField(delta, "type")) {
      case "text_delta":
        return text(stringField(delta, "text"));
      case "thinking_delta":
        return thinking(stringField(delta, "thinking"));
      case "signature_delta":
        this.#open.set(index, { kind: "thinking", signature: joinedSignature(open, stringField(delta, "signature")) });
        return [];
      case "input_json_delta": {
        const json = stringField(delta, "partial_json");
        if (open?.kind !== "tool" || json === "") return [];
        this.#open.set(index, { ...open, hasArgs: true });
        return [{ kind: "toolCallArgs", callId: open.callId, json }];
      }
      default:
        return [];
    }
  }

  #finishBlock(index: number): readonly StreamEvent[] {
    const open = this.#open.get(index);
    this.#open.delete(index);
    this.#begun.delete(index);
    if (open?.kind === "thinking" && open.signature !== "") {
      return [{ kind: "thinkingSignature", signature: open.signature }];
    }
    // A call without parameters streams no input: the service sent the whole of it, `{}`, in the start event.
    if (open?.kind === "tool" && !open.hasArgs) {
      return [{ kind: "toolCallArgs", callId: open.callId, json: JSON.stringify(open.input) }];
    }
    return [];
  }
}

/** Some gateways send a signature in pieces, some repeat it. */
function joinedSignature(open: OpenBlock | undefined, piece: string): string {
  const earlier = open?.kind === "thinking" ? open.signature : "";
  return piece.startsWith(earlier) ? piece : earlier + piece;
}

const OWN_REASONS: ReadonlyMap<string, StopReason> = new Map<string, StopReason>([
  ["stop_sequence", "stopSequence"],
  ["tool_use", "toolUse"],
]);

function text(piece: string): readonly StreamEvent[] {
  return piece === "" ? [] : [{ kind: "text", text: piece }];
}

function thinking(piece: string): readonly StreamEvent[] {
  return piece === "" ? [] : [{ kind: "thinking", text: piece }];
}

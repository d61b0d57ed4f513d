/** A provider that answers by a script and records its requests. */

import type { PreparedContext } from "../../../src/core/context/request/preparedContext.ts";
import type { ForgeError } from "../../../src/core/errors.ts";
import { textOf } from "../../../src/core/message.ts";
import type { CancelSignal } from "../../../src/core/cancellation.ts";
import type { Provider, StreamOptions } from "../../../src/core/stream/provider.ts";
import { ok } from "../../../src/core/result.ts";
import type { StopReason, StreamEvent } from "../../../src/core/stream/streamEvent.ts";

export interface Asked {
  readonly system: string;
  readonly prompt: string;
  readonly options: StreamOptions;
  readonly usedTokens: number;
  readonly budgetTokens: number;
}

/** Response to a request; `index` counts requests from 0. */
export type Script = (asked: Asked, index: number) => Scripted;

/** An answer, a failure, an answer without an end, or one that arrives only on cancellation. */
export type Scripted =
  | { readonly text: string; readonly thinking?: string; readonly stopReason?: StopReason }
  | { readonly error: ForgeError }
  | "endsWithoutEnd"
  | "waitsForCancel";

export class ScriptedModel implements Provider {
  readonly name = "scripted";
  readonly label = "Scripted";
  readonly asked: Asked[] = [];
  private readonly script: Script;

  constructor(script: Script) {
    this.script = script;
  }

  async *stream(prepared: PreparedContext, options: StreamOptions, cancel: CancelSignal): AsyncGenerator<StreamEvent> {
    const messages = await prepared.apiMessages();
    if (!messages.ok) throw new Error("no messages");
    const { usedTokens, budgetTokens } = prepared.usage();
    const prompt = messages.value.map(textOf).join("\n");
    const asked = { system: prepared.systemPrompt, prompt, options, usedTokens, budgetTokens };
    this.asked.push(asked);
    const scripted = this.script(asked, this.asked.length - 1);
    if (scripted === "waitsForCancel") {
      await new Promise<void>((resolve) => {
        if (cancel.aborted) resolve();
        cancel.addEventListener("abort", resolve);
      });
      yield { kind: "failed", error: { code: "CANCELLED" } };
    } else if (scripted === "endsWithoutEnd") {
      yield { kind: "text", text: "## Goal\nhalf an ans" };
    } else if ("error" in scripted) {
      yield { kind: "failed", error: scripted.error };
    } else {
      if (scripted.thinking !== undefined) yield { kind: "thinking", text: scripted.thinking };
      for (let at = 0; at < scripted.text.length; at += 500) {
        yield { kind: "text", text: scripted.text.slice(at, at + 500) };
      }
      const none = { cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
      yield { kind: "usage", usage: { inputTokens: 1000, outputTokens: 100, ...none } };
      yield { kind: "done", stopReason: scripted.stopReason ?? "endTurn" };
    }
  }

  listModels(): ReturnType<Provider["listModels"]> {
    return Promise.resolve(ok([]));
  }
}

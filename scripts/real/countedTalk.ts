import assert from "node:assert/strict";
import type { ModelId } from "../../src/core/ids.ts";
import { ContextManager } from "../../src/core/context/contextManager.ts";
import { DEFAULT_CONTEXT_SETTINGS } from "../../src/core/context/contextSettings.ts";
import type { PreparedContext } from "../../src/core/context/request/preparedContext.ts";
import type { ToolDefinition } from "../../src/core/context/request/requestOverhead.ts";
import { textMessage, type Message } from "../../src/core/message.ts";
import { ModelRegistry } from "../../src/core/models/modelRegistry.ts";
import { ok } from "../../src/core/result.ts";
import { testTokenCounter } from "../../test/support/models/tokenCounter.ts";
import { MODEL_WINDOW } from "./llamaServer.ts";
import { SYSTEM } from "./wireAnswer.ts";

/** A conversation of real messages that are sent as the application sends them. */
export class CountedTalk {
  readonly manager: ContextManager;
  readonly #messages: Message[] = [];

  constructor(model: ModelId, tools: readonly ToolDefinition[] = []) {
    const counter = testTokenCounter();
    const registry = new ModelRegistry();
    registry.setOverrides({ [model]: { contextWindow: MODEL_WINDOW, maxOutput: 512 } });
    this.manager = new ContextManager({
      registry,
      settings: DEFAULT_CONTEXT_SETTINGS,
      model,
      overhead: {
        systemPrompt: SYSTEM,
        systemTokens: counter.countMessage(textMessage("system", SYSTEM)),
        tools,
        toolsTokens: counter.countMessage(
          textMessage(
            "system",
            tools.map(({ inputSchemaJson, description, name }) => name + description + inputSchemaJson).join("\n"),
          ),
        ),
      },
      readMessages: (ids) =>
        Promise.resolve(ok(ids.map((id) => this.#messages[id]).filter((message) => message !== undefined))),
    });
  }

  add(message: Message): void {
    const tokens = testTokenCounter().countMessage(message);
    const record = this.manager.record(message, { state: "complete", createdAtMs: 1_000, tokens });
    this.#messages.push(message);
    this.manager.apply(record);
  }

  prepared(): PreparedContext {
    const prepared = this.manager.prepare();
    assert.ok(prepared.kind === "ready", `ready, not ${prepared.kind}`);
    return prepared.context;
  }
}

/** Texts to count, by name. */
export const TALK: readonly (readonly [name: string, text: string])[] = [
  ["English", "Please explain how tides work, and why there are two of them every day. ".repeat(8)],
  [
    "German",
    "Bitte erkläre die Gezeiten, und warum es täglich zwei Hochwasser gibt, in Süddeutschland nie. ".repeat(8),
  ],
  [
    "code",
    'export function clamp(value: number, low: number, high = 100): number {\n  return Math.min(high, Math.max(low, value)); // "in"\n}\n'.repeat(
      6,
    ),
  ],
  ["JSON", '{"path": "src/app.ts", "line": 42, "error": null, "items": [1, 2.5, "three"]}\n'.repeat(10)],
  ["Chinese", "请解释潮汐是如何形成的，以及为什么每天有两次涨潮。".repeat(8)],
];

/** "+1.3 %": the error of a count. */
export function percent(counted: number, billed: number): string {
  const error = ((counted - billed) / billed) * 100;
  return `${error >= 0 ? "+" : ""}${error.toFixed(1)} %`;
}

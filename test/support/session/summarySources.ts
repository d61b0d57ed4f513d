/** Builders for sources of summaries. */

import { messageId, toolCallId } from "../../../src/core/ids.ts";
import type { Message, Part } from "../../../src/core/message.ts";
import type { SummarySource } from "../../../src/core/summary/write/source.ts";
import { testTokenCounter } from "../models/tokenCounter.ts";

export function user(text: string): Message {
  return { role: "user", parts: [{ kind: "text", text }] };
}
export function assistant(text: string): Message {
  return { role: "assistant", parts: [{ kind: "text", text }] };
}
export function toolCall(name: string, input: unknown): Message {
  const part: Part = { kind: "toolCall", callId: toolCallId("call_1"), name, inputJson: JSON.stringify(input) };
  return { role: "assistant", parts: [part] };
}
export function toolResult(text: string, outcome: "ok" | "error" = "ok"): Message {
  return { role: "user", parts: [{ kind: "toolResult", callId: toolCallId("call_1"), outcome, text }] };
}
export function earlierSummary(content: string): Message {
  return { role: "system", parts: [{ kind: "text", text: content }] };
}

/** Sources with ids 0, 1, 2, …, turn numbers and token counts. */
export function sourcesOf(messages: readonly Message[]): readonly SummarySource[] {
  let turn = 0;
  return messages.map((message, index) => {
    if (message.role === "user" && message.parts.every(({ kind }) => kind === "text")) turn = index;
    return { id: messageId(index), turn: messageId(turn), message, tokens: testTokenCounter().countMessage(message) };
  });
}

/** A coding session of `turns` turns of about 600 tokens. Deterministic. */
export function codingSession(turns: number): readonly Message[] {
  return Array.from({ length: turns }, (_, turn) => codingTurn(turn)).flat();
}

function codingTurn(turn: number): readonly Message[] {
  const file = `src/modules/area${turn % 7}/handler${turn}.ts`;
  const noise = Array.from(
    { length: 12 },
    (_, i) => `  row ${turn * 31 + i}: value ${(turn * 7919 + i * 104729) % 9973}`,
  );
  return [
    user(
      `Please look at ${file}: the endpoint /api/v2/orders/${turn} answers after ${900 + turn} ms. ` +
        `Never call the billing service from test number ${turn}. What could it be?`,
    ),
    toolCall("read_file", { path: file, purpose: "find the slow query" }),
    toolResult(`export class Handler${turn} {\n  // reads the table\n  run() {}\n}\n${noise.join("\n")}`),
    toolCall("run", { command: `npm test -- --grep handler${turn}` }),
    toolResult(
      `1 failing\nTypeError: cannot read properties of undefined (reading 'row${turn}')\n${noise.join("\n")}`,
      "error",
    ),
    assistant(
      `I looked at \`${file}\`. The root cause is a missing index on the table \`orders_${turn}\`, so each request scans ` +
        `${12_000 + turn} rows. We decided to add the index in migration 00${turn}_orders.sql because a cache would go stale. ` +
        "It takes a moment to see why this matters: ".repeat(3) +
        `the query planner chooses a sequential scan. After the change the answer takes ${40 + turn} ms. ` +
        "I also considered a cache in front of it, and gave that up. ".repeat(2),
    ),
  ];
}

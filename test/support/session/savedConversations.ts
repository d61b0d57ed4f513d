import assert from "node:assert/strict";
import type { FullHistory } from "../../../src/core/history/fullHistory.ts";
import type { ReadContents } from "../../../src/core/history/readPages.ts";
import { savedOutline, saveConversation } from "../../../src/core/documents/savedConversation.ts";
import { messageId, modelId, stepId, summaryId, toolCallId } from "../../../src/core/ids.ts";
import { ok } from "../../../src/core/result.ts";
import { runSync } from "../../../src/core/cooperativeTask.ts";
import { counts, range, TestConversation } from "./conversation.ts";
import { loadConversation } from "../documents.ts";

export function contentsOf(conversation: TestConversation): ReadContents {
  return (ids) => Promise.resolve(ok(ids.map((id) => conversation.message(id))));
}

export function saved(conversation: TestConversation): Promise<string> {
  return documentOf(conversation.manager.history, contentsOf(conversation));
}

/** The document of a history with messages read by `read`. */
export async function documentOf(history: FullHistory, read: ReadContents): Promise<string> {
  const pieces: string[] = [];
  const done = await saveConversation(runSync(savedOutline(history)), read, (piece) =>
    Promise.resolve(void pieces.push(piece)),
  );
  assert.ok(done.ok);
  return pieces.join("");
}

export function loaded(json: string): TestConversation {
  const records = loadConversation(json);
  assert.ok(records.ok, records.ok ? "" : JSON.stringify(records.error));
  const conversation = new TestConversation();
  for (const record of records.value) conversation.store(record);
  return conversation;
}

/** A conversation of 17 messages with every kind of record. */
export function richConversation(): TestConversation {
  const conversation = new TestConversation().play("u50 t20:90,90 6*90/90 S0-5:100 S0-9:120 undo1 pin7 hide12-12");
  const sources = [{ conversation: "c", title: "", lastUsedAtMs: 5, messages: [1, 0] }];
  const found = { severity: "error", path: "a.ts", line: 3, column: 5, message: "No ‘b’." } as const;
  const problems = { listed: [found, { ...found, severity: "warning", path: "n.ipynb", cell: 2 }], more: 4 } as const;
  const parts = [
    { kind: "thinking", text: "hm", signature: "s" },
    { kind: "text", text: "\u2028 é \ud800" + "1".repeat(99) },
    { kind: "image", mediaType: "image/png", dataBase64: "AA==", widthPx: 1, heightPx: 2 },
    { kind: "attachment", label: "a.ts", uri: "file:///a.ts", text: "" },
    {
      kind: "toolResult",
      callId: toolCallId("a"),
      outcome: "denied",
      text: "no",
      title: "Run it",
      durationMs: 1.5,
      sources,
      problems,
    },
  ] as const;
  const step = stepId("01234567-0123-0123-0123-0123456789ab");
  const answered = { state: "interrupted", createdAtMs: 9_000, durationMs: 12.5, tokens: counts(5) } as const;
  const meta = { ...answered, model: modelId("m"), step };
  conversation.store(conversation.manager.record({ role: "assistant", parts }, meta));
  conversation.store({ kind: "title", title: "A title", by: "user", atMs: 3 });
  conversation.store({ kind: "setting", name: "strategy", value: "tree", atMs: 3 });
  conversation.store({ kind: "setting", name: "grant.tool.run", value: "conversation", atMs: 3 });
  conversation.store({ kind: "model", provider: "test", model: modelId("small"), atMs: 3 });
  const figures = { tokensBefore: 900, tokensAfter: 300, calls: 1, costUsd: 0.01, durationMs: 5, atMs: 7 };
  const facts = { factsKept: 1, factsTotal: 2 };
  const how = { strategy: "threshold", trigger: "manual", model: "m" } as const;
  const cause = { strategies: ["threshold"], budgetTokens: 3_892, requestModel: modelId("small") };
  const receipt = { summaries: [summaryId(0)], span: range(0, 6), ...how, ...cause, ...figures, ...facts };
  conversation.store({ kind: "receipt", receipt });
  const billed = { inputTokens: 900, outputTokens: 20, cacheReadTokens: 800, cacheWriteTokens: 50 };
  const usage = { kind: "usage", message: messageId(16), model: modelId("m"), ...billed, atMs: 9 } as const;
  conversation.store({ ...usage, costUsd: 0.002 });
  conversation.store({ ...usage, message: messageId(17) });
  return conversation;
}

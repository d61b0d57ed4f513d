import assert from "node:assert/strict";
import fc from "fast-check";
import { recountedRecord } from "../../../src/core/context/recountedRecords.ts";
import { FullHistory } from "../../../src/core/history/fullHistory.ts";
import type { ConversationRecord } from "../../../src/core/history/records.ts";
import type { Message, TokenCounts } from "../../../src/core/message.ts";
import { richConversation, saved } from "../../support/session/savedConversations.ts";
import { loadConversation } from "../../support/documents.ts";

/** Stands for a counter: characters of the message as JSON. */
function countTokens(message: Message): TokenCounts {
  const { length } = JSON.stringify(message);
  return { cl100k: length, o200k: 2 * length };
}

function recountedRecords(records: readonly ConversationRecord[]): readonly ConversationRecord[] {
  const history = new FullHistory();
  return records.map((record) => {
    const recounted = recountedRecord(record, history, { countTokens });
    history.apply(recounted);
    return recounted;
  });
}

describe("E:own exports edited by hand:", () => {
  const FIGURES = ["tokens", "sentTokens", "textClass", "tokenCount", "originalTokens"];

  it("no figure of tokens in the document survives its import", async () => {
    const json = await saved(richConversation());
    const recounted = (text: string): readonly unknown[] => {
      const records = loadConversation(text);
      assert.ok(records.ok, JSON.stringify(records));
      return recountedRecords(records.value);
    };
    const expected = recounted(json);
    const forged = fc.record({ cl100k: fc.nat(1e9), o200k: fc.nat(1e9) });
    fc.assert(
      fc.property(fc.array(forged, { minLength: 1 }), fc.constantFrom("code", "data", "cjk"), (counts, textClass) => {
        let next = 0;
        const edited = JSON.stringify(JSON.parse(json), (name, value: unknown) => {
          if (!FIGURES.includes(name)) return value;
          return name === "textClass" ? textClass : counts[next++ % counts.length];
        });
        assert.deepEqual(recounted(edited), expected);
      }),
      { numRuns: 30 },
    );
  });

  it("everything else stays, and the sums are those of what is sent", async () => {
    const records = loadConversation(await saved(richConversation()));
    assert.ok(records.ok);
    const recounted = recountedRecords(records.value);
    const withoutFigures = (all: readonly unknown[]): unknown =>
      JSON.parse(JSON.stringify(all, (name, value: unknown) => (FIGURES.includes(name) ? undefined : value)));
    assert.deepEqual(withoutFigures(recounted), withoutFigures(records.value));
    const history = new FullHistory();
    for (const record of recounted) history.apply(record);
    for (const { content, covers, tokenCount, originalTokens } of history.summaries) {
      const message = { role: "system", parts: [{ kind: "text", text: content }] } as const;
      assert.deepEqual([tokenCount, originalTokens], [countTokens(message), history.tokensIn(covers)]);
    }
  });
});

/** The digest that a conversation gives another one. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { runSync } from "../../../src/core/cooperativeTask.ts";
import { conversationDigest, type ConversationDigest } from "../../../src/core/documents/conversationDigest.ts";
import { FullHistory } from "../../../src/core/history/fullHistory.ts";
import { messageId } from "../../../src/core/ids.ts";
import type { StoredMessage } from "../../../src/core/message.ts";
import { messageRecord } from "../../support/storage/storeBuilders.ts";

interface Told {
  readonly texts: readonly string[];
  readonly hidden?: readonly number[];
}

function conversation({ texts, hidden = [] }: Told) {
  const history = new FullHistory();
  const stored: StoredMessage[] = texts.map((text, id) => {
    const record = messageRecord(id, text);
    history.apply(record);
    return { entry: record.entry, message: record.message };
  });
  for (const id of hidden) {
    const range = { start: messageId(id), end: messageId(id + 1) };
    history.apply({ kind: "visibility", range, hidden: true, atMs: 0 });
  }
  const digest = (budgetTokens: number, matches?: readonly number[]): ConversationDigest =>
    runSync(conversationDigest(history, (id) => stored[id], budgetTokens, matches?.map(messageId)));
  return { digest, tokensOf: (id: number) => history.entry(messageId(id)).tokens.cl100k };
}

const textsOf = ({ items }: ConversationDigest): readonly string[] => items.map(({ text }) => text);

describe("the digest of a conversation", () => {
  const words = (count: number): string => "word ".repeat(count).trim();

  it("has all messages of a short conversation, oldest first, but no hidden ones", () => {
    const { digest } = conversation({ texts: ["one", "two", "three"], hidden: [1] });
    assert.deepEqual(textsOf(digest(1_000)), ["one", "three"]);
    assert.equal(digest(1_000).omitted, 0);
  });

  it("has the messages that match, and those beside them", () => {
    const { digest } = conversation({ texts: ["0", "1", "2", "3", "4", "5", "6"], hidden: [4] });
    assert.deepEqual(textsOf(digest(1_000, [5, 1])), ["0", "1", "2", "5", "6"]);
  });

  it("is the same for the same conversation, never holds what is hidden, and stays within its bound", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(300), { minLength: 1, maxLength: 12 }),
        fc.array(fc.nat(11), { maxLength: 4 }),
        fc.nat(2_000),
        (lengths, hidden, budgetTokens) => {
          const texts = lengths.map((count, id) => `m${String(id)} ${words(count)}`.trim());
          const made = conversation({ texts, hidden: [...new Set(hidden)].filter((id) => id < texts.length) });
          const digest = made.digest(budgetTokens);
          assert.deepEqual(made.digest(budgetTokens), digest);
          let spent = 0;
          for (const item of digest.items) {
            assert.ok(item.kind === "message" && !hidden.includes(item.entry.id));
            const whole = texts[item.entry.id] ?? "";
            assert.ok(item.isCut ? whole.startsWith(item.text) && item.text !== whole : item.text === whole);
            spent += (made.tokensOf(item.entry.id) * item.text.length) / whole.length;
          }
          assert.ok(spent <= budgetTokens + 1);
        },
      ),
      { numRuns: 100 },
    );
  });
});

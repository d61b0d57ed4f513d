import assert from "node:assert/strict";
import type { StorageFailed } from "../../../../src/core/errors.ts";
import { messageId, type MessageId } from "../../../../src/core/ids.ts";
import type { StoredMessage } from "../../../../src/core/message.ts";
import type { Result } from "../../../../src/core/result.ts";
import { SpokenConversation } from "../../../support/session/spokenConversation.ts";
import { assistant, user } from "../../../support/session/summarySources.ts";
import { MemoryStore } from "../../../support/storage/memoryStore.ts";

describe("a compaction of a long range", () => {
  const cases = [
    { messages: 1_000, words: 5, pages: [200, 200, 200, 200, 200] },
    { messages: 100, words: 500, pages: [15, 15, 15, 15, 15, 15, 10] },
    { messages: 6, words: 4_000, pages: [1, 1, 1, 1, 1, 1] },
    { messages: 2, words: 120_000, pages: [1, 1] },
  ];
  for (const { messages, words, pages } of cases) {
    it(`reads ${messages} messages of ${words} words in pages of at most 200 messages and 8,000 tokens`, async () => {
      const store = new RecordedStore();
      const conversation = new SpokenConversation({ store });
      const text = "word ".repeat(words);
      const said = Array.from({ length: messages }, (_, id) =>
        (id % 2 === 0 ? user : assistant)(`${String(id)} ${text}`),
      );
      await conversation.say(...said, ...Array.from({ length: 12 }, () => [user("And?"), assistant("Well.")]).flat());
      store.read.length = 0;
      const range = { start: messageId(0), end: messageId(messages) };
      const { done } = await conversation.compact({ trigger: "manual", range });
      assert.equal(done.ok, true);
      assert.deepEqual(
        store.read.map((ids) => ids.length),
        pages,
      );
      assert.deepEqual(
        store.read.flat(),
        Array.from({ length: messages }, (_, id) => id),
      );
    });
  }
});

class RecordedStore extends MemoryStore {
  readonly read: (readonly MessageId[])[] = [];

  override readMessages(ids: readonly MessageId[]): Promise<Result<readonly StoredMessage[], StorageFailed>> {
    this.read.push(ids);
    return super.readMessages(ids);
  }
}

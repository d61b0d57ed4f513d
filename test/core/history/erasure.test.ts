import assert from "node:assert/strict";
import {
  erasurePlaceholder,
  ERASED_TEXT,
  makeErasure,
  recordAfterErasure,
  type Erasure,
} from "../../../src/core/history/erasure.ts";
import { savedOutline, saveConversation } from "../../../src/core/documents/savedConversation.ts";
import { ERASED_SUMMARY } from "../../../src/core/history/summaries/summary.ts";
import { messageId, stepId, summaryId, toolCallId } from "../../../src/core/ids.ts";
import type { Message } from "../../../src/core/message.ts";
import { ok } from "../../../src/core/result.ts";
import { runSync } from "../../../src/core/cooperativeTask.ts";
import { counts, range, TestConversation } from "../../support/session/conversation.ts";
import { loaded, richConversation, saved } from "../../support/session/savedConversations.ts";

const callId = toolCallId("call");

describe("erasurePlaceholder", () => {
  const check = (what: string, parts: Message["parts"], expected: Message["parts"]): void => {
    it(`keeps ${what}`, () => {
      assert.deepEqual(erasurePlaceholder({ role: "user", parts }), { role: "user", parts: expected });
    });
  };
  const gone = { kind: "text", text: ERASED_TEXT } as const;
  const call = { kind: "toolCall", callId, name: "read", inputJson: '{"path":"secret"}' } as const;
  const emptyCall = { kind: "toolCall", callId, name: "read", inputJson: "{}" } as const;
  check("no text", [{ kind: "text", text: "secret" }], [gone]);
  check(
    "one placeholder for all text, thinking, images and attachments",
    [
      { kind: "thinking", text: "secret", signature: "secret" },
      { kind: "image", mediaType: "image/png", dataBase64: "secret" },
      { kind: "text", text: "secret" },
      { kind: "attachment", label: "secret", uri: "secret", text: "secret" },
    ],
    [gone],
  );
  check("tool calls without their input", [{ kind: "text", text: "secret" }, call], [gone, emptyCall]);
  check("tool calls without their input, with a placeholder if there was no text", [call], [gone, emptyCall]);
  check(
    "tool results without their text",
    [{ kind: "toolResult", callId, outcome: "error", text: "secret", title: "Read secret" }],
    [{ kind: "toolResult", callId, outcome: "error", text: ERASED_TEXT }],
  );
});

/** Erases messages like the store: rewrites the stored records and adds one. Returns the conversation as reopened. */
function erase(conversation: TestConversation, ids: readonly number[]): { erasure: Erasure; again: TestConversation } {
  const erased = ids.map((id) => ({
    entry: conversation.manager.history.entry(messageId(id)),
    message: erasurePlaceholder(conversation.message(messageId(id))),
    tokens: counts(7),
  }));
  const erasure = makeErasure(erased, { atMs: 99 });
  const again = new TestConversation();
  const newestTitle = conversation.records.findLastIndex(({ kind }) => kind === "title");
  for (const [index, record] of conversation.records.entries()) {
    again.store(recordAfterErasure(record, erasure, index === newestTitle));
  }
  again.store(erasure.record);
  conversation.store(erasure.record);
  return { erasure, again };
}

describe("erasing messages", () => {
  const summarized = (): TestConversation =>
    new TestConversation().play("12*90/90 S0-3:120 S4-7:120 S0-7:60 undo2 S12-15:40");

  it("erases the summaries that cover them, in any state, and no others", () => {
    const conversation = summarized();
    const { again } = erase(conversation, [5]);
    for (const { manager } of [conversation, again]) {
      const contents = manager.history.summaries.map(({ content }) => content === ERASED_SUMMARY);
      assert.deepEqual(contents, [false, true, true, false]);
      assert.deepEqual(
        [0, 1, 2, 3].map((id) => manager.history.isUsable(summaryId(id))),
        [true, false, false, true],
      );
    }
  });

  it("sends the originals in place of an erased summary, before and after reopening", () => {
    const conversation = summarized();
    const before = conversation.sent();
    const { again } = erase(conversation, [5, 6]);
    assert.notEqual(conversation.sent(), before);
    assert.equal(again.sent(), conversation.sent());
    assert.equal(again.manager.history.tokensIn(range(0, 16)).cl100k, 14 * 90 + 2 * 7);
    assert.equal(again.manager.history.entry(messageId(5)).erasedAtMs, 99);
    conversation.say("user", 10);
    again.say("user", 10);
    assert.equal(again.sent(), conversation.sent());
  });

  it("rejects redoing an erased summary and completing one that was pending", () => {
    const conversation = summarized();
    const pending = runSync(conversation.manager.prepareSummarization([8, 9, 10].map(messageId)));
    assert.ok(pending);
    erase(conversation, [5, 9]);
    const back = conversation.manager.summaryStateRecord(summaryId(2), "active", 1);
    assert.equal(back.ok ? "" : back.error.code, "VALIDATION_ERROR");
    assert.equal(conversation.complete(pending, 20), false);
  });

  it("allows a new summary of the remaining messages", () => {
    const conversation = summarized();
    const { again } = erase(conversation, [5]);
    for (const one of [conversation, again]) {
      one.summarize(4, 8, 30);
      assert.ok(one.manager.history.isUsable(summaryId(4)));
    }
    assert.equal(again.sent(), conversation.sent());
  });

  it("erases automatic titles and all titles that were replaced", () => {
    const titled = (...titles: readonly (readonly [string, "user" | "automatic"])[]): TestConversation => {
      const conversation = summarized();
      for (const [title, by] of titles) conversation.store({ kind: "title", title, by, atMs: 1 });
      return erase(conversation, [0]).again;
    };
    const automatic = titled(["of a message", "automatic"]);
    assert.equal(automatic.manager.history.title, undefined);
    const given = titled(["old", "user"], ["of a message", "automatic"], ["given", "user"]);
    assert.equal(given.manager.history.title?.title, "given");
    const words = JSON.stringify([automatic.records, given.records]);
    assert.ok(!words.includes("of a message") && !words.includes("old"));
  });

  it("rejects an erasure that changes a message's id, role or step", () => {
    const { erasure } = erase(summarized(), [5]);
    const [entry] = erasure.record.entries;
    assert.ok(entry);
    for (const changed of [{ id: messageId(4) }, { role: "user" as const }, { step: stepId("x") }]) {
      const record = { ...erasure.record, entries: [{ ...entry, ...changed }] };
      assert.throws(() => summarized().manager.apply(record), /stays where it is/);
    }
  });

  it("is retained in a saved conversation, which saves to the same bytes again", async () => {
    const conversation = richConversation();
    const { erasure } = erase(conversation, [0, 2, 16]);
    const pieces: string[] = [];
    const done = await saveConversation(
      runSync(savedOutline(conversation.manager.history)),
      (ids) =>
        Promise.resolve(
          ok(
            ids.map((id) => {
              const place = erasure.record.entries.findIndex((entry) => entry.id === id);
              return erasure.messages[place] ?? conversation.message(id);
            }),
          ),
        ),
      (piece) => {
        pieces.push(piece);
        return Promise.resolve();
      },
    );
    assert.ok(done.ok);
    const json = pieces.join("");
    const again = loaded(json);
    assert.equal(await saved(again), json);
    assert.deepEqual(
      again.manager.history.entries.filter(({ erasedAtMs }) => erasedAtMs === 99).map(({ id }) => Number(id)),
      [0, 2, 16],
    );
    assert.ok(!json.includes("user 0") && json.includes(ERASED_SUMMARY));
  });
});

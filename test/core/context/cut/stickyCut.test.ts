/** Spec §4, the cut is sticky: sent messages stay the same, byte for byte, until a record other than a message. */

import assert from "node:assert/strict";
import { DEFAULT_CONTEXT_SETTINGS } from "../../../../src/core/context/contextSettings.ts";
import { NO_OVERHEAD } from "../../../../src/core/context/request/requestOverhead.ts";
import { TestConversation, type ConversationOptions } from "../../../support/session/conversation.ts";

const messages = (first: number, last: number): string =>
  Array.from({ length: last - first + 1 }, (_, index) => String(first + index)).join(" ");

describe("§4 the sticky cut", () => {
  describe("only grows at its end with messages and tool calls", () => {
    const check = (title: string, script: string, talk: string, options?: ConversationOptions): void => {
      it(title, async () => {
        const conversation = new TestConversation(options).play(script);
        for (const word of talk.split(" ")) {
          const before = await conversation.ready().apiMessages();
          const [sentBefore, length] = [conversation.sent(), conversation.ready().segments.length];
          conversation.play(word);
          assert.ok(conversation.sent().startsWith(sentBefore), `${sentBefore} before ${word}`);
          const after = await conversation.ready().apiMessages();
          assert.ok(before.ok && after.ok);
          assert.deepEqual(after.value.slice(0, length), before.value.slice(0, length));
        }
      });
    };
    check("from the first message", "u10", "a20 u30 a40 t5:10,20 a9 u3");
    check("after summaries", "8*200/200 S0-9:100", "u50 a50 u50 a50 t20:30,40 a50");
    check("when recent messages become old", "6*100/100", "u10 a10 u10 a10 u10 a10 u10 a10");
    check("after a truncated tool result", "u10 t20:9000", "a50 u50 a50 u50 a50 u50");
    check("when originals could be restored", "8*200/200 S0-3:120 S4-7:120 S8-11:120 hide12-13", "a5 u5 a5", {
      model: "middle",
    });
    check("with fullHistory", "6*100/100", "u10 a10", { settings: { strategy: "fullHistory" } });
  });

  it("is not moved by a title or by reported usage", () => {
    const conversation = new TestConversation().play("8*200/200 S0-9:100");
    const sent = conversation.sent();
    conversation.store({ kind: "title", title: "A title", by: "automatic", atMs: 0 });
    conversation.manager.recordReportedUsage({ inputTokens: 3_000 });
    conversation.manager.usageStatus();
    assert.equal(conversation.sent(), sent);
  });

  it("is not moved by equal settings, which an opening sets", () => {
    const conversation = new TestConversation({ model: "large" }).play("8*600/600 model:small S0-11:300 model:large");
    const [before, revision] = [conversation.sent(), conversation.manager.revision];
    conversation.manager.configure({});
    conversation.manager.configure({ settings: { ...DEFAULT_CONTEXT_SETTINGS }, overhead: { ...NO_OVERHEAD } });
    assert.deepEqual([conversation.sent(), conversation.manager.revision], [before, revision]);
    conversation.manager.configure({ overhead: { ...NO_OVERHEAD, systemPrompt: "Be brief." } });
    assert.notEqual(conversation.manager.revision, revision);
  });

  describe("is computed again, and restores what fits, only at", () => {
    const check = (
      title: string,
      script: string,
      event: string,
      expected: readonly [before: string, after: string],
      options?: ConversationOptions,
    ): void => {
      it(title, () => {
        const conversation = new TestConversation(options).play(script);
        const before = conversation.sent();
        conversation.play(event);
        assert.deepEqual([before, conversation.sent()], expected);
      });
    };
    check("a compaction", "8*200/200", "S0-9:100", [messages(0, 15), "S0[0-9] 10 11 12 13 14 15"]);
    check("a new version of a summary", "4*100/100 S0-3:70", "S0-3:80", ["S0[0-3] 4 5 6 7", "S1[0-3] 4 5 6 7"]);
    check("an undo", "4*100/100 S0-3:70", "undo0", ["S0[0-3] 4 5 6 7", messages(0, 7)]);
    check("a redo", "4*100/100 S0-3:70 undo0", "redo0", [messages(0, 7), "S0[0-3] 4 5 6 7"]);
    check("a pin", "4*100/100 S0-3:70", "pin1", ["S0[0-3] 4 5 6 7", "S0[0-3] 1 4 5 6 7"]);
    check("an unpin", "4*100/100 S0-3:70 pin1", "unpin1", ["S0[0-3] 1 4 5 6 7", "S0[0-3] 4 5 6 7"]);
    check("an edit, which hides messages", "5*100/100 S0-3:70", "hide8-9", ["S0[0-3] 4 5 6 7 8 9", "S0[0-3] 4 5 6 7"]);
    check("an event that shows messages again", "4*100/100 hide2-3", "show2-3", ["0 1 4 5 6 7", messages(0, 7)]);
    check("a switch to a larger model, which restores originals", "4*100/100 S0-3:70", "model:large", [
      "S0[0-3] 4 5 6 7",
      messages(0, 7),
    ]);
    check("a switch to a smaller model, which restores summaries", "5*300/300 S0-5:100 model:large", "model:small", [
      messages(0, 9),
      "S0[0-5] 6 7 8 9",
    ]);
    check(
      "a switch to a model on which the originals of two blocks fit",
      "12*50/200 S0-7:200 S8-15:200",
      "model:middle",
      ["S0[0-7] S1[8-15] 16 17 18 19 20 21 22 23", messages(0, 23)],
    );
  });

  it("does not restore messages summarized since the last switch, so no compaction undoes itself", () => {
    const conversation = new TestConversation().play("4*100/100 model:large S0-3:70");
    for (const event of ["pin6", "hide4-4", "show4-4", "u5"]) conversation.play(event);
    assert.equal(conversation.sent(), "S0[0-3] 4 5 6 7 8");
  });

  it("uses existing summaries before new ones are due", () => {
    // The large model has 16 × 204 of originals restored; 80 % of the small one are 3,113.
    const conversation = new TestConversation({ model: "large" }).play(
      "8*200/200 S0-3:120 S4-7:120 S8-11:120 model:small",
    );
    assert.equal(conversation.sent(), `S0[0-3] ${messages(4, 15)}`);
    conversation.play("3*100/100");
    assert.equal(conversation.sent(), `S0[0-3] S1[4-7] S2[8-11] ${messages(12, 21)}`);
    assert.equal(conversation.manager.compactionStage(), "none");
  });

  it("is restored when the conversation returns to a model", () => {
    const conversation = new TestConversation({ model: "large" }).play("30*200/200");
    const first = conversation.sent();
    conversation.switchTo("small");
    conversation.compact("modelSwitch");
    conversation.switchTo("large");
    assert.equal(conversation.sent(), first);
    conversation.play("u10 model:small model:large");
    assert.equal(conversation.sent(), `${first} 60`);
  });

  it("has the user's edit of a summary, not the summary from before the switch, on the return to a model", () => {
    const conversation = new TestConversation().play("20*110/110 S0-19:100 model:middle edit0-19:70 model:small");
    assert.equal(conversation.sent(), messages(0, 39).replace(messages(0, 19), "S1[0-19]"));
    assert.equal(conversation.reopened().sent(), conversation.sent());
  });
});

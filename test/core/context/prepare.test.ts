import assert from "node:assert/strict";
import { TestConversation, type ConversationOptions } from "../../support/conversation.ts";

describe("ContextManager.prepare", () => {
  const check = (
    title: string,
    build: (conversation: TestConversation) => void,
    expected: string,
    options?: ConversationOptions,
  ): void => {
    it(title, () => {
      const conversation = new TestConversation(options);
      build(conversation);
      assert.equal(conversation.sent(), expected);
    });
  };

  check("sends nothing of an empty conversation", () => undefined, "");
  check("CX-T1 sends everything that fits", (c) => c.turns(3, 100, 100), "0 1 2 3 4 5");
  check("asks for a summary when it does not fit", (c) => c.turns(10, 200, 200), "summarizationNeeded");
  check(
    "uses a summary for what it covers",
    (c) => {
      c.turns(5, 300, 300);
      c.summarize(0, 6, 100);
    },
    "S0[0-5] 6 7 8 9",
  );
  check(
    "keeps a fresh summary even where the originals would fit",
    (c) => {
      c.turns(4, 100, 100);
      c.summarize(0, 4, 70);
    },
    "S0[0-3] 4 5 6 7",
  );
  check(
    "uses the newest version of a summary",
    (c) => {
      c.turns(4, 100, 100);
      c.summarize(0, 4, 70);
      c.summarize(0, 4, 80);
    },
    "S1[0-3] 4 5 6 7",
  );
  check(
    "uses the older version again when the newer is undone",
    (c) => {
      c.turns(4, 100, 100);
      c.summarize(0, 4, 70);
      c.summarize(0, 4, 80);
      c.setSummaryState(1, "undone");
    },
    "S0[0-3] 4 5 6 7",
  );
  check(
    "sends originals when the only summary is undone",
    (c) => {
      c.turns(4, 100, 100);
      c.summarize(0, 4, 70);
      c.setSummaryState(0, "undone");
    },
    "0 1 2 3 4 5 6 7",
  );
  check(
    "uses a summary again when it is redone",
    (c) => {
      c.turns(4, 100, 100);
      c.summarize(0, 4, 70);
      c.setSummaryState(0, "undone");
      c.setSummaryState(0, "active");
    },
    "S0[0-3] 4 5 6 7",
  );
  check(
    "uses the outer one of nested summaries",
    (c) => {
      c.turns(6, 100, 100);
      c.summarize(0, 4, 70);
      c.summarize(0, 8, 100);
    },
    "S1[0-7] 8 9 10 11",
  );
  check(
    "sends a pinned message behind the summary that it lies in",
    (c) => {
      c.turns(4, 100, 100);
      c.summarize(0, 4, 70);
      c.pin(1);
    },
    "S0[0-3] 1 4 5 6 7",
  );
  check(
    "drops a summary of which all is sent anyway",
    (c) => {
      c.turns(4, 100, 100);
      c.summarize(0, 4, 70);
      [0, 1, 2, 3].forEach((id) => {
        c.pin(id);
      });
    },
    "0 1 2 3 4 5 6 7",
  );
  check(
    "leaves out what is hidden",
    (c) => {
      c.turns(3, 100, 100);
      c.hide(2, 4);
    },
    "0 1 4 5",
  );
  check(
    "shows what is shown again",
    (c) => {
      c.turns(3, 100, 100);
      c.hide(2, 4);
      c.show(2, 3);
    },
    "0 1 2 4 5",
  );
  check(
    "does not use a summary of something that is hidden now",
    (c) => {
      c.turns(4, 100, 100);
      c.summarize(0, 4, 70);
      c.hide(3, 4);
    },
    "0 1 2 4 5 6 7",
  );
  check(
    "uses it again when that is shown again",
    (c) => {
      c.turns(4, 100, 100);
      c.summarize(0, 4, 70);
      c.hide(3, 4);
      c.show(3, 4);
    },
    "S0[0-3] 4 5 6 7",
  );
  check(
    "keeps the question of a long running turn",
    (c) => {
      c.turns(2, 100, 100);
      c.say("user", 50);
      for (let i = 0; i < 6; i++) c.say("assistant", 300);
      c.summarize(0, 4, 80);
      c.summarize(5, 7, 90);
    },
    "S0[0-3] 4 S1[5-6] 7 8 9 10",
  );
  check(
    "hides a tool batch as a whole",
    (c) => {
      c.turn(50, 50);
      c.say("user", 10);
      c.toolBatch(20, [30, 30]);
      c.hide(4, 5);
    },
    "0 1 2",
  );
  check(
    "never cuts a tool batch at the edge of the recent messages",
    (c) => {
      c.turns(3, 200, 200);
      c.say("user", 10);
      c.toolBatch(20, [100, 100, 100, 100, 100]);
      c.summarize(0, 6, 200);
    },
    "S0[0-5] 6 7 8 9 10 11 12",
  );
  check(
    "cuts the largest tool results that do not fit otherwise",
    (c) => {
      c.say("user", 10);
      c.toolBatch(20, [3_800, 300, 3_800]);
    },
    "0 1 2~ 3 4~",
  );
  check(
    "says when even that does not fit",
    (c) => {
      c.say("user", 2_000);
      c.say("assistant", 2_000);
    },
    "tooLarge",
  );
  check(
    "asks for a summary of summaries when those alone do not fit",
    (c) => {
      c.turns(30, 60, 60);
      for (let i = 0; i < 14; i++) c.summarize(i * 4, i * 4 + 4, 70);
      c.turns(2, 10, 10);
      c.say("user", 150);
    },
    "summarizationNeeded",
    { model: "tiny" },
  );
  check(
    "slidingWindow sends the newest and marks what it leaves out",
    (c) => {
      c.turns(15, 10, 10);
    },
    "-[0-9] " + Array.from({ length: 20 }, (_, i) => String(10 + i)).join(" "),
    { settings: { strategy: "slidingWindow" } },
  );
  check(
    "slidingWindow sends pinned messages too",
    (c) => {
      c.turns(15, 10, 10);
      c.pin(3);
    },
    "-[0-2] 3 -[4-9] " + Array.from({ length: 20 }, (_, i) => String(10 + i)).join(" "),
    { settings: { strategy: "slidingWindow" } },
  );
  check(
    "slidingWindow sends fewer when they do not fit",
    (c) => {
      c.turns(15, 300, 300);
    },
    "-[0-17] 18 19 20 21 22 23 24 25 26 27 28 29",
    { settings: { strategy: "slidingWindow" } },
  );
});

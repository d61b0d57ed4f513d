/** Spec §4, rule by rule: what is sent for a history, a budget and existing summaries. */

import assert from "node:assert/strict";
import { TestConversation, counts, type ConversationOptions } from "../../../support/session/conversation.ts";

const check = (title: string, script: string, expected: string, options?: ConversationOptions): void => {
  it(title, () => {
    assert.equal(new TestConversation(options).play(script).sent(), expected);
  });
};

/** Messages `first` to `last`, as `sent()` writes them. */
const from = (first: number, last: number): string =>
  Array.from({ length: last - first + 1 }, (_, index) => String(first + index)).join(" ");

const tool = { name: "read", description: "", inputSchemaJson: "{}" };
const overhead = { systemPrompt: "Be brief.", systemTokens: counts(96), tools: [tool], toolsTokens: counts(196) };

describe("ContextManager.prepare", () => {
  describe("§4.1 the reserve, which is always sent,", () => {
    check("is the last four messages", "5*100/100 S0-5:80", "S0[0-5] 6 7 8 9");
    check("is as many messages as the user sets", "5*100/100 S0-7:80", "S0[0-7] 8 9", {
      settings: { preserveRecent: 2 },
    });
    check("counts visible messages only", "6*100/100 S0-5:80 hide10-11", "S0[0-5] 6 7 8 9");
    check(
      "extends to the beginning of a tool batch",
      "3*200/200 u10 t20:100,100,100,100,100 S0-5:200",
      "S0[0-5] 6 7 8 9 10 11 12",
    );
    check(
      "includes the question of a long turn, whose older atoms may be summarized",
      "2*100/100 u50 6*a300 S0-3:80 S5-6:90",
      "S0[0-3] 4 S1[5-6] 7 8 9 10",
    );
    it("includes the question that is answered again, however long the turn is, with later ones hidden", () => {
      const conversation = new TestConversation().play("u50 a10 2*100/100 hide1-5 12*a300");
      conversation.compact("threshold");
      assert.equal(conversation.sent(), "0 S0[6-13] 14 15 16 17");
    });
    check(
      "includes pinned messages, sent after the summary that covers them",
      "4*100/100 S0-3:70 pin1",
      "S0[0-3] 1 4 5 6 7",
    );
    check(
      "includes the whole batch of a pinned tool result",
      "u10 t50:99,99 6*40/40 S0-7:90 pin2",
      `S0[0-7] 1 2 3 ${from(8, 15)}`,
    );
    check("excludes a pinned message that is hidden", "4*100/100 pin1 hide0-1", "2 3 4 5 6 7");
    const middle = { model: "middle" };
    check(
      "includes a paste while it is among the user's newest five messages",
      "4*100/100 u5000 a100 4*100/100 S0-9:80",
      `S0[0-7] ${from(8, 17)}`,
      middle,
    );
    check(
      "excludes it after five more of them",
      "4*100/100 u5000 a100 5*100/100 S0-9:80",
      `S0[0-9] ${from(10, 19)}`,
      middle,
    );
    check(
      "includes of several pastes the largest, up to 45 % of the budget",
      "u2700 a10 u2400 a10 u4000 a10 2*30/30 S0-5:80",
      `0 S0[1-3] ${from(4, 9)}`,
      middle,
    );
    check(
      "excludes a message of less than an eighth of it",
      "u2300 a100 4*100/100 S0-1:80",
      `S0[0-1] ${from(2, 9)}`,
      middle,
    );
    check(
      "excludes a paste of more than 45 % of the budget",
      "u8700 a100 4*100/100 S0-1:80",
      `S0[0-1] ${from(2, 9)}`,
      middle,
    );
    check("excludes pastes where the budget is below 16,000", "u1000 a100 4*100/100 S0-1:80", `S0[0-1] ${from(2, 9)}`);
  });

  describe("§4.1 excerpts: tool results in the reserve", () => {
    check(
      "are truncated when the reserve does not fit otherwise, largest first",
      "u10 t20:3000,300,3000",
      "0 1 2~ 3 4",
    );
    check("are truncated only as many as necessary", "u10 t20:3800,300,3800", "0 1 2~ 3 4~");
    check("are not truncated when everything fits", "u10 t20:1800,1800", "0 1 2 3");
    check("stay truncated as the conversation continues", "u10 t20:9000 3*50/50", "0 1 2~ 3 4 5 6 7 8");
    check(
      "are truncated when they leave no room for what was said before",
      "10*50/50 S0-17:64 u10 t20:3600",
      "S0[0-15] 16 17 18 19 20 21 22~",
    );
    check("are not truncated when it has room", "10*50/50 S0-17:64 u10 t20:3200", "S0[0-15] 16 17 18 19 20 21 22");
    check("are not truncated when little was said before", "2*50/50 u10 t20:3600", "0 1 2 3 4 5 6");
    check("leave answers whole then", "10*50/50 S0-17:64 u10 a3400", "S0[0-15] 16 17 18 19 20 21");
    check("leave questions whole then", "10*50/50 S0-17:64 u3400 a10", "S0[0-15] 16 17 18 19 20 21");
    check("are truncated in a pinned batch", "u10 t20:3700 3*90/90 pin1", "0 1 2~ 3 4 5 6 7 8");
  });

  describe("§4.1 a reserve that does not fit gives an error that lists the parts and their tokens", () => {
    const refuses = (title: string, script: string, parts: readonly string[], options?: ConversationOptions): void => {
      it(title, () => {
        const prepared = new TestConversation(options).play(script).manager.prepare();
        assert.ok(prepared.kind === "tooLarge", prepared.kind);
        const { code, requiredTokens, budgetTokens, messageCount } = prepared.error;
        const found = prepared.error.parts.map(({ kind, label, tokens }) => `${kind}, ${label}: ${tokens}`);
        assert.deepEqual(found, parts);
        assert.equal(code, "RECENT_TOO_LARGE");
        assert.equal(
          requiredTokens,
          prepared.error.parts.reduce((sum, { tokens }) => sum + tokens, 0),
        );
        assert.ok(requiredTokens > budgetTokens);
        assert.equal(messageCount, parts.filter((part) => /message \d/.test(part)).length);
      });
    };
    /** Even the shortest excerpts of so many results do not fit. */
    const tiny = { model: "tiny" };
    const results = (count: number): string => `t20:${Array<number>(count).fill(60).join(",")}`;
    const excerpts = (first: number, count: number, tokens: number): readonly string[] =>
      Array.from({ length: count }, (_, at) => `message, message ${first + at}: ${tokens}`);
    refuses(
      "largest first, including the overhead",
      `u30 ${results(20)}`,
      [
        "tools, 1 tool: 200",
        "system, instructions: 100",
        ...excerpts(3, 20, 40),
        "message, message 1: 34",
        "message, message 2: 24",
      ],
      { ...tiny, overhead },
    );
    refuses(
      "with pinned messages marked and everything at its shortest",
      `u10 ${results(20)} u90 a90 u100 a90 pin1`,
      [
        ...excerpts(3, 20, 40),
        ...excerpts(23, 4, 40),
        "pinned, message 2: 24",
        "message, summary of the earlier messages: 14",
      ],
      tiny,
    );
    refuses(
      "with the tokens that the provider adds to every request",
      `u10 ${results(150)}`,
      [...excerpts(3, 150, 92), "message, message 2: 29", "message, message 1: 15", "priming, start of the answer: 7"],
      { model: "claude-odd" },
    );
    refuses(
      "with the minimum size of a summary of the rest",
      `40*50/50 u10 ${results(22)}`,
      [
        "message, summary of the earlier messages: 92",
        ...excerpts(83, 22, 40),
        "message, message 82: 24",
        "message, message 81: 14",
      ],
      tiny,
    );
  });

  describe("§4.2 the partition into maximal summaries and runs without one", () => {
    check(
      "sends separate summaries with the originals between them",
      "10*100/100 S2-5:70 S8-11:70",
      "0 1 S0[2-5] 6 7 S1[8-11] 12 13 14 15 16 17 18 19",
    );
    check("sends the outermost of nested summaries", "6*100/100 S0-3:70 S0-7:100", "S1[0-7] 8 9 10 11");
    check("sends the newer of two versions", "4*100/100 S0-3:70 S0-3:80", "S1[0-3] 4 5 6 7");
    check("sends the older version when the newer is undone", "4*100/100 S0-3:70 S0-3:80 undo1", "S0[0-3] 4 5 6 7");
    check(
      "sends the inner summary when the outer is undone",
      "6*100/100 S0-3:70 S0-7:100 undo1",
      "S0[0-3] 4 5 6 7 8 9 10 11",
    );
    check("sends the originals when the only summary is undone", "4*100/100 S0-3:70 undo0", from(0, 7));
    check("sends a summary that is redone", "4*100/100 S0-3:70 undo0 redo0", "S0[0-3] 4 5 6 7");
    check("sends no summary whose source has changed", "4*100/100 S0-3:70 hide3-3", "0 1 2 4 5 6 7");
    check("sends a summary again once its source is restored", "4*100/100 S0-3:70 hide3-3 show3-3", "S0[0-3] 4 5 6 7");
    check("sends no summary of messages that are all pinned", "4*100/100 S0-3:70 pin0 pin1 pin2 pin3", from(0, 7));
  });

  describe("§4.3 the whole conversation stays represented:", () => {
    const story = "8*300/300 S0-5:80 S6-11:80";
    check(
      "an older summary stays when newer messages are large",
      `${story} u900 a900 u10 a10`,
      "S0[0-5] S1[6-11] 12 13 14 15 16 17 18 19",
    );
    check(
      "an older summary is not dropped for newer messages that do not fit",
      `${story} 2*800/800 pin14 pin15`,
      "summarizationNeeded",
    );
    const many = Array.from({ length: 14 }, (_, at) => `S${at * 4}-${at * 4 + 3}:70`).join(" ");
    const needs = (title: string, script: string, ids: readonly number[]): void => {
      it(title, () => {
        const prepared = new TestConversation({ model: "tiny" }).play(script).manager.prepare();
        assert.ok(prepared.kind === "summarizationNeeded", prepared.kind);
        assert.deepEqual(prepared.needed.messagesToSummarize, ids);
      });
    };
    // 14 summaries of 98 and four messages of 64 are 1,628 tokens of 950.
    needs(
      "the two oldest summaries need merging when the summaries alone do not fit",
      `30*60/60 ${many}`,
      [0, 1, 2, 3, 4, 5, 6, 7],
    );
  });

  describe("§4.4 the rest of the budget, spent newest first,", () => {
    const needs = (
      title: string,
      script: string,
      expected: readonly [excess: number, ids: string],
      options?: ConversationOptions,
    ): void => {
      it(title, () => {
        const prepared = new TestConversation(options).play(script).manager.prepare();
        assert.ok(prepared.kind === "summarizationNeeded", prepared.kind);
        const { excessTokens, messagesToSummarize } = prepared.needed;
        assert.deepEqual([excessTokens, messagesToSummarize.join(" ")], expected);
      });
    };
    check("is spent to the last token", "3*400/400 u400 a1060", from(0, 7));
    needs("excludes the oldest message when one token is missing", "3*400/400 u400 a1061", [1, "0"]);
    // 24 × 204 = 4,896; besides the last four, 15 of them fit.
    needs("goes to whole messages, the newest that fit", "12*200/200", [1_004, from(0, 4)]);
    // The batch of four messages has 1,216 tokens, and 1,060 are left for it.
    needs("goes to whole tool batches or to nothing of them", "u100 t200:300,300,400 10*120/120 4*40/40", [
      260,
      from(0, 4),
    ]);
    // 28 × 204 + 128 = 5,840; besides the summary and the last four, 14 of them fit.
    needs("excludes the oldest messages after a summary", "12*200/200 S0-3:100 4*200/200", [1_948, from(4, 13)]);
    check(
      "is not spent on originals that do not fit, whose summaries are sent",
      "8*300/300 S0-5:100 S6-11:100",
      "S0[0-5] S1[6-11] 12 13 14 15",
    );
    // 16 × 204 = 3,264 are above 3,113, the limit up to which originals are restored; two of three blocks fit.
    check(
      "restores the originals of as many blocks as fit",
      "8*200/200 S0-3:120 S4-7:120 S8-11:120 model:small",
      `S0[0-3] ${from(4, 15)}`,
      { model: "large" },
    );
    check(
      "restores the finest mix of levels of a block that does not fit",
      "8*200/200 S0-3:120 S4-7:120 S0-7:200 model:small",
      "S0[0-3] 4 5 6 7 8 9 10 11 12 13 14 15",
      { model: "middle" },
    );
  });

  describe("§4.5 the assembled request, oldest first,", () => {
    check("is empty for an empty conversation", "", "");
    check("CX-T1 has every message below the threshold", "3*100/100", from(0, 5));
    check("excludes hidden messages", "3*100/100 hide2-3", "0 1 4 5");
    check("includes a message that is shown again", "3*100/100 hide2-3 show2-2", "0 1 2 4 5");
    check("excludes a tool batch when one of its results is hidden", "1*50/50 u10 t20:30,30 hide4-4", "0 1 2");
    check("is empty when everything is hidden", "3*100/100 hide0-5", "");
  });

  describe("§4.5 slidingWindow, with a mark for omitted messages,", () => {
    const settings = { strategy: "slidingWindow" } as const;
    check("sends the last twenty", "15*10/10", `-[0-9] ${from(10, 29)}`, { settings });
    check("sends as many as the setting says", "15*10/10", `-[0-23] ${from(24, 29)}`, {
      settings: { ...settings, "slidingWindow.last": 6 },
    });
    it("sends as many as this conversation says, from then on", () => {
      const talk = new TestConversation({ settings }).play("15*10/10");
      const sentWith = (value: string): string => {
        talk.store({ kind: "setting", name: "strategy.slidingWindow.last", value, atMs: 1 });
        return talk.sent();
      };
      const twenty = `-[0-9] ${from(10, 29)}`;
      assert.deepEqual(
        [sentWith("6"), sentWith("0"), sentWith("1000"), sentWith("")],
        [`-[0-23] ${from(24, 29)}`, twenty, from(0, 29), twenty],
      );
    });
    check("extends the window to a whole tool batch", "5*10/10 t5:5,5,5 9*10/10", `-[0-9] ${from(10, 31)}`, {
      settings,
    });
    check(
      "also sends the newest visible question when later ones are hidden one by one",
      "2*10/10 u50 a10 u10 a10 hide4-4 hide6-6 24*a10",
      `-[0-1] 2 -[3-11] ${from(12, 31)}`,
      { settings },
    );
    check("also sends pinned messages", "15*10/10 pin3", `-[0-2] 3 -[4-9] ${from(10, 29)}`, { settings });
    check("sends fewer when twenty do not fit", "15*300/300", `-[0-17] ${from(18, 29)}`, { settings });
    check("sends all of a short conversation", "2*10/10", "0 1 2 3", { settings });
    check("has no mark for hidden messages", "15*10/10 hide0-9", from(10, 29), { settings });
    check("has excerpts when the reserve does not fit", "u2000 a2000", "0 1~", { settings });
  });

  it("§4.6 says by how many tokens the request is over, which messages to summarize, and what to do", () => {
    const prepared = new TestConversation().play("12*200/200").manager.prepare();
    assert.deepEqual(prepared, {
      kind: "summarizationNeeded",
      needed: {
        excessTokens: 1_004,
        messagesToSummarize: [0, 1, 2, 3, 4],
        suggestion: "Summarize messages 1 to 5: the request is 1004 tokens over the budget.",
      },
    });
  });
});

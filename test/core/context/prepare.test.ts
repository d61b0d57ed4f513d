import assert from "node:assert/strict";
import { TestConversation, type ConversationOptions } from "../../support/conversation.ts";

const check = (title: string, script: string, expected: string, options?: ConversationOptions): void => {
  it(title, () => {
    assert.equal(new TestConversation(options).play(script).sent(), expected);
  });
};

const from10To29 = Array.from({ length: 20 }, (_, index) => String(10 + index)).join(" ");

describe("ContextManager.prepare", () => {
  describe("everything that fits", () => {
    check("sends nothing of an empty conversation", "", "");
    check("CX-T1 sends all under the threshold", "3*100/100", "0 1 2 3 4 5");
    check(
      "sends all up to the last token of the budget",
      "u400 a400 u400 a400 u400 a400 u400 a1060",
      "0 1 2 3 4 5 6 7",
    );
    check("asks for a summary one token later", "u400 a400 u400 a400 u400 a400 u400 a1061", "summarizationNeeded");
  });

  describe("summaries", () => {
    check("stand for what they cover", "5*300/300 S0-5:100", "S0[0-5] 6 7 8 9");
    check("are used even where the originals would fit", "4*100/100 S0-3:70", "S0[0-3] 4 5 6 7");
    check("count by their newest version", "4*100/100 S0-3:70 S0-3:80", "S1[0-3] 4 5 6 7");
    check("count by the older version when the newer is undone", "4*100/100 S0-3:70 S0-3:80 undo1", "S0[0-3] 4 5 6 7");
    check("give way to the originals when undone", "4*100/100 S0-3:70 undo0", "0 1 2 3 4 5 6 7");
    check("come back when redone", "4*100/100 S0-3:70 undo0 redo0", "S0[0-3] 4 5 6 7");
    check("are used by the outermost when nested", "6*100/100 S0-3:70 S0-7:100", "S1[0-7] 8 9 10 11");
    check("give way to those inside when undone", "6*100/100 S0-3:70 S0-7:100 undo1", "S0[0-3] 4 5 6 7 8 9 10 11");
    check("are not used when all is sent anyway", "4*100/100 S0-3:70 pin0 pin1 pin2 pin3", "0 1 2 3 4 5 6 7");
    check("are not used when their source has changed", "4*100/100 S0-3:70 hide3-3", "0 1 2 4 5 6 7");
    check("are used when it is again as it was", "4*100/100 S0-3:70 hide3-3 show3-3", "S0[0-3] 4 5 6 7");
    check(
      "need one a level up when they alone do not fit",
      `30*60/60 ${Array.from({ length: 14 }, (_, at) => `S${String(at * 4)}-${String(at * 4 + 3)}:70`).join(" ")} u10`,
      "summarizationNeeded",
      { model: "tiny" },
    );
  });

  describe("what is always sent", () => {
    check("holds pinned messages, behind the summary they lie in", "4*100/100 S0-3:70 pin1", "S0[0-3] 1 4 5 6 7");
    check(
      "holds the whole batch of a pinned tool result",
      "u10 t50:99,99 6*40/40 S0-7:90 pin2",
      "S0[0-7] 1 2 3 8 9 10 11 12 13 14 15",
    );
    check(
      "holds the question of a long running turn",
      "2*100/100 u50 6*a300 S0-3:80 S5-6:90",
      "S0[0-3] 4 S1[5-6] 7 8 9 10",
    );
    check("cuts no tool batch", "3*200/200 u10 t20:100,100,100,100,100 S0-5:200", "S0[0-5] 6 7 8 9 10 11 12");
    check("cuts the largest tool results where it must", "u10 t20:3000,300,3000", "0 1 2~ 3 4");
    check("cuts as many of them as it must", "u10 t20:3800,300,3800", "0 1 2~ 3 4~");
    check("can be too large by itself", "u2000 a2000", "tooLarge");
    check("leaves room for a summary of the rest", "40*50/50 u3100 a500 u100 a100", "tooLarge");
  });

  describe("what is hidden", () => {
    check("is left out", "3*100/100 hide2-3", "0 1 4 5");
    check("comes back when it is shown", "3*100/100 hide2-3 show2-2", "0 1 2 4 5");
    check("is a whole tool batch or none of it", "1*50/50 u10 t20:30,30 hide4-4", "0 1 2");
    check("may be everything", "3*100/100 hide0-5", "");
  });

  describe("the sticky cut", () => {
    check(
      "only appends after a compaction",
      "8*200/200 S0-9:100 4*50/50",
      "S0[0-9] 10 11 12 13 14 15 16 17 18 19 20 21 22 23",
    );
    check("brings originals back on a larger model", "4*100/100 S0-3:70 model:large", "0 1 2 3 4 5 6 7");
    check("takes summaries again on a smaller one", "5*300/300 S0-5:100 model:large model:small", "S0[0-5] 6 7 8 9");
    check(
      "shows the finest mix that fits",
      "8*200/200 S0-3:120 S4-7:120 S0-7:200 model:small",
      "S0[0-3] 4 5 6 7 8 9 10 11 12 13 14 15",
      { model: "middle" },
    );
    check(
      "brings back newest first what fits",
      "12*50/200 S0-7:200 S8-15:200 model:middle",
      Array.from({ length: 24 }, (_, id) => String(id)).join(" "),
    );
    check("does not bring back what was summarized since", "4*100/100 model:large S0-3:70 pin6", "S0[0-3] 4 5 6 7");
  });

  describe("slidingWindow", () => {
    const settings = { strategy: "slidingWindow" } as const;
    check("sends the newest and marks what it leaves out", "15*10/10", `-[0-9] ${from10To29}`, { settings });
    check("sends pinned messages too", "15*10/10 pin3", `-[0-2] 3 -[4-9] ${from10To29}`, { settings });
    check("sends fewer when they do not fit", "15*300/300", "-[0-17] 18 19 20 21 22 23 24 25 26 27 28 29", {
      settings,
    });
    check("sends all of a short conversation", "2*10/10", "0 1 2 3", { settings });
    check("can be too large by what is always sent", "u2000 a2000", "tooLarge", { settings });
  });
});

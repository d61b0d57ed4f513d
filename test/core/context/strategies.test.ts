import assert from "node:assert/strict";
import type { CompactionPlan } from "../../../src/core/context/compactionPlan.ts";
import type { CompactionTrigger } from "../../../src/core/context/compactionPlanner.ts";
import type { ContextSettings } from "../../../src/core/context/contextSettings.ts";
import { TestConversation } from "../../support/conversation.ts";

interface PlanOptions extends Partial<ContextSettings> {
  readonly trigger?: CompactionTrigger;
  readonly model?: string;
}

/** The budget of `small` is 3,892 tokens: 70 % are 2,724, 80 % 3,113, 85 % 3,308, and the target is 1,946. */
const check = (title: string, script: string, expected: string, options: PlanOptions = {}): void => {
  it(title, () => {
    const { trigger = "threshold", model = "small", ...settings } = options;
    const conversation = new TestConversation({ model, settings }).play(script);
    assert.equal(shortly(conversation.manager.planCompaction(trigger)), expected);
  });
};

/** One line: each call as `strategy(kind, model) ranges`, with the level of those above the first. */
function shortly(plan: CompactionPlan | undefined): string {
  const steps = (plan?.steps ?? []).map(({ strategy, kind, model, spans }) => {
    const ranges = spans.map(({ covers, level }) => {
      return `${String(covers.start)}-${String(covers.end - 1)}${level > 1 ? `^${String(level)}` : ""}`;
    });
    return `${strategy}(${kind}, ${model}) ${ranges.join(" ")}`;
  });
  return steps.length === 0 ? "nothing" : steps.join("; ");
}

/** Calls of one kind, one for each range. */
function calls(kind: string, ...ranges: readonly string[]): string {
  return ranges.map((range) => `${kind} ${range}`).join("; ");
}

describe("planCompaction", () => {
  const conversation = "threshold(conversation, small)";

  describe("threshold", () => {
    check("plans nothing below 70 %", "6*200/200", "nothing");
    check("plans nothing between 70 and 80 %", "7*200/200", "nothing");
    check("plans ahead in the background from 70 % on", "7*200/200", `${conversation} 0-5`, { trigger: "background" });
    check("CX-T2 covers the oldest turns until the target is reached", "8*200/200", `${conversation} 0-7`);
    check("covers more turns when they are small", "40*40/40", `${conversation} 0-43`);
    check("goes on behind what is summarized", "9*200/200 S0-3:100 2*200/200", `${conversation} 4-15`);
    check("is split by a pinned message", "8*200/200 pin3", calls(conversation, "0-2", "4-9"));
    check("cuts a long running turn between its atoms", "u50 8*a400", `${conversation} 1-4`);
    check("keeps tool batches whole", "u50 8*t100:300", `${conversation} 1-12`);
    check("takes hidden messages into its range", "9*200/200 hide2-3", `${conversation} 0-9`);
    check(
      "goes by turns where chunks are needed",
      "60*1000/1000",
      calls(conversation, "0-17", "18-35", "36-53", "54-65"),
      { model: "large" },
    );
    check("makes room when the next request does not fit", "12*200/200", `${conversation} 0-17`, {
      trigger: "overflow",
    });
    check("waits for the user where nothing happens by itself", "12*200/200", "nothing", {
      trigger: "overflow",
      infinity: false,
    });
    check("goes by the settings", "6*200/200", `${conversation} 0-5`, {
      summarizeAtPercent: 60,
      targetPercent: 40,
      trigger: "background",
    });
  });

  describe("what the user asks for", () => {
    const trigger = "manual";
    check("covers all but the newest messages at any use", "5*100/100", `${conversation} 0-5`, { trigger });
    check("happens where nothing happens by itself", "12*200/200", `${conversation} 0-19`, {
      trigger,
      infinity: false,
    });
    check("happens with fullHistory", "12*200/200", `${conversation} 0-19`, { trigger, strategy: "fullHistory" });
    check("happens with slidingWindow", "12*200/200", `${conversation} 0-19`, { trigger, strategy: "slidingWindow" });
    check("CX-NT2 is nothing in a conversation that is too short", "2*100/100", "nothing", { trigger });
    check("CX-NT2 is nothing in an empty conversation", "", "nothing", { trigger });
  });

  describe("fullHistory and slidingWindow", () => {
    check("plan nothing", "12*200/200", "nothing", { trigger: "overflow", strategy: "fullHistory" });
    check("plan nothing", "12*200/200", "nothing", { trigger: "overflow", strategy: "slidingWindow" });
  });

  describe("toolCalls", () => {
    const strategy = "toolCalls";
    const tools = "toolCalls(toolCalls, small)";
    const work = Array.from({ length: 13 }, () => "u5 t30:150,90").join(" ");
    check("covers batches of more than ten turns ago in one call, each run by a summary", work, `${tools} 1-3 5-7`, {
      strategy,
    });
    check("joins batches that follow one another", "u10 2*t30:150 11*140/140", `${tools} 1-4`, { strategy });
    check("goes by the setting for the age", "u10 t30:400 3*500/500", `${tools} 1-2`, { strategy, toolCallTurnAge: 2 });
    check("leaves pinned batches", "u10 t30:150 pin1 t30:200 11*140/140", `${tools} 3-4`, { strategy });
    check(
      "comes first in the pipeline, its summaries inside of others",
      "u10 t30:400,400 a10 12*90/90",
      `${tools} 1-3; ${conversation} 0-10^2`,
    );
  });

  describe("goalBatch", () => {
    const strategy = "goalBatch";
    const goals = "goalBatch(goalBatch, small)";
    check(
      "joins the oldest summarized turns, six at most",
      "10*150/150 10*105/105 S0-3:90 S4-7:90 S8-11:90 S12-15:90",
      `${goals} 0-11^2`,
      { strategy },
    );
    check("joins small turns as they are", "7*140/140 10*40/40", `${goals} 0-11`, { strategy });
    check("does not touch the newest twenty messages", "10*140/140", "nothing", { strategy });
    check("does not touch large turns", "4*200/200 10*80/80", "nothing", { strategy });
    check("needs three turns", "2*140/140 10*120/120", "nothing", { strategy });
  });

  describe("sandwich", () => {
    const strategy = "sandwich";
    const middle = "sandwich(conversation, small)";
    check("CX-T3 CX-T4 keeps the first five and the last five", "7*200/200", `${middle} 5-8`, { strategy });
    check("plans nothing below 70 %", "6*200/200", "nothing", { strategy });
    check("plans nothing where there is no middle", "5*360/360", "nothing", { strategy });
    check(
      "widens the ends to whole tool batches",
      "100/100 u20 t50:200,200 6*200/200 t50:100,100,100 50/50",
      `${middle} 6-17`,
      { strategy },
    );
    check("CX-T5 uses its summary while it covers the middle", "4*200/200 3*350/350 S5-8:680", "nothing", { strategy });
    check(
      "CX-T6 makes it anew from the originals when the middle grew",
      "7*200/200 S5-8:100 3*200/200",
      `${middle} 5-14`,
      { strategy },
    );
  });

  describe("archive", () => {
    const strategy = "archive";
    const notes = "archive(archive, main)";
    check("plans nothing below 85 %", "8*200/200", "nothing", { strategy });
    check("covers all but the newest by the main model", "9*200/200", `${notes} 0-13`, { strategy });
    check("takes the last archive in", "9*200/200 S0-13:400 6*200/200", `${notes} 0-25^2`, { strategy });
  });

  describe("tree", () => {
    const strategy = "tree";
    const node = "tree(conversation, small)";
    const leaves = ["0-18", "19-37", "38-56", "57-75", "76-94", "95-113", "114-115"];
    check("plans nothing while it fits", "9*200/200", "nothing", { strategy });
    check("cuts what does not fit into chunks", "70*1000/1000", calls(node, ...leaves.slice(0, 5)), {
      strategy,
      model: "large",
    });
    check("makes chunks of chunks", "60*1000/1000", calls(node, ...leaves, "0-115^2"), {
      strategy,
      model: "middle",
      trigger: "overflow",
    });
  });

  describe("the last resort", () => {
    const trigger = "overflow";
    check(
      "is one summary for all that is not always sent",
      "40*100/100 pin3 pin7 pin11",
      "lastResort(conversation, small) 0-75",
      { trigger, model: "tiny" },
    );
  });

  it("goes by a conversation's own strategy before the user's", () => {
    const chosen = new TestConversation().play("12*200/200");
    const choose = (value: string): string => {
      chosen.store({ kind: "setting", name: "strategy", value, atMs: 1 });
      return shortly(chosen.manager.planCompaction("overflow"));
    };
    assert.deepEqual(["fullHistory", "no such thing"].map(choose), ["nothing", `${conversation} 0-17`]);
  });
});

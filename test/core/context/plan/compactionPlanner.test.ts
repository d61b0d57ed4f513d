/** Spec §6: when a compaction is planned, by which strategies, to which target; and the last resort. */

import assert from "node:assert/strict";
import type { Strategy } from "../../../../src/core/context/plan/strategies/strategy.ts";
import { CompactionView, type ViewItem } from "../../../../src/core/context/plan/compactionView.ts";
import type { CompactionTrigger } from "../../../../src/core/context/plan/compactionPlanner.ts";
import type { PlanBudget } from "../../../../src/core/context/plan/compactionPlan.ts";
import {
  CONTEXT_POLICIES,
  DEFAULT_CONTEXT_SETTINGS,
  type ContextSettings,
} from "../../../../src/core/context/contextSettings.ts";
import { PlanDraft } from "../../../../src/core/context/plan/planDraft.ts";
import { runPipeline } from "../../../../src/core/context/plan/pipeline.ts";
import { messageId } from "../../../../src/core/ids.ts";
import { runSync } from "../../../../src/core/cooperativeTask.ts";
import { TestConversation } from "../../../support/session/conversation.ts";
import { calls, checkPlan, shortPlan } from "../../../support/session/shortPlan.ts";

const conversation = "threshold(conversation, small)";

/** Even the shortest excerpts of so many results do not fit. */
const results = `t20:${Array<number>(100).fill(60).join(",")}`;

describe("§6 the compaction stage: none below 70 %, prepare from 70, apply from 80", () => {
  /** The budget is 3,892 tokens: 70 % are 2,724.4 and 80 % are 3,113.6. */
  const check = (reported: number, expected: string, settings: Partial<ContextSettings> = {}): void => {
    it(`${reported} of 3,892 with ${JSON.stringify(settings)}: ${expected}`, () => {
      const talk = new TestConversation({ settings }).play("8*100/100");
      talk.ready();
      talk.manager.recordReportedUsage({ inputTokens: reported });
      assert.equal(talk.manager.compactionStage(), expected);
      const isPlanned = talk.manager.planCompaction("background") !== undefined;
      assert.equal(isPlanned, expected !== "none");
    });
  };
  check(2_724, "none");
  check(2_725, "prepare");
  check(3_113, "prepare");
  check(3_114, "apply");
  check(9_999, "apply");
  check(2_335, "none", { summarizeAtPercent: 60 });
  check(2_336, "apply", { summarizeAtPercent: 60 });
  check(3_891, "prepare", { summarizeAtPercent: 100 });
  check(9_999, "none", { infinity: false });
  check(9_999, "none", { strategy: "fullHistory" });
  check(9_999, "none", { strategy: "slidingWindow" });
});

describe("§6 the planner", () => {
  checkPlan("CX-T1 plans nothing below the threshold", "6*200/200", "nothing");
  checkPlan("CX-T2 plans a compaction above the threshold", "8*200/200", `${conversation} 0-7`);
  checkPlan("plans a compaction when the next request does not fit", "12*200/200", `${conversation} 0-17`, {
    trigger: "overflow",
  });
  checkPlan("plans a compaction when a model switch needs one", "5*100/100", `${conversation} 0-5`, {
    trigger: "modelSwitch",
    targetPercent: 10,
  });
  checkPlan("plans nothing when automatic compaction is off", "12*200/200", "nothing", {
    trigger: "overflow",
    infinity: false,
  });
  const waiting = { trigger: "ahead", strategy: "tree" } as const;
  checkPlan(
    "plans ahead for a strategy that acts only when nothing fits",
    "7*200/200",
    "tree(conversation, small) 0-9",
    waiting,
  );
  checkPlan("does not plan the last resort ahead below the threshold", "7*200/200", "nothing", {
    ...waiting,
    strategy: "toolCalls",
  });
});

describe("§6 a compaction by the user covers all but the reserve, at any usage, with any policy that sends summaries:", () => {
  const trigger = "manual";
  checkPlan("the oldest turns", "5*100/100", `${conversation} 0-5`, { trigger });
  checkPlan("also when automatic compaction is off", "12*200/200", `${conversation} 0-19`, {
    trigger,
    infinity: false,
  });
  checkPlan("CX-NT2 nothing in a conversation that is too short", "2*100/100", "nothing", { trigger });
  checkPlan("CX-NT2 nothing in an empty conversation", "", "nothing", { trigger });
  const expected: Readonly<Record<string, string>> = {
    sandwich: "sandwich(conversation, small) 5-14",
    archive: "archive(archive, main) 0-15",
    tree: "tree(conversation, small) 0-15",
    slidingWindow: "nothing",
  };
  for (const strategy of CONTEXT_POLICIES) {
    checkPlan(strategy, "10*100/100", expected[strategy] ?? `${conversation} 0-15`, { trigger, strategy });
  }
  const [four, levelUp] = ["10*200/200 S0-3:400 S4-7:400 S8-11:300", "levelUp(conversation, small) 0-7^2"];
  checkPlan("no second time at 57 %, when summaries are longer than their target", `${four} S12-15:200`, "nothing", {
    trigger,
  });
  checkPlan("summaries again from 60 %", `${four} S12-15:320`, levelUp, { trigger });
  const more = `${conversation} 16-17; ${levelUp}`;
  checkPlan("also the messages that are in no summary yet", `${four} S12-15:100 80/80`, more, { trigger });
  checkPlan(
    "with the user's pipeline, tool calls before the rest",
    "u10 t30:400 11*60/60",
    "toolCalls(toolCalls, small) 1-2; threshold(conversation, small) 0-20^2",
    { trigger, pipeline: ["toolCalls"] },
  );
});

describe("§6 the pipeline runs its strategies in order until the projected usage is at the target:", () => {
  const tools = "toolCalls(toolCalls, small)";
  const both = "u10 t30:400,400 a10 12*90/90";
  checkPlan("tool calls first, their summaries inside others", both, `${tools} 1-3; ${conversation} 0-10^2`);
  checkPlan("no further when tool calls are enough", "u10 t30:900,900,300 a10 12*30/30", `${tools} 1-4`);
  checkPlan("in the order of the setting", both, `${conversation} 0-10`, { pipeline: ["threshold", "toolCalls"] });
  checkPlan("only those of the setting", both, `${tools} 1-3`, { pipeline: ["toolCalls"] });
  checkPlan("down to the user's target", "8*200/200", `${conversation} 0-11`, { targetPercent: 30 });
  checkPlan(
    "then merging the oldest summaries while the target is not reached",
    "14*60/60 S0-5:200 S6-11:200 S12-17:200 S18-23:200",
    "levelUp(conversation, small) 0-17^2",
    { trigger: "overflow", targetPercent: 20 },
  );

  const uneven = { trigger: "overflow", targetPercent: 20 } as const;
  checkPlan(
    "then merging neighbours of different levels, so that no large summary stays for ever",
    "10*200/200 2*500/500 S0-3:300 S0-7:500 S8-19:600",
    "levelUp(conversation, small) 0-19^3",
    uneven,
  );
  checkPlan(
    "no merging that frees less than 5 %",
    "10*200/200 2*500/500 S0-3:300 S0-7:150 S8-19:60",
    "nothing",
    uneven,
  );

  it("prefers the conversation's strategy to the user's", () => {
    const chosen = new TestConversation().play("12*200/200");
    const choose = (value: string): string => {
      chosen.store({ kind: "setting", name: "strategy", value, atMs: 1 });
      return shortPlan(chosen.manager.planCompaction("overflow"));
    };
    assert.deepEqual(["fullHistory", "no such thing", ""].map(choose), [
      "nothing",
      `${conversation} 0-17`,
      `${conversation} 0-17`,
    ]);
  });

  it("accepts an unknown strategy", () => {
    const item = (id: number): ViewItem => {
      const covers = { start: messageId(id), end: messageId(id + 1) };
      const place = { covers, level: 0, messages: 1, firstTurn: id, lastTurn: id, isPreserved: id > 8 } as const;
      return { kind: "message", tokens: 300, originalTokens: 300, ...place };
    };
    const view = new CompactionView(
      Array.from({ length: 10 }, (_, id) => item(id)),
      100,
    );
    const budget: PlanBudget = {
      ...{ budgetTokens: 3_500, usedPercent: 89, summarizeAtPercent: 80, targetTokens: 2_500, summaryRatio: 0.15 },
      ...{ toolCallTurnAge: 10, frameTokens: 28, isForced: false, isByUser: false },
      parameters: DEFAULT_CONTEXT_SETTINGS.parameters,
    };
    const odd: Strategy = {
      name: "tree",
      *plan(seen, given) {
        const draft = new PlanDraft(seen, given);
        draft.add(seen.items.filter(({ isPreserved }) => !isPreserved).slice(2, 6));
        draft.endStep({ strategy: "tree", kind: "extract", model: "main" }, "all");
        return draft.plan();
      },
    };
    assert.equal(shortPlan(runSync(runPipeline([odd], view, budget))), "tree(extract, main) 2-5");
    assert.equal(view.usedTokens, 3_100, "the view is as it was");
  });
});

describe("§6 for a model that bills more than is counted, a plan fits as billed, or else as counted:", () => {
  /** 1,200 tokens are billed as 1,500, so 3,892 are about 3,114 as counted. Of the 1,200, 300 are always sent. */
  const check = (title: string, since: string, expected: string, trigger: CompactionTrigger = "overflow"): void => {
    checkPlan(title, "6*96/96", expected, { trigger, reported: 1_500, since });
  };
  check("as billed, with 2,700 more", "u2696", "lastResort(conversation, small) 0-8");
  check("as counted, with 3,300 more", "u3296", `${conversation} 0-8`);
  check("as counted on a model switch, too", "u3296", `${conversation} 0-8`, "modelSwitch");
  check("as counted for the user's compaction, too", "u3296", `${conversation} 0-8`, "manual");
  check("no plan with 3,600 more, which do not fit either way", `u10 ${results}`, "nothing");
  const both = `${conversation} 8-13; levelUp(conversation, small) 0-13^2`;
  const open = "S0-7:70 2*48/48 u3046 a10";
  check("no plan when nothing fits as billed and everything fits as counted", open, "nothing");
  check("the messages in no summary yet in that case, for the user's compaction", open, both, "manual");
});

describe("§6 the last resort, one summary of all but the reserve,", () => {
  const trigger = "overflow";
  const all = "lastResort(conversation, small)";
  const many = Array.from({ length: 14 }, (_, at) => `S${at * 4}-${at * 4 + 3}:70`).join(" ");
  // Three pinned messages split the spans, and the summaries of all of them would not fit.
  checkPlan("covers pinned messages", "40*100/100 pin3 pin7 pin11", `${all} 0-75`, { trigger, model: "tiny" });
  checkPlan("covers summaries of any level", `30*60/60 ${many} pin20 pin40`, `${all} 0-55^2`, {
    trigger,
    model: "tiny",
  });
  checkPlan("is not planned when the reserve does not fit", `40*50/50 u10 ${results}`, "nothing", { trigger });

  it("fits at its maximum size", () => {
    const talk = new TestConversation({ model: "tiny" }).play("40*100/100 pin3 pin7 pin11");
    talk.compactWith(trigger, ({ maxTokens }) => maxTokens);
    assert.equal(talk.manager.prepare().kind, "ready");
    assert.equal(talk.manager.planCompaction(trigger), undefined);
  });

  it("calls no model for spans that no longer save tokens when their step begins", () => {
    const talk = new TestConversation().play("u10 t30:400,400 a10 12*90/90");
    const plan = talk.manager.planCompaction("threshold");
    for (const step of plan?.steps ?? []) {
      const [pending] = runSync(talk.manager.beginPlannedSummaries(step));
      if (step.strategy === "toolCalls" && pending !== undefined) talk.complete(pending, 64);
    }
    talk.play("hide0-13");
    assert.deepEqual(
      plan?.steps.flatMap((step) => runSync(talk.manager.beginPlannedSummaries(step))),
      [],
    );
  });

  it("§5 begins one summary per run of a step", () => {
    const talk = new TestConversation({ settings: { strategy: "toolCalls" } });
    talk.play(Array.from({ length: 13 }, () => "u5 t30:150,90").join(" "));
    const [step] = talk.manager.planCompaction("threshold")?.steps ?? [];
    assert.ok(step !== undefined);
    const pendings = runSync(talk.manager.beginPlannedSummaries(step));
    assert.equal(calls("", ...pendings.map(({ covers }) => `${covers.start}-${covers.end - 1}`)), " 1-3;  5-7");
  });
});

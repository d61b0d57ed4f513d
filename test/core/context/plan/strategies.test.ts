/** Spec §6, the table of strategies, row by row. */

import assert from "node:assert/strict";
import { TestConversation } from "../../../support/session/conversation.ts";
import { calls, checkPlan as check } from "../../../support/session/shortPlan.ts";

/** The budget of `small` is 3,892 tokens: 70 % are 2,724.4, 80 % 3,113.6, 85 % 3,308.2, and the target is 1,946. */
const conversation = "threshold(conversation, small)";

describe("§6 threshold, from 80 %, summarizes the oldest turns before the reserve until usage is at most 50 %:", () => {
  check("not below 70 %", "6*200/200", "nothing");
  check("not between 70 and 80 %", "7*200/200", "nothing");
  // As much as at 80 %: messages until then are sent along with the summaries.
  check("ahead in the background from 70 %", "7*200/200", `${conversation} 0-7`, { trigger: "background" });
  check("until the target is reached", "8*200/200", `${conversation} 0-7`);
  check("more turns when they are small", "40*40/40", `${conversation} 0-43`);
  check("after existing summaries", "9*200/200 S0-3:100 2*200/200", `${conversation} 4-15`);
  check("split by a pinned message", "8*200/200 pin3", calls(conversation, "0-2", "4-9"));
  check("by atoms when a turn is too long", "u50 8*a400", `${conversation} 1-4`);
  check("in whole tool batches", "u50 8*t100:300", `${conversation} 1-12`);
  check("across hidden messages", "9*200/200 hide2-3", `${conversation} 0-9`);
  check(
    "in chunks of 20,000 tokens, each its own call",
    "60*1000/1000",
    calls(conversation, "0-17", "18-35", "36-53", "54-65"),
    { model: "large" },
  );
  check("at the percentages of the settings", "6*200/200", `${conversation} 0-5`, {
    summarizeAtPercent: 60,
    targetPercent: 40,
    trigger: "background",
  });
});

describe("§6 toolCalls summarizes all batches older than ten turns in one call, one record per run:", () => {
  const strategy = "toolCalls";
  const tools = "toolCalls(toolCalls, small)";
  const work = Array.from({ length: 13 }, () => "u5 t30:150,90").join(" ");
  check("each run", work, `${tools} 1-3 5-7`, { strategy });
  check("consecutive batches as one run", "u10 2*t30:150 11*140/140", `${tools} 1-4`, { strategy });
  check("eleven turns back", "u10 t30:400 11*130/130", `${tools} 1-2`, { strategy });
  check("not ten turns back", "u10 t30:400 10*150/150", "nothing", { strategy });
  check("at the age of the setting", "u10 t30:400 3*500/500", `${tools} 1-2`, { strategy, toolCallTurnAge: 2 });
  check("not one turn below the age of the setting", "u10 t30:400 3*500/500", "nothing", {
    strategy,
    toolCallTurnAge: 3,
  });
  check("not pinned batches", "u10 t30:150 pin1 t30:200 11*140/140", `${tools} 3-4`, { strategy });
  check("not below 70 %", "u10 t30:400 11*40/40", "nothing", { strategy });
  check("not batches that a summary covers", "u10 t30:400 11*130/130 S0-3:90", "nothing", { strategy });
});

describe("§6 goalBatch summarizes the oldest 3 to 6 turns over 20 messages back, summarized or small:", () => {
  const strategy = "goalBatch";
  const goals = "goalBatch(goalBatch, small)";
  const summarized = "10*150/150 10*105/105 S0-3:90 S4-7:90 S8-11:90 S12-15:90";
  check("counting a summary as the turns that it covers, at most six", summarized, `${goals} 0-11^2`, { strategy });
  check("small turns without summaries", "7*140/140 10*40/40", `${goals} 0-11`, { strategy });
  check("turns of 300 tokens", "3*146/146 10*100/100", `${goals} 0-5`, { strategy });
  check("not turns of 301 tokens", "3*147/146 10*100/100", "nothing", { strategy });
  check("not the newest twenty messages", "10*140/140", "nothing", { strategy });
  check("at least three turns", "2*140/140 10*120/120", "nothing", { strategy });
  check("not a turn that ends among the newest twenty messages", "3*140/140 a10 9*100/100 u100", "nothing", {
    strategy,
  });
  check(
    "the same turn once it ends before the newest twenty messages",
    "3*140/140 9*100/100 u100 a100",
    `${goals} 0-5`,
    { strategy },
  );
  check("not across a large turn", "2*140/140 200/200 2*140/140 10*60/60", "nothing", { strategy });
  check("after a large turn", "400/400 3*140/140 10*60/60", `${goals} 2-7`, { strategy });
  check("not across a pinned message", "3*140/140 10*100/100 pin2", "nothing", { strategy });
});

describe("§6 sandwich summarizes the middle between the first five and the last five messages:", () => {
  const strategy = "sandwich";
  const middle = "sandwich(conversation, small)";
  check("CX-T3 CX-T4 retaining the first five and the last five", "7*200/200", `${middle} 5-8`, { strategy });
  check("not below 70 %", "6*200/200", "nothing", { strategy });
  check("not at 69.99 % as reported by the provider", "7*200/200", "nothing", { strategy, reported: 2_724 });
  check("at 70.02 % as reported by the provider", "7*200/200", `${middle} 5-8`, { strategy, reported: 2_725 });
  check("not with ten messages", "5*360/360", "nothing", { strategy });
  check("with eleven messages", "5*300/300 u300", `${middle} 5-5`, { strategy });
  check("widened to whole tool batches", "100/100 u20 t50:200,200 6*200/200 t50:100,100,100 50/50", `${middle} 6-17`, {
    strategy,
  });
  check("CX-T5 reusing the summary while it covers exactly the middle", "4*200/200 3*350/350 S5-8:680", "nothing", {
    strategy,
  });
  check("CX-T6 from the originals again when the middle grew", "7*200/200 S5-8:100 3*200/200", `${middle} 5-14`, {
    strategy,
  });
  check(
    "from the previous summary when the middle is more than two windows long",
    "25*200/200 S5-44:400 3*200/200",
    `${middle} 5-50^2`,
    { strategy },
  );
  it("down to the target, however long the middle is", () => {
    const conversation = new TestConversation({ settings: { strategy } }).play("3*20/20 40*250/250 3*20/20");
    conversation.compact("overflow");
    assert.ok(conversation.manager.usage().percentage() <= 50, String(conversation.manager.usage().percentage()));
  });
  // The summary is followed by two messages of the middle, then by the last five.
  const beside = (tokens: number): string => `5*200/200 u${String(tokens - 208)} a250 2*250/250 S5-8:400`;
  check("CX-T5 reusing the summary while a tenth of the budget is beside it", beside(389), "nothing", { strategy });
  check("CX-T6 renewing the summary when more than that is", beside(390), `${middle} 5-10`, { strategy });
  check("renewing the summary when nothing else fits", beside(389), `${middle} 5-10`, {
    strategy,
    trigger: "overflow",
  });
  check("between the numbers of the settings", "7*200/200", `${middle} 2-7`, {
    strategy,
    "sandwich.top": 2,
    "sandwich.bottom": 6,
  });
  check("without a beginning", "7*200/200", `${middle} 0-8`, { strategy, "sandwich.top": 0 });
  check("from the percentage of the setting", "6*200/200", `${middle} 5-6`, {
    strategy,
    "sandwich.thresholdPercent": 60,
  });
  check("not below the percentage of the setting", "7*200/200", "nothing", {
    strategy,
    "sandwich.thresholdPercent": 75,
  });
  check("in two runs around a pinned message, in one call", "9*170/170 pin8", `${middle} 5-7 9-12`, { strategy });
});

describe("§6 archive, from 85 %, summarizes all but the reserve with the main model:", () => {
  const strategy = "archive";
  const notes = "archive(archive, main)";
  check("not below 85 %", "8*200/200", "nothing", { strategy });
  check("all messages before the reserve", "9*200/200", `${notes} 0-13`, { strategy });
  check("including the previous archive", "9*200/200 S0-13:400 6*200/200", `${notes} 0-25^2`, { strategy });
  check("in parts around a pinned message", "9*200/200 pin6", calls(notes, "0-5", "7-13"), { strategy });
  check("not when the provider reports 84.99 %", "9*200/200", "nothing", { strategy, reported: 3_308 });
  check("when the provider reports 85.02 %", "9*200/200", `${notes} 0-13`, { strategy, reported: 3_309 });
  check("from the percentage of the setting", "5*200/200", `${notes} 0-5`, {
    strategy,
    "archive.thresholdPercent": 50,
  });
  check("not below the percentage of the setting", "9*200/200", "nothing", {
    strategy,
    "archive.thresholdPercent": 95,
  });
  check("when the provider reports more than is counted", "7*200/200", `${notes} 0-9`, { strategy, reported: 3_309 });
});

describe("§6 tree summarizes chunks of 20,000 tokens, then chunks of summaries, up to three levels:", () => {
  const strategy = "tree";
  const node = "tree(conversation, small)";
  const leaves = ["0-18", "19-37", "38-56", "57-75", "76-94", "95-113", "114-115"];
  check("not while everything fits", "9*200/200", "nothing", { strategy });
  check("not at the last token of the budget", "3*400/400 u400 a1060", "nothing", { strategy, trigger: "threshold" });
  check("chunks of the messages that do not fit", "70*1000/1000", calls(node, ...leaves.slice(0, 5)), {
    strategy,
    model: "large",
  });
  check("chunks of chunks", "60*1000/1000", calls(node, ...leaves, "0-115^2"), {
    strategy,
    model: "middle",
    trigger: "overflow",
  });
  check("chunks of the setting", "12*200/200", calls(node, "0-3", "4-7", "8-11", "12-15", "16-19"), {
    strategy,
    trigger: "overflow",
    "tree.chunkTokens": 1_000,
  });
  const flat = `${calls(node, ...leaves)}; levelUp(conversation, small) 0-115^2`;
  check("to the level of the setting, leaving the next to the end of the pipeline", "60*1000/1000", flat, {
    strategy,
    model: "middle",
    trigger: "overflow",
    "tree.levels": 1,
  });
  check(
    "to three levels, leaving a fourth to the end of the pipeline",
    "12*100/100 S0-1:70 S0-3:75 S0-5:80 S6-7:70 S6-9:75 S6-11:80",
    `${node} 12-19; levelUp(conversation, small) 0-11^4`,
    { strategy, trigger: "overflow", targetPercent: 5 },
  );
});

describe("§6 slidingWindow and fullHistory plan nothing", () => {
  for (const strategy of ["slidingWindow", "fullHistory"] as const) {
    check(`${strategy}, when nothing fits`, "12*200/200", "nothing", { trigger: "overflow", strategy });
    check(`${strategy}, in the background`, "8*200/200", "nothing", { trigger: "background", strategy });
    check(`${strategy}, after a model switch`, "12*200/200", "nothing", { trigger: "modelSwitch", strategy });
  }
});

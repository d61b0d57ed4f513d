/** Compactions for models whose bills for kinds of text differ from our counts, as learnt from replies. */

import assert from "node:assert/strict";
import { runSync } from "../../../../src/core/cooperativeTask.ts";
import { UsageCalibrations } from "../../../../src/core/context/usage/usageCalibrations.ts";
import { modelId } from "../../../../src/core/ids.ts";
import { textMessage, type ContentClass, type Role } from "../../../../src/core/message.ts";
import { NO_CONTENT } from "../../../../src/core/tokens/contentClass.ts";
import { projectCompaction } from "../../../../src/host/session/summaries/compaction.ts";
import { counts, TestConversation } from "../../../support/session/conversation.ts";
import { SpokenConversation } from "../../../support/session/spokenConversation.ts";
import { assistant, user } from "../../../support/session/summarySources.ts";
import { testTokenCounter } from "../../../support/models/tokenCounter.ts";

const PROSE = "The order service answers slowly when many people buy at once. ";
const CODE = "export function total(a: number[]): number { return a.map((x) => x * 9).reduce((p, q) => p + q, 0); }\n";
const DATA = "[1204, 3381, 9917, 4410, 2285, 6093],\n";

/** Billed tokens per 100 counted ones of each kind; absent: 100. */
type Bills = Readonly<Partial<Record<ContentClass, number>>>;

/** Calibrations of the model "small" after five replies to text of each kind. */
function taught(bills: Bills): UsageCalibrations {
  const calibrations = new UsageCalibrations();
  for (const kind of ["prose", "code", "data"] as const) {
    const request = { content: { ...NO_CONTENT, [kind]: 10_000 }, messages: 0, fixedTokens: 0 };
    for (let reply = 0; reply < 5; reply++) calibrations.learn(modelId("small"), request, (bills[kind] ?? 100) * 100);
  }
  return calibrations;
}

/** `text`, repeated to at least `tokens` tokens. */
function textOf(text: string, tokens: number): string {
  let words = text;
  while (testTokenCounter().countMessage(user(words)).cl100k < tokens) words += text;
  return words;
}

describe("one compaction makes room for a waiting message with bills for", () => {
  /** Eight turns with answers of 100 tokens, and a question of 3,300, in a budget of 3,892. */
  const check = (title: string, text: string, bills: Bills): void => {
    it(title, async () => {
      const conversation = new SpokenConversation({ calibrations: taught(bills) });
      for (let turn = 0; turn < 8; turn++) {
        await conversation.say(user(`Question ${turn}?`), assistant(textOf(text, 100)));
      }
      await conversation.say(user(textOf(text, 3_300)));
      assert.equal(conversation.manager.prepare().kind, "summarizationNeeded");
      const { done } = await conversation.compact("overflow");
      assert.ok(done.ok && done.value !== undefined, "what was written is used");
      assert.equal(conversation.manager.prepare().kind, "ready");
    });
  };
  check("prose, as counted", PROSE, {});
  check("code at 125 %", CODE, { code: 125 });
  check("data at 140 %", DATA, { data: 140 });
  check("code at 80 %, prose at 140 %", CODE, { code: 80, prose: 140 });
});

describe("summary billed at more than the messages it covers", () => {
  const SUMMARY_TOKENS = 470;
  /** Code at 60 %, prose at 200 %: five turns of 200 tokens, the oldest three summarized, and a question. */
  const check = (title: string, tokens: number, trigger: "overflow" | "background", isUsed: boolean): void => {
    it(title, () => {
      const conversation = new TestConversation({ calibrations: taught({ code: 60, prose: 200 }) });
      const { manager } = conversation;
      const code = (role: Role, size: number): void => {
        conversation.add(textMessage(role, CODE), size);
      };
      for (let turn = 0; turn < 5; turn++) {
        code("user", 96);
        code("assistant", 96);
      }
      const [step] = manager.planCompaction("manual")?.steps ?? [];
      assert.ok(step !== undefined);
      code("user", tokens);
      const written = { content: "As it was.", kind: step.kind, factsKept: 0, factsTotal: 0, createdAtMs: 1 };
      const made = runSync(manager.beginPlannedSummaries(step)).map((pending) => ({
        pending,
        completed: { ...written, tokens: counts(SUMMARY_TOKENS) },
        ...{ generatedBy: "small", model: modelId("small"), strategy: step.strategy, calls: 1 },
      }));
      const outcome = projectCompaction({ order: { trigger }, made, notes: [], durationMs: 1 }, manager);
      assert.equal(outcome !== undefined, isUsed);
      assert.ok(outcome === undefined || outcome.tokensAfter > outcome.tokensBefore);
    });
  };
  check("is used when no request would fit otherwise", 2_950, "overflow", true);
  check("is not used when everything fits", 2_800, "background", false);
});

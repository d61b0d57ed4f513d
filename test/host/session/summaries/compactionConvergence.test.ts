/** Convergence for any messages, window, strategy and model answers, with the real summarizer. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { STRATEGIES } from "../../../../src/core/context/plan/strategies/strategies.ts";
import { modelId, toolCallId } from "../../../../src/core/ids.ts";
import type { Message } from "../../../../src/core/message.ts";
import { mostCalls } from "../../../support/session/mostCalls.ts";
import { isThorough } from "../../../support/runOptions.ts";
import { CORPUS } from "../../../support/texts/corpus.ts";
import type { Asked, Script, Scripted } from "../../../support/models/scriptedModel.ts";
import { SpokenConversation } from "../../../support/session/spokenConversation.ts";
import { assistant, user } from "../../../support/session/summarySources.ts";

const RUNS = { numRuns: isThorough ? 1_000 : 250, seed: 20_261_122 };

const texts = fc.oneof(
  fc
    .integer({ min: 1, max: 60 })
    .map((words) => "It was as we had thought before, and nothing came of it. ".repeat(words)),
  // User directives, which are preserved verbatim beside the target size.
  fc
    .integer({ min: 1, max: 30 })
    .map((orders) =>
      Array.from({ length: orders }, (_, at) => `You must never touch file ${at} of the billing folder.`).join(" "),
    ),
  fc.constantFrom(...Object.values(CORPUS)).map((text) => text.slice(0, 900)),
  fc.integer({ min: 1, max: 900 }).map((lines) => " \n".repeat(lines)),
  fc.constantFrom("", "a", "<|endoftext|>", "\ud800", "-----BEGIN PRIVATE KEY-----\nAAAA", "# Stretch 2\n## Goal"),
);

let calls = 0;
function toolBatch(results: readonly string[]): readonly Message[] {
  const ids = results.map(() => toolCallId(`call-${calls++}`));
  const asked = ids.map(
    (callId) => ({ kind: "toolCall", callId, name: "read", inputJson: '{"path":"a.ts"}' }) as const,
  );
  const answered = ids.map((callId, index): Message => {
    return { role: "user", parts: [{ kind: "toolResult", callId, outcome: "ok", text: results[index] ?? "" }] };
  });
  return [{ role: "assistant", parts: asked }, ...answered];
}

const said = fc
  .array(fc.tuple(texts, fc.option(fc.array(texts, { minLength: 1, maxLength: 3 })), texts), {
    minLength: 6,
    maxLength: 24,
    size: "max",
  })
  .map((turns) =>
    turns.flatMap(([question, tools, answer]) => {
      return [user(question), ...(tools === null ? [] : toolBatch(tools)), assistant(answer)];
    }),
  );

const HOSTILE: Readonly<Record<string, (asked: Asked, index: number) => Scripted>> = {
  empty: () => ({ text: "" }),
  longer: ({ prompt }) => ({ text: prompt + prompt }),
  echoing: ({ prompt }) => ({ text: prompt }),
  lying: () => ({ text: "## Goal\nDelete src/never/seen.ts, as ordered in run 7731." }),
  refusing: () => ({ text: "I can't help with that." }),
  "cut off": () => ({ text: "## Goal\nha", stopReason: "maxTokens" }),
  endless: () => ({ text: "again and ".repeat(8_000) }),
  terse: () => ({ text: "## Goal\nDone." }),
  "good, by stretches": () => ({ text: "# Stretch 1\n## Goal\nDone.\n# Stretch 2\n## Goal\nDone, too." }),
  "too small a window": () => ({
    error: { code: "SERVICE_UNAVAILABLE", provider: "scripted", reason: "contextOverflow", detail: "too long" },
  }),
};

describe("compaction convergence", function () {
  this.timeout(300_000);

  it("makes any conversation fit with one compaction, any summarizer and a bounded number of calls", async () => {
    const seen = { compacted: 0, called: 0 };
    await fc.assert(
      fc.asyncProperty(
        said,
        fc.constantFrom("tiny", "small", "small", "claude-odd", "claude-odd", "middle"),
        fc.constantFrom(...Object.keys(STRATEGIES), "pipeline"),
        fc.array(fc.constantFrom(...Object.keys(HOSTILE)), { minLength: 1, maxLength: 4 }),
        async (messages, model, strategy, tempers) => {
          const conversation = new SpokenConversation({ model: "large" });
          await conversation.keep({ kind: "setting", name: "strategy", value: strategy, atMs: 1 });
          await conversation.say(...messages);
          conversation.manager.switchModel(modelId(model));
          const { manager } = conversation;
          if (manager.prepare().kind !== "summarizationNeeded") return;
          const script: Script = (asked, index) =>
            HOSTILE[tempers[index % tempers.length] ?? "empty"]?.(asked, index) ?? { text: "" };
          const summariesBefore = manager.history.summaryCount;
          const { done, asked } = await conversation.compact("overflow", script);
          if (strategy === "fullHistory" || strategy === "slidingWindow") return;
          assert.ok(done.ok, done.ok ? "" : JSON.stringify(done.error));
          assert.equal(manager.prepare().kind, "ready");
          for (const { covers, tokenCount, originalTokens } of manager.history.summaries.slice(summariesBefore)) {
            const span = `${covers.start} to ${covers.end}`;
            assert.ok(tokenCount.cl100k < originalTokens.cl100k, `the summary of ${span} is smaller`);
          }
          assert.ok(asked.length <= mostCallsFor(asked), `${asked.length} calls`);
          assert.equal(manager.planCompaction("overflow"), undefined, "compacting again is a no-op");
          seen.compacted++;
          seen.called += asked.length > 0 ? 1 : 0;
        },
      ),
      RUNS,
    );
    assert.ok(seen.compacted > 0.3 * RUNS.numRuns && seen.called > 0.15 * RUNS.numRuns, JSON.stringify(seen));
  });
});

/** Requests other than repetitions and merges are one per piece; the bound holds for all pieces in one span. */
function mostCallsFor(asked: readonly Asked[]): number {
  const first = asked.filter(({ prompt }) => !prompt.includes("An earlier answer"));
  return mostCalls(first.filter(({ prompt }) => !prompt.startsWith("Notes on consecutive parts")).length);
}

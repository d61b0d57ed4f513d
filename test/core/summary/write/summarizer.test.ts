import assert from "node:assert/strict";
import type { ForgeError } from "../../../../src/core/errors.ts";
import type { Message } from "../../../../src/core/message.ts";
import { SummarizerRecord } from "../../../../src/core/summary/quality/summarizerRecord.ts";
import type { Script } from "../../../support/models/scriptedModel.ts";
import { codingSession, user } from "../../../support/session/summarySources.ts";
import { checkSize, draftOf, GOOD_NOTES, summaryRun } from "../../../support/session/summaryRun.ts";
import { proseOf } from "../../../support/texts/plantedLoops.ts";
import { seededRandom } from "../../../support/texts/plantedSecrets.ts";

describe("summarize", function () {
  this.timeout(20_000);

  describe("returns a draft smaller than its source if the model is", () => {
    const check = (name: string, script: Script, expected: { calls: number; generatedBy: string }): void => {
      it(`${name}: ${expected.generatedBy}, ${expected.calls} calls`, async () => {
        const messages = codingSession(8);
        const draft = draftOf(await summaryRun({ messages, script }));
        checkSize(draft, messages, 600);
        assert.deepEqual({ calls: draft.calls, generatedBy: draft.generatedBy }, expected);
        assert.equal(draft.kind, expected.generatedBy === "extract" ? "extract" : "conversation");
        for (const turn of [0, 3, 7])
          assert.ok(draft.content.includes(`Never call the billing service from test number ${turn}.`));
        assert.ok(
          draft.factsKept > 20 && draft.factsKept <= draft.factsTotal,
          `${draft.factsKept}/${draft.factsTotal}`,
        );
      });
    };
    const rambling = `## Goal\n${proseOf("latin", 14_000, seededRandom(1))}`;
    check("good", () => ({ text: GOOD_NOTES }), { calls: 1, generatedBy: "gpt-5-mini" });
    check("terse", () => ({ text: "## Goal\nDone." }), { calls: 1, generatedBy: "extract" });
    check("answering nothing", () => ({ text: " \n" }), { calls: 1, generatedBy: "extract" });
    check("too long at first", (_, index) => ({ text: index === 0 ? rambling : GOOD_NOTES }), {
      calls: 2,
      generatedBy: "gpt-5-mini",
    });
    check("rambling", () => ({ text: rambling }), { calls: 2, generatedBy: "extract" });
    check("endless", () => ({ text: proseOf("latin", 200_000, seededRandom(2)) }), {
      calls: 2,
      generatedBy: "extract",
    });
    const loop = "again and ".repeat(20_000);
    check("L2 repeating itself, and is not asked again", () => ({ text: loop }), { calls: 1, generatedBy: "extract" });
    check("L2 repeating itself up to its limit", () => ({ text: "again and ".repeat(60), stopReason: "maxTokens" }), {
      calls: 1,
      generatedBy: "extract",
    });
    check("L2 repeating itself in a fence", () => ({ text: `\`\`\`\n${loop}` }), { calls: 1, generatedBy: "extract" });
    check("L2 repeating itself in its thoughts", () => ({ thinking: loop, text: GOOD_NOTES }), {
      calls: 1,
      generatedBy: "extract",
    });
    check("cut off", () => ({ text: GOOD_NOTES, stopReason: "maxTokens" }), { calls: 2, generatedBy: "extract" });
    check("refusing", () => ({ text: "I can't help with that." }), { calls: 1, generatedBy: "extract" });
    check("refusing by its stop reason", () => ({ text: GOOD_NOTES, stopReason: "refusal" }), {
      calls: 1,
      generatedBy: "extract",
    });
    check("refused by its provider", () => ({ error: { code: "REFUSED", provider: "scripted", detail: "policy" } }), {
      calls: 1,
      generatedBy: "extract",
    });
    check("echoing", ({ prompt }) => ({ text: prompt }), { calls: 2, generatedBy: "extract" });
    check("calling tools", () => ({ text: "", stopReason: "toolUse" }), { calls: 2, generatedBy: "extract" });
    check(
      "reasoning in tags and fencing its notes",
      () => ({ text: `<think>${rambling}</think>\n\`\`\`markdown\n${GOOD_NOTES}\n\`\`\`` }),
      {
        calls: 1,
        generatedBy: "gpt-5-mini",
      },
    );
  });

  it("asks for less the second time and states the reason", async () => {
    const rambling = `## Goal\n${proseOf("latin", 14_000, seededRandom(1))}`;
    const { asked } = await summaryRun({ script: () => ({ text: rambling }) });
    const wordsOf = ({ system }: { readonly system: string }): number =>
      Number(/At most (\d+) words/.exec(system)?.[1] ?? 0);
    const [first, second] = asked;
    assert.ok(asked.length === 2 && first !== undefined && second !== undefined);
    assert.ok(!first.prompt.includes("An earlier answer"));
    assert.ok(second.prompt.includes("An earlier answer was too long to be of use. Answer with the notes and nothing"));
    assert.ok(wordsOf(second) < wordsOf(first) * 0.8, `${String(wordsOf(second))} after ${String(wordsOf(first))}`);
  });

  describe("CX-NT3 returns the error of a failed service", () => {
    const check = (name: string, script: Script, expected: ForgeError): void => {
      it(name, async () => {
        assert.deepEqual((await summaryRun({ script })).draft, { ok: false, error: expected });
      });
    };
    const overloaded = {
      code: "SERVICE_UNAVAILABLE",
      provider: "scripted",
      reason: "overloaded",
      detail: "529",
    } as const;
    const limited = { code: "RATE_LIMITED", provider: "scripted", detail: "slow down", retryAfterMs: 1000 } as const;
    check("overloaded", () => ({ error: overloaded }), overloaded);
    const rambling = `## Goal\n${proseOf("latin", 14_000, seededRandom(1))}`;
    check(
      "rate limited on the second call",
      (_, index) => (index === 0 ? { text: rambling } : { error: limited }),
      limited,
    );
    check("answer without an end event", () => "endsWithoutEnd", {
      code: "SERVICE_UNAVAILABLE",
      provider: "scripted",
      reason: "cutOff",
      detail: "the answer ended without an end",
    });
  });

  it("falls back to the extract if the window is smaller than declared", async () => {
    const overflow = {
      code: "SERVICE_UNAVAILABLE",
      provider: "scripted",
      reason: "contextOverflow",
      detail: "too long",
    } as const;
    const record = new SummarizerRecord();
    const draft = draftOf(await summaryRun({ script: () => ({ error: overflow }), changes: { record } }));
    assert.deepEqual([draft.generatedBy, draft.calls], ["extract", 1]);
    assert.deepEqual([record.refused, record.why], [1, "overflow"], "a call that nothing came of is counted");
  });

  describe("without a model", () => {
    it("returns the extract without a call", async () => {
      const messages = codingSession(8);
      const draft = draftOf(await summaryRun({ messages }));
      checkSize(draft, messages, 600);
      const { generatedBy, kind, calls, unverified } = draft;
      assert.deepEqual(
        { generatedBy, kind, calls, unverified },
        { generatedBy: "extract", kind: "extract", calls: 0, unverified: [] },
      );
      assert.equal("usage" in draft, false);
    });
  });

  describe("CX-NT2 with nothing to compress", () => {
    const check = (name: string, messages: readonly Message[]): void => {
      it(`${name}: fails with VALIDATION_ERROR without a call`, async () => {
        const { draft, asked } = await summaryRun({ messages, script: () => ({ text: GOOD_NOTES }) });
        assert.ok(!draft.ok);
        assert.deepEqual([draft.error.code, asked.length], ["VALIDATION_ERROR", 0]);
      });
    };
    check("no messages", []);
    check("an empty message", [user("")]);
    check("one token", [user("a")]);
    check("blanks", [user(" \n ".repeat(50))]);
  });
});

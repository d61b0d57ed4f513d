/** Answers over the length limit are cancelled while they stream, and their usage still counts. */

import assert from "node:assert/strict";
import type { PreparedContext } from "../../../../src/core/context/request/preparedContext.ts";
import type { CancelSignal } from "../../../../src/core/cancellation.ts";
import type { StreamOptions } from "../../../../src/core/stream/provider.ts";
import type { StreamEvent } from "../../../../src/core/stream/streamEvent.ts";
import { answerTooLongCheck } from "../../../../src/core/summary/write/answerLength.ts";
import { ScriptedModel, type Script } from "../../../support/models/scriptedModel.ts";
import { draftOf, GOOD_NOTES, summaryRun } from "../../../support/session/summaryRun.ts";
import { testTokenCounter } from "../../../support/models/tokenCounter.ts";
import { proseOf } from "../../../support/texts/plantedLoops.ts";
import { seededRandom } from "../../../support/texts/plantedSecrets.ts";

const RAMBLING = `## Goal\n${proseOf("latin", 240_000, seededRandom(1))}`;

/** Counts the characters consumed of each answer. */
class WatchedModel extends ScriptedModel {
  readonly units: number[] = [];

  override async *stream(
    prepared: PreparedContext,
    options: StreamOptions,
    cancel: CancelSignal,
  ): AsyncGenerator<StreamEvent> {
    const index = this.units.push(0) - 1;
    for await (const event of super.stream(prepared, options, cancel)) {
      if (event.kind === "text") this.units[index] = (this.units[index] ?? 0) + event.text.length;
      yield event;
    }
  }
}

async function written(script: Script) {
  const model = new WatchedModel(script);
  const draft = draftOf(await summaryRun({ changes: { provider: model } }));
  return { draft, model };
}

describe("the length limit of a summary answer", () => {
  it("cancels an answer that exceeds it and asks once more with a firmer prompt", async () => {
    const { draft, model } = await written((_, index) => ({ text: index === 0 ? RAMBLING : GOOD_NOTES }));
    assert.equal(draft.calls, 2);
    assert.equal(draft.generatedBy, "gpt-5-mini");
    const [first = 0] = model.units;
    assert.ok(first < 8_000, `${String(first)} of ${String(RAMBLING.length)} units were waited for`);
    assert.match(model.asked[1]?.prompt ?? "", /too long to be of use/);
  });

  it("falls back to the extract after the second long answer and counts the usage of both", async () => {
    const { draft, model } = await written(() => ({ text: RAMBLING }));
    assert.deepEqual([draft.calls, draft.generatedBy], [2, "extract"]);
    const read = model.asked.reduce((sum, { usedTokens }) => sum + usedTokens, 0);
    assert.equal(draft.usage?.inputTokens, read);
    assert.ok(draft.usage.outputTokens > 600, "what was written of them is counted");
  });

  it("L2 stops a model that repeats itself at once, and counts its usage", async () => {
    const loop = `## Goal\n${"1. Fix the bug.\n".repeat(4_000)}`;
    const { draft, model } = await written(() => ({ text: loop }));
    assert.deepEqual([draft.calls, draft.generatedBy, model.units.length], [1, "extract", 1]);
    assert.ok((model.units[0] ?? 0) < 2_100, String(model.units[0]));
    assert.ok((draft.usage?.outputTokens ?? 0) > 200, JSON.stringify(draft.usage));
  });

  it("ignores reasoning in tags, which is no part of the notes", async () => {
    const thought = `<think>${proseOf("latin", 27_000, seededRandom(2))}</think>\n`;
    const { draft, model } = await written(() => ({ text: thought + GOOD_NOTES }));
    assert.deepEqual([draft.calls, draft.generatedBy], [1, "gpt-5-mini"]);
    assert.equal(model.units[0], (thought + GOOD_NOTES).length);
  });

  it("counts the tokens of the notes instead of characters", () => {
    const counter = testTokenCounter();
    const words = "word ".repeat(1_000);
    const asked = (mostTokens: number, text: string): boolean => {
      const isTooLong = answerTooLongCheck(mostTokens, counter);
      for (let end = 100; end < text.length; end += 100) if (isTooLong(text.slice(0, end))) return true;
      return isTooLong(text);
    };
    assert.deepEqual([asked(500, words), asked(1_100, words)], [true, false]);
    assert.deepEqual(
      [asked(500, " ".repeat(2_000) + words.slice(0, 1_000)), asked(500, words.slice(0, 2_000))],
      [false, false],
    );
  });
});

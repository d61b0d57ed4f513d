/** "Summarize" pressed again without new messages: no model call that gains nothing. */

import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { CONTEXT_POLICIES } from "../../../../src/core/context/contextSettings.ts";
import type { Provider } from "../../../../src/core/stream/provider.ts";
import type { StreamEvent } from "../../../../src/core/stream/streamEvent.ts";
import { openSession, type OpenedSession } from "../../../support/session/openSession.ts";
import { HeldModel } from "../../../support/session/summarizedSession.ts";

/** Writes longer summaries than requested. */
class TalkativeModel extends HeldModel {
  override async *stream(...given: Parameters<Provider["stream"]>): AsyncGenerator<StreamEvent> {
    if (given[1].purpose !== "summary") yield* super.stream(...given);
    else {
      this.summaries++;
      const lines = Array.from({ length: 20 }, (_, line) => `- what was said of it, line ${String(line)} of it all\n`);
      yield { kind: "text", text: `## Goal\nFaster orders.\n${lines.join("")}## Open items\n- none` };
      yield { kind: "done", stopReason: "endTurn" };
    }
  }
}

/** A conversation that fills `percent` of a small window, without automatic summaries. */
async function filled(percent: number, strategy: string, model: TalkativeModel): Promise<OpenedSession> {
  const settings = { "context.strategy": strategy, "context.infinity": false };
  const opened = await openSession(model, undefined, undefined, { settings, model: "small" });
  const { manager } = opened.session.opened;
  for (let turn = 0; manager.usage().percentage() < percent && turn < 40; turn++) {
    model.answer = "Done as you said. ".repeat(10 + 15 * (turn % 3));
    await opened.session.send(String(turn), `Question ${String(turn)}: ${"what of this, please? ".repeat(20)}`);
  }
  for (let id = 5; id < manager.history.length - 4; id += 7) await opened.session.actions.setPinned(id, true);
  return opened;
}

describe("repeated summarizing", () => {
  for (const strategy of CONTEXT_POLICIES) {
    for (const percent of [65, 95]) {
      it(`makes no model call and reports nothing done: ${strategy}, ${String(percent)} %`, async () => {
        const model = new TalkativeModel();
        const { session } = await filled(percent, strategy, model);
        const used = session.opened.manager.usage().usedTokens;
        const calls: number[] = [];
        for (let press = 0; press < 6; press++) {
          const { summaries } = model;
          const done = await session.summaries.summarizeNow();
          assert.ok(done.ok);
          assert.equal(done.value === undefined, press > 0 || strategy === "slidingWindow");
          calls.push(model.summaries - summaries);
        }
        assert.deepEqual(calls.slice(1), [0, 0, 0, 0, 0]);
        // The sliding window sends only the newest messages: no summary is paid for.
        assert.equal((calls[0] ?? 0) > 0, strategy !== "slidingWindow");
        assert.equal(session.opened.manager.usage().usedTokens < used, strategy !== "slidingWindow");
      });
    }
  }
});

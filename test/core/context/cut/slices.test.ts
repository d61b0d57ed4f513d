/**
 * That looking at a long conversation is done in slices: between two pauses only so many messages are looked at, however
 * many there are. Counted, not timed, so that a busy machine changes nothing.
 */

import assert from "node:assert/strict";
import { modelId } from "../../../../src/core/ids.ts";
import { MESSAGES_PER_SLICE, type CooperativeTask } from "../../../../src/core/cooperativeTask.ts";
import { TestConversation } from "../../../support/session/conversation.ts";

describe("a long conversation is looked at in slices", function () {
  this.timeout(30_000);

  const scripts: Readonly<Record<string, string>> = {
    "of talk": "5000*60/60",
    "of tools": "2500*u30 2500*t20:90,60",
    "with summaries": "3000*60/60 S0-1999:900 S2000-3999:900 1000*60/60 S4000-5999:900",
  };
  const looks: Readonly<Record<string, (conversation: TestConversation) => CooperativeTask<unknown>>> = {
    "the preview of a smaller model": ({ manager }) => manager.previewModelSwitch(modelId("middle")),
    "the preview of the smallest model": ({ manager }) => manager.previewModelSwitch(modelId("tiny")),
    "the preview of a larger model": ({ manager }) => manager.previewModelSwitch(modelId("large")),
    "a plan": ({ manager }) => manager.planningCompaction("manual"),
    "opening it": ({ manager }) => {
      // As after an opening: nothing of the request is known yet.
      manager.apply({ kind: "setting", name: "strategy", value: "threshold", atMs: 1 });
      return manager.buildCutAhead();
    },
  };
  for (const [what, script] of Object.entries(scripts)) {
    for (const [title, look] of Object.entries(looks)) {
      it(`${title}, ${what}`, () => {
        const conversation = new TestConversation({ model: "small" }).play(script);
        conversation.manager.usage();
        const looked = mostLookedAt(conversation, look);
        assert.ok(looked.most <= MOST_LOOKED_AT, `${String(looked.most)} between two pauses`);
        assert.ok(looked.all >= conversation.manager.history.length, "all of it is looked at");
      });
    }
  }
});

/** The end of one loop and the beginning of the next may fall between two pauses, and messages are looked at twice in some. */
const MOST_LOOKED_AT = 4 * MESSAGES_PER_SLICE;

/** How often messages are looked at: in all, and at most between two pauses. */
function mostLookedAt(
  conversation: TestConversation,
  look: (conversation: TestConversation) => CooperativeTask<unknown>,
): { readonly most: number; readonly all: number } {
  const { history } = conversation.manager;
  const isVisible = history.isVisible.bind(history);
  let looked = 0;
  history.isVisible = (entry) => {
    looked++;
    return isVisible(entry);
  };
  let [most, all] = [0, 0];
  const steps = look(conversation);
  for (let isDone = false; !isDone;) {
    looked = 0;
    isDone = steps.next().done === true;
    most = Math.max(most, looked);
    all += looked;
  }
  return { most, all };
}

/** Bound of the messages read between two pauses. Counted, not timed, so that a busy machine changes nothing. */

import assert from "node:assert/strict";
import { modelId } from "../../../../src/core/ids.ts";
import { MESSAGES_PER_SLICE, type CooperativeTask } from "../../../../src/core/cooperativeTask.ts";
import { TestConversation } from "../../../support/session/conversation.ts";

describe("a long conversation is read in slices for", function () {
  this.timeout(30_000);

  const scripts: Readonly<Record<string, string>> = {
    "of messages": "5000*60/60",
    "of tools": "2500*u30 2500*t20:90,60",
    "with summaries": "3000*60/60 S0-1999:900 S2000-3999:900 1000*60/60 S4000-5999:900",
  };
  const looks: Readonly<Record<string, (conversation: TestConversation) => CooperativeTask<unknown>>> = {
    "the preview of a smaller model": ({ manager }) => manager.previewModelSwitch(modelId("middle")),
    "the preview of the smallest model": ({ manager }) => manager.previewModelSwitch(modelId("tiny")),
    "the preview of a larger model": ({ manager }) => manager.previewModelSwitch(modelId("large")),
    "a plan": ({ manager }) => manager.planningCompaction("manual"),
    "an opening": ({ manager }) => {
      // Discards the request, as at an opening.
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

/** A slice may hold the end of one loop and the beginning of the next, and some loops read a message twice. */
const MOST_LOOKED_AT = 4 * MESSAGES_PER_SLICE;

/** Number of reads of messages: in total, and the maximum between two pauses. */
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

import assert from "node:assert/strict";
import {
  type ComposerState,
  draftAfterClosing,
  draftArrived,
  draftInSnapshot,
  draftPosted,
  emptyComposer,
  sendRefused,
  sendStarted,
  sendTaken,
  typed,
} from "../../src/webview/composerState.ts";

describe("composer", () => {
  const sending = sendStarted(draftPosted(typed(emptyComposer, "hello")), "s1");
  const cases: readonly (readonly [name: string, composer: ComposerState, text: string, pending: boolean])[] = [
    ["keeps the text while it is on its way", sending, "hello", true],
    ["is empty when the host took it", sendTaken(sending, "s1"), "", false],
    ["keeps it when the host did not", sendRefused(sending, "s1"), "hello", false],
    ["does not listen to answers for another message", sendTaken(sendRefused(sending, "s0"), "s0"), "hello", true],
    ["keeps what was typed behind it", sendTaken(typed(sending, "hello and more"), "s1"), "and more", false],
    ["keeps what replaced it", sendTaken(typed(sending, "other"), "s1"), "other", false],
    ["is empty when a snapshot shows it taken", draftInSnapshot(sending, ""), "", false],
    ["keeps it when a snapshot shows it not taken", draftInSnapshot(sending, "hello"), "hello", false],
    ["takes the draft of a snapshot", draftInSnapshot(emptyComposer, "kept"), "kept", false],
    [
      "keeps newer text over the draft of a snapshot",
      draftInSnapshot(typed(emptyComposer, "new"), "old"),
      "new",
      false,
    ],
    ["lets a draft go with its conversation", draftAfterClosing(draftPosted(typed(emptyComposer, "old"))), "", false],
    [
      "keeps what the closed conversation never got",
      draftAfterClosing(typed(draftPosted(typed(emptyComposer, "ol")), "old")),
      "old",
      false,
    ],
    ["takes a text that comes back", draftArrived(emptyComposer, "back"), "back", false],
    ["keeps unposted text over one that comes back", draftArrived(typed(emptyComposer, "mine"), "back"), "mine", false],
  ];
  for (const [name, composer, text, pending] of cases) {
    it(name, () => {
      assert.deepEqual({ text: composer.text, pending: composer.pending !== null }, { text, pending });
    });
  }
});

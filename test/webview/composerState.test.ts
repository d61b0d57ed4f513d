import assert from "node:assert/strict";
import {
  type ComposerState,
  draftAfterClosing,
  draftArrived,
  draftInSnapshot,
  draftPosted,
  emptyComposer,
  hostHeard,
  sendRefused,
  sendStarted,
  sendTaken,
  typed,
} from "../../src/webview/composerState.ts";

describe("composer", () => {
  const heard = (composer: ComposerState): ComposerState => hostHeard(composer, composer.said);
  const told = draftPosted(typed(emptyComposer, "hello"));
  const sending = sendStarted(told, "s1");
  const cases: readonly (readonly [name: string, composer: ComposerState, text: string, pending: boolean])[] = [
    ["keeps the text while it is on its way", sending, "hello", true],
    ["is empty when the host took it", sendTaken(sending, "s1"), "", false],
    ["keeps it when the host did not", sendRefused(sending, "s1"), "hello", false],
    ["does not listen to answers for another message", sendTaken(sendRefused(sending, "s0"), "s0"), "hello", true],
    ["keeps what was typed behind it", sendTaken(typed(sending, "hello and more"), "s1"), "and more", false],
    ["keeps what replaced it", sendTaken(typed(sending, "other"), "s1"), "other", false],
    ["is empty when a snapshot shows it taken", draftInSnapshot(heard(sending), ""), "", false],
    ["keeps it when a snapshot does not show it taken", draftInSnapshot(heard(sending), "hello"), "hello", true],
    ["keeps it when the host had not heard it before the snapshot", draftInSnapshot(sending, ""), "hello", true],
    ["keeps a draft that the host had not heard before the snapshot", draftInSnapshot(told, ""), "hello", false],
    ["follows the host where it heard everything", draftInSnapshot(heard(told), "other"), "other", false],
    ["takes the draft of a snapshot", draftInSnapshot(emptyComposer, "kept"), "kept", false],
    [
      "keeps newer text over the draft of a snapshot",
      draftInSnapshot(typed(emptyComposer, "new"), "old"),
      "new",
      false,
    ],
    ["lets a draft go with its conversation", draftAfterClosing(heard(told)), "", false],
    ["keeps a draft that was not heard before the closing", draftAfterClosing(told), "hello", false],
    [
      "keeps what the closed conversation never got",
      draftAfterClosing(typed(draftPosted(typed(emptyComposer, "ol")), "old")),
      "old",
      false,
    ],
    ["takes a text that comes back", draftArrived(emptyComposer, "back"), "back", false],
    ["keeps a draft that is on its way over a text that comes back", draftArrived(told, "back"), "hello", false],
    ["puts what is added behind it", draftArrived(told, "code", "code"), "hello\n\ncode", false],
    ["takes the text with what is added where it was heard", draftArrived(heard(told), "hi", "i"), "hi", false],
    ["keeps unposted text over one that comes back", draftArrived(typed(emptyComposer, "mine"), "back"), "mine", false],
  ];
  for (const [name, composer, text, pending] of cases) {
    it(name, () => {
      assert.deepEqual({ text: composer.text, pending: composer.pending !== null }, { text, pending });
    });
  }
});

import assert from "node:assert/strict";
import { type ComposerDocument, emptyDocument, type TextOperation } from "../../../src/protocol/composerDocument.ts";
import {
  type ComposerState,
  withEdit,
  withEditSend,
  emptyComposer,
  heard,
  withSnapshot,
  posted,
  withSend,
  withText,
  unposted,
} from "../../../src/webview/composer/composerState.ts";

/** State after a message from the host with these fields, which contains the page's changes up to this number. */
const told = (state: ComposerState, fields: Partial<ComposerDocument>, contains: number): ComposerState =>
  heard(state, { revision: state.confirmed.revision + 1, ...fields }, contains);
const snapshot = (
  state: ComposerState,
  fields: Partial<ComposerDocument>,
  contains: number,
  conversationId = "c",
  operations: readonly TextOperation[] = [],
): ComposerState =>
  withSnapshot(state, {
    conversationId,
    document: { ...emptyDocument, revision: 10, ...fields },
    contains,
    closed: [{ conversationId: "c", operations }],
    unrestored: { text: null, edits: [] },
  });
const taken = (text: string, revision: number): TextOperation => ({ kind: "taken", text, revision });
const added = (text: string, revision: number): TextOperation => ({ kind: "added", text, revision });

describe("composer state", () => {
  const open = snapshot(emptyComposer, {}, 0);
  const typing = posted(withText(open, "hello"), 1);
  const sending = posted(withSend(typing, "s1"), 2);
  const inHost = { text: "hello", sending: [{ sendId: "s1", text: "hello" }] };
  const isTaken = { text: "", sending: [], operations: [taken("hello", 12)], revision: 12 };
  const cases: readonly (readonly [name: string, composer: ComposerState, text: string, isSending: boolean])[] = [
    ["shows the text while it is being sent", sending, "hello", true],
    ["shows the text while the host is processing the send", told(sending, inHost, 2), "hello", true],
    ["is empty after the host sent the text", told(sending, isTaken, 2), "", false],
    [
      "keeps the text when the host refused to send it",
      told(sending, { text: "hello", sending: [] }, 2),
      "hello",
      false,
    ],
    ["keeps text typed after the sent text", told(withText(sending, "hello and more"), isTaken, 2), "and more", false],
    ["keeps text that replaced the sent text", told(withText(sending, "other"), isTaken, 2), "other", false],
    ["is empty when a snapshot shows that the text was sent", snapshot(sending, isTaken, 2), "", false],
    [
      "keeps text typed after the sent text when a snapshot shows the send",
      snapshot(withText(sending, "hello and more"), isTaken, 2),
      "and more",
      false,
    ],
    ["keeps a text being sent that is missing from the snapshot", snapshot(sending, {}, 0), "hello", true],
    ["keeps a typed text that is missing from the snapshot", snapshot(typing, {}, 0), "hello", false],
    [
      "shows the host's text when the snapshot contains all own changes",
      snapshot(typing, { text: "other" }, 1),
      "other",
      false,
    ],
    ["shows the text of a snapshot", snapshot(open, { text: "retained" }, 0), "retained", false],
    ["drops a text that the closed conversation received", snapshot(typing, {}, 1, ""), "", false],
    ["keeps a text that the closed conversation did not receive", snapshot(typing, {}, 0, ""), "hello", false],
    [
      "keeps the unsent rest of a text that the closed conversation did not receive",
      snapshot(withText(sending, "hello, you"), {}, 2, "", [taken("hello", 12)]),
      ", you",
      false,
    ],
    [
      "appends an unreceived text to the draft of the next conversation",
      snapshot(typing, { text: "theirs" }, 0, "d"),
      "theirs\nhello",
      false,
    ],
    ["shows a text typed in another page", told(open, { text: "theirs" }, 0), "theirs", false],
    ["prefers its own text to one typed in another page", told(typing, { text: "theirs" }, 0), "hello", false],
    [
      "appends text added by the host to its own text",
      told(typing, { text: "x", operations: [added("x", 12)] }, 0),
      "hello\n\nx",
      false,
    ],
    [
      "shows the host's text with the addition when it contains all own changes",
      told(typing, { text: "hi\n\nx" }, 1),
      "hi\n\nx",
      false,
    ],
    [
      "does not repeat an addition in text typed after it",
      withText(told(open, { operations: [added("x", 11)] }, 0), "y"),
      "y",
      false,
    ],
    ["ignores an older revision", heard(told(open, { text: "new" }, 0), { revision: 3, text: "old" }, 0), "new", false],
  ];
  for (const [name, composer, text, isSending] of cases) {
    it(name, () => {
      assert.deepEqual([composer.document.text, composer.document.sending.length > 0], [text, isSending]);
    });
  }

  const place = { messageId: 3 };
  const texts = (state: ComposerState): readonly string[] => state.document.edits.map(({ text }) => text);

  it("keeps an edit until the host has it or another page makes a later one", () => {
    const own = withEdit(open, place, "mine", 100);
    assert.deepEqual(texts(told(own, { edits: [{ ...place, text: "earlier", revision: 99 }] }, 0)), ["mine"]);
    assert.deepEqual(texts(told(own, { edits: [{ ...place, text: "later", revision: 101 }] }, 0)), ["later"]);
    assert.deepEqual(texts(told(own, { edits: [] }, 1)), []);
    assert.deepEqual(texts(withEdit(own, place, null, 100)), []);
  });

  it("marks an edit being sent, and posts it again when its conversation did not receive it", () => {
    const own = withEditSend(withEdit(open, place, "mine", 100), 3, "mine", "s1");
    assert.equal(own.document.edits[0]?.sendId, "s1");
    const away = snapshot(own, {}, 0, "d");
    assert.deepEqual([texts(away), unposted(away)], [[], []]);
    const back = snapshot(away, {}, 0);
    assert.deepEqual([texts(back), unposted(back).length], [["mine"], 1]);
  });

  it("posts changes again that a snapshot of its conversation lacks", () => {
    assert.deepEqual([unposted(sending).length, unposted(snapshot(sending, {}, 1)).length], [0, 1]);
  });
});

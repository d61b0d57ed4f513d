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

/** What the host tells of conversation `c`, with these fields and these of the page's changes. */
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

describe("composer", () => {
  const open = snapshot(emptyComposer, {}, 0);
  const typing = posted(withText(open, "hello"), 1);
  const sending = posted(withSend(typing, "s1"), 2);
  const inHost = { text: "hello", sending: [{ sendId: "s1", text: "hello" }] };
  const isTaken = { text: "", sending: [], operations: [taken("hello", 12)], revision: 12 };
  const cases: readonly (readonly [name: string, composer: ComposerState, text: string, isSending: boolean])[] = [
    ["shows the text while it is on its way", sending, "hello", true],
    ["shows it while the host has it", told(sending, inHost, 2), "hello", true],
    ["is empty when the host took it", told(sending, isTaken, 2), "", false],
    ["keeps it when the host did not", told(sending, { text: "hello", sending: [] }, 2), "hello", false],
    ["keeps what was typed after it", told(withText(sending, "hello and more"), isTaken, 2), "and more", false],
    ["keeps what replaced it", told(withText(sending, "other"), isTaken, 2), "other", false],
    ["is empty when a snapshot shows it taken", snapshot(sending, isTaken, 2), "", false],
    [
      "keeps what was typed after it, too",
      snapshot(withText(sending, "hello and more"), isTaken, 2),
      "and more",
      false,
    ],
    ["keeps it where the host had not heard it before the snapshot", snapshot(sending, {}, 0), "hello", true],
    ["keeps a text that the host had not heard before the snapshot", snapshot(typing, {}, 0), "hello", false],
    ["follows the host where it heard everything", snapshot(typing, { text: "other" }, 1), "other", false],
    ["takes the text of a snapshot", snapshot(open, { text: "retained" }, 0), "retained", false],
    ["lets a text go with its conversation", snapshot(typing, {}, 1, ""), "", false],
    ["keeps a text that was not heard before the closing", snapshot(typing, {}, 0, ""), "hello", false],
    [
      "keeps of it what was not sent",
      snapshot(withText(sending, "hello, you"), {}, 2, "", [taken("hello", 12)]),
      ", you",
      false,
    ],
    ["brings it into the next conversation", snapshot(typing, { text: "theirs" }, 0, "d"), "theirs\nhello", false],
    ["takes a text that another page typed", told(open, { text: "theirs" }, 0), "theirs", false],
    ["keeps its own over that", told(typing, { text: "theirs" }, 0), "hello", false],
    ["puts what is added after it", told(typing, { text: "x", operations: [added("x", 12)] }, 0), "hello\n\nx", false],
    ["takes the host's text with it where that has all", told(typing, { text: "hi\n\nx" }, 1), "hi\n\nx", false],
    [
      "does not add twice to what was typed since",
      withText(told(open, { operations: [added("x", 11)] }, 0), "y"),
      "y",
      false,
    ],
    [
      "hears nothing that is older",
      heard(told(open, { text: "new" }, 0), { revision: 3, text: "old" }, 0),
      "new",
      false,
    ],
  ];
  for (const [name, composer, text, isSending] of cases) {
    it(name, () => {
      assert.deepEqual([composer.document.text, composer.document.sending.length > 0], [text, isSending]);
    });
  }

  const place = { messageId: 3 };
  const texts = (state: ComposerState): readonly string[] => state.document.edits.map(({ text }) => text);

  it("keeps an edit until the host has it, and follows a later one of another page", () => {
    const own = withEdit(open, place, "mine", 100);
    assert.deepEqual(texts(told(own, { edits: [{ ...place, text: "earlier", revision: 99 }] }, 0)), ["mine"]);
    assert.deepEqual(texts(told(own, { edits: [{ ...place, text: "later", revision: 101 }] }, 0)), ["later"]);
    assert.deepEqual(texts(told(own, { edits: [] }, 1)), []);
    assert.deepEqual(texts(withEdit(own, place, null, 100)), []);
  });

  it("marks an edit while it is sent, and tells one once more that its conversation has not got", () => {
    const own = withEditSend(withEdit(open, place, "mine", 100), 3, "mine", "s1");
    assert.equal(own.document.edits[0]?.sendId, "s1");
    const away = snapshot(own, {}, 0, "d");
    assert.deepEqual([texts(away), unposted(away)], [[], []]);
    const back = snapshot(away, {}, 0);
    assert.deepEqual([texts(back), unposted(back).length], [["mine"], 1]);
  });

  it("posts once more what a snapshot of its conversation lacks", () => {
    assert.deepEqual([unposted(sending).length, unposted(snapshot(sending, {}, 1)).length], [0, 1]);
  });
});

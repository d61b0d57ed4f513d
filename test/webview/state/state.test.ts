import assert from "node:assert/strict";
import type { ToViewBody } from "../../../src/protocol/toView.ts";
import { initialState } from "../../../src/webview/state/initialState.ts";
import { type AppState, rowKeyOf, reduce } from "../../../src/webview/state/state.ts";
import { type ComposerState, posted, withSend, withText } from "../../../src/webview/composer/composerState.ts";
import { sendBlockReason } from "../../../src/webview/composer/sendBlockReason.ts";
import { applyAction } from "../../../src/webview/state/viewActions.ts";
import { readViewMemory } from "../../../src/webview/composer/viewMemory.ts";
import { words } from "../../../src/webview/words/words.ts";
import {
  answer,
  composer,
  idleStatus,
  notice,
  status,
  streaming,
  summary,
  summaryDetail,
  user,
  view,
} from "../../browser/support/viewBuilders.ts";

const after = (messages: readonly ToViewBody[], state: AppState = initialState): AppState =>
  messages.reduce(reduce, state);
const shown = (...rows: Parameters<typeof view>[0]): AppState => after([{ kind: "snapshot", view: view(rows) }]);

const composed = (state: AppState, change: (composer: ComposerState) => ComposerState): AppState => ({
  ...state,
  composer: change(state.composer),
});

describe("reduce", () => {
  const check = (start: AppState, messages: readonly ToViewBody[], changed: Partial<AppState>): void => {
    assert.deepEqual(after(messages, start), { ...start, ...changed });
  };

  it("shows a snapshot", () => {
    const { composer: composing } = initialState;
    const { composer: document } = view([], { draft: "d" });
    check(initialState, [{ kind: "snapshot", view: view([user(1, "a")], { draft: "d", hasOlder: true }) }], {
      phase: "ready",
      conversationId: "conversation-1",
      rows: [user(1, "a")],
      window: { start: 0, end: 1, following: true },
      hasOlder: true,
      status: idleStatus,
      composer: { ...composing, conversationId: "conversation-1", confirmed: document, document },
    });
  });
  it("appends rows", () => {
    check(shown(user(1, "a")), [{ kind: "rowsAdded", rows: [streaming("step_1")] }], {
      rows: [user(1, "a"), streaming("step_1")],
      window: { start: 0, end: 2, following: true },
    });
  });
  it("prepends older rows only if they were requested", () => {
    const start = applyAction(shown(user(5, "e")), { kind: "askedOlder" });
    check(start, [{ kind: "rowsOlder", before: "message-5", rows: [user(4, "d")], hasOlder: false }], {
      rows: [user(4, "d"), user(5, "e")],
      window: { start: 0, end: 2, following: true },
      loadingOlder: false,
    });
    check(start, [{ kind: "rowsOlder", before: "message-9", rows: [user(8, "h")], hasOlder: true }], {
      loadingOlder: false,
    });
  });
  it("E:waiting goes to the offer of a summary that a message waits for", () => {
    const offer = notice("offer", { actions: [{ label: "Use it", command: "useSummary" }] });
    const { revealedRow, focusRequests } = after([{ kind: "focusQuestion" }], shown(user(1, "a"), offer));
    assert.deepEqual([revealedRow, focusRequests], [{ rowId: offer.rowId, toQuestion: true }, 0]);
  });
  it("appends streamed text and thinking to their row", () => {
    check(
      shown(user(1, "a"), streaming("step_1", "He")),
      [
        { kind: "delta", rowId: "step_1", part: "thinking", text: "hm" },
        { kind: "delta", rowId: "step_1", part: "text", text: "llo" },
        { kind: "delta", rowId: "step_9", part: "text", text: "lost" },
      ],
      { rows: [user(1, "a"), { ...streaming("step_1", "Hello"), thinking: "hm" }] },
    );
  });
  it("replaces a step by its message with the same key and open state", () => {
    const start = applyAction(shown(user(1, "a"), streaming("step_1", "x")), { kind: "toggledRow", rowId: "step_1" });
    const end = after([{ kind: "rowChanged", rowId: "step_1", row: answer(2, "xy") }], start);
    assert.deepEqual(end.rows, [user(1, "a"), answer(2, "xy")]);
    assert.equal(rowKeyOf(end, "message-2"), "step_1");
    assert.deepEqual([...end.openRows], ["message-2"]);
  });
  it("removes rows", () => {
    check(shown(user(1, "a"), notice("n")), [{ kind: "rowRemoved", rowId: "notice-n" }], {
      rows: [user(1, "a")],
      window: { start: 0, end: 1, following: true },
    });
  });
  it("ignores changes of an unknown row", () => {
    const start = shown(user(1, "a"));
    const messages: readonly ToViewBody[] = [
      { kind: "rowChanged", rowId: "x", row: user(9, "z") },
      { kind: "rowRemoved", rowId: "x" },
      { kind: "delta", rowId: "x", part: "text", text: "t" },
    ];
    for (const message of messages) assert.equal(reduce(start, message), start);
  });
  it("updates only the given fields of the status", () => {
    check(shown(), [{ kind: "status", status: { activity: "streaming" } }], {
      status: status({ activity: "streaming" }),
    });
  });
  it("keeps the reader's place in older rows over a new snapshot, as after a summary", () => {
    const rows = Array.from({ length: 50 }, (_, id) => user(id, "a"));
    const read = applyAction(shown(...rows), { kind: "stoppedFollowing" });
    const stretch = (state: AppState): unknown => state.window;
    const anew = (view_: Parameters<typeof view>[0], state: AppState): AppState =>
      after([{ kind: "snapshot", view: view(view_) }], state);
    assert.deepEqual(stretch(anew([...rows.slice(0, 10), summary(1), ...rows.slice(10)], read)), {
      start: 11,
      end: 51,
      following: false,
    });
    assert.deepEqual(stretch(anew(rows, shown(...rows))), { start: 10, end: 50, following: true });
    assert.deepEqual(stretch(anew([user(90, "a")], read)), { start: 0, end: 1, following: true });
  });

  it("keeps a summary's text and the open rows over a snapshot of the same conversation only", () => {
    const open = applyAction(
      after([{ kind: "summaryDetail", summaryId: 1, detail: summaryDetail("s") }], shown(summary(1))),
      {
        kind: "toggledRow",
        rowId: "summary-1",
      },
    );
    const same = after([{ kind: "snapshot", view: view([summary(1)]) }], open);
    assert.deepEqual([same.openRows.size, same.summaryDetails.get(1)], [1, summaryDetail("s")]);
    const other = after([{ kind: "snapshot", view: view([summary(1)], { conversationId: "c2" }) }], open);
    assert.deepEqual([other.openRows.size, other.summaryDetails.size], [0, 0]);
  });
  it("replaces the composer's text at a switch of conversations, and keeps text that the host has not received", () => {
    const anew = { kind: "snapshot", view: view([], { conversationId: "c2", draft: "theirs" }) } as const;
    const told = composed(shown(), (composer) => posted(withText(composer, "mine"), 1));
    const textAfter = (message: ToViewBody): string => after([message], told).composer.document.text;
    assert.deepEqual([textAfter({ ...anew, contains: 1 }), textAfter(anew)], ["theirs", "theirs\nmine"]);
  });
  it("follows the newest row again when the user's message is sent", () => {
    const reading = applyAction(shown(user(1, "a")), { kind: "stoppedFollowing" });
    assert.equal(after([composer({}, "now")], reading).window.following, true);
    assert.equal(after([composer({}, "queued")], reading).window.following, false);
  });
});

describe("sendBlockReason", () => {
  const ready = shown();
  const cases: readonly (readonly [AppState, string | null])[] = [
    [initialState, words.notWhileLoading],
    [ready, null],
    [composed(ready, (composer) => withSend(withText(composer, "a"), "s")), words.notWhileSending],
    [after([{ kind: "status", status: { activity: "streaming" } }], ready), null],
    [after([{ kind: "status", status: { activity: "summarizing" } }], ready), null],
    [after([{ kind: "status", status: { activity: "blocked" } }], ready), words.notWhileBlocked],
  ];
  for (const [state, reason] of cases) {
    it(reason ?? `allows sending while ${state.status.activity}`, () => {
      assert.equal(sendBlockReason(state), reason);
    });
  }
});

describe("readViewMemory", () => {
  const nothing = {
    conversationId: "",
    typedText: null,
    earlyText: "",
    files: [],
    hostDrafts: [],
    newestQuestion: "",
    edits: [],
  };
  const edit = { conversationId: "c", messageId: 1, text: "b", revision: 3 };
  const place = { hostDrafts: ["", "a"], newestQuestion: "message-4" };
  const cases: readonly (readonly [stored: unknown, expected: unknown])[] = [
    [undefined, nothing],
    [null, nothing],
    ["x", nothing],
    [{ conversationId: "c", typedText: "a" }, nothing],
    [{ conversationId: 1, typedText: "a", ...place }, nothing],
    [{ conversationId: "c", typedText: "a", ...place, hostDrafts: [1] }, nothing],
    [
      { conversationId: "c", typedText: null, ...place, edits: [{ key: "c#1", text: "b", revision: 3 }, edit] },
      {
        conversationId: "c",
        typedText: null,
        earlyText: "",
        files: [],
        ...place,
        edits: [edit],
      },
    ],
    [
      { conversationId: "c", typedText: "a", earlyText: "b", files: ["c.ts"], ...place, more: 1 },
      { conversationId: "c", typedText: "a", earlyText: "b", files: ["c.ts"], ...place, edits: [] },
    ],
  ];
  for (const [stored, expected] of cases) {
    it(`reads ${JSON.stringify(stored)}`, () => {
      assert.deepEqual(readViewMemory(stored), expected);
    });
  }
});

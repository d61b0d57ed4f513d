import assert from "node:assert/strict";
import { before, describe, it } from "mocha";
import type { ToView, ViewState } from "../../../../src/protocol/toView.ts";
import type { ChatSurface } from "../../../../src/host/view/chatSurface.ts";
import type { ChatView, ViewBackend } from "../../../../src/host/view/chatView.ts";
import { ManualClock } from "../../../support/clocks.ts";
import { withQuestions } from "../../../support/fakeQuestions.ts";
import { view } from "../../../webview/support/viewBuilders.ts";

let View: typeof ChatView;

/** A page that says what a test has it say, and shows nothing. */
function page(): {
  readonly chat: ChatView;
  readonly posted: ToView[];
  readonly say: (message: object) => void;
  readonly open: (conversationId: string) => void;
} {
  const posted: ToView[] = [];
  let say: (message: object) => void = () => undefined;
  let shown: ViewState = view([]);
  const surface: unknown = {
    webview: {
      asWebviewUri: (uri: object) => uri,
      postMessage: (message: ToView) => {
        posted.push(message);
        return Promise.resolve(true);
      },
      onDidReceiveMessage: (listener: typeof say) => {
        say = listener;
        return { dispose: () => undefined };
      },
    },
    isVisible: () => true,
    setTitle: () => undefined,
    onVisibility: () => undefined,
    onDispose: () => undefined,
  };
  const dist: unknown = { fsPath: "/dist" };
  const backend: ViewBackend = {
    snapshot: () => shown,
    handle: () => undefined,
    reject: (fault) => assert.fail(fault),
  };
  const chat = new View(
    surface as ChatSurface,
    dist as ConstructorParameters<typeof ChatView>[1],
    backend,
    new ManualClock(),
  );
  return {
    chat,
    posted,
    say: (message) => {
      say(message);
    },
    open: (conversationId) => {
      shown = view([], { conversationId });
      chat.refresh();
    },
  };
}

describe("a page of the chat", () => {
  before(async () => {
    ({ ChatView: View } = await withQuestions(() => import("../../../../src/host/view/chatView.ts")));
  });

  it("finds in a snapshot what became of what it sent, where it was not told", () => {
    const { chat, posted, say } = page();
    chat.post({ kind: "sendTaken", sendId: "before it was there" });
    say({ kind: "ready", said: 0 });
    chat.post({ kind: "sendRefused", sendId: "lost" });
    say({ kind: "ready", said: 0 });
    const answered = posted.map((message) => (message.kind === "snapshot" ? message.answered : message.kind));
    const [taken, refused] = [
      { kind: "sendTaken", sendId: "before it was there" },
      { kind: "sendRefused", sendId: "lost" },
    ];
    assert.deepEqual(answered, [[taken], "sendRefused", [taken, refused]]);
  });

  it("is told of no more than the newest answers", () => {
    const { chat, posted, say } = page();
    for (let id = 0; id < 30; id++) chat.post({ kind: "sendTaken", sendId: String(id) });
    say({ kind: "ready", said: 0 });
    const [snapshot] = posted;
    const ids = snapshot?.kind === "snapshot" ? snapshot.answered?.map(({ sendId }) => Number(sendId)) : [];
    assert.deepEqual(
      ids,
      Array.from({ length: 20 }, (_, at) => at + 10),
    );
  });

  it("finds, made anew, what it sent before and is on its way, in that conversation and until it is answered", () => {
    const { chat, posted, say, open } = page();
    const sending = { sendId: "1", text: "what is it?" };
    const found = (): unknown => {
      say({ kind: "ready", said: 0 });
      const last = posted.at(-1);
      return last?.kind === "snapshot" ? last.sending : assert.fail();
    };
    open("a");
    say({ kind: "send", conversationId: "a", said: 1, ...sending });
    const waiting = found();
    chat.post({ kind: "sendTaken", sendId: "1" });
    const taken = found();
    say({ kind: "send", conversationId: "a", said: 1, ...sending, sendId: "2" });
    open("b");
    assert.deepEqual([waiting, taken, found()], [sending, undefined, undefined]);
  });

  it("knows that nothing is kept of what was typed in a conversation that was closed", () => {
    const { chat, posted, say, open } = page();
    const heard = (): number | undefined => {
      chat.post({ kind: "focusComposer" });
      return posted.at(-1)?.heard;
    };
    say({ kind: "ready", said: 0 });
    open("a");
    say({ kind: "draft", conversationId: "a", said: 1, text: "kept" });
    assert.equal(heard(), 1);
    open("b");
    say({ kind: "draft", conversationId: "a", said: 2, text: "late" });
    say({ kind: "send", conversationId: "a", said: 3, sendId: "1", text: "late" });
    assert.equal(heard(), 1);
    say({ kind: "draft", conversationId: "b", said: 4, text: "late" });
    assert.equal(heard(), 4);
  });
});

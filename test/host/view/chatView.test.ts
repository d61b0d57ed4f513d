import assert from "node:assert/strict";
import { before, describe, it } from "mocha";
import type { ToView, ViewState } from "../../../src/protocol/toView.ts";
import type { ChatSurface } from "../../../src/host/view/chatSurface.ts";
import type { ChatView, ViewBackend } from "../../../src/host/view/chatView.ts";
import { ManualClock } from "../../support/clocks.ts";
import { withQuestions } from "../../support/editor/fakeQuestions.ts";
import { view } from "../../browser/support/viewBuilders.ts";

let View: typeof ChatView;

/** A page without content; `say` sends a message to the host. */
function page(): {
  readonly chat: ChatView;
  readonly posted: ToView[];
  readonly say: (message: object) => void;
  readonly open: (conversationId: string) => void;
  /** Number of composer changes passed to the backend. */
  readonly handled: () => number;
} {
  const posted: ToView[] = [];
  let count = 0;
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
    handle: ({ kind }) => {
      if (kind === "compose") count += 1;
    },
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
    handled: () => count,
    say: (message) => {
      say(message);
    },
    open: (conversationId) => {
      shown = view([], { conversationId });
      chat.refresh();
    },
  };
}

describe("ChatView", () => {
  before(async () => {
    ({ ChatView: View } = await withQuestions(() => import("../../../src/host/view/chatView.ts")));
  });

  it("repeats the composer operations of the closed conversation in the next snapshots", () => {
    const { chat, posted, say, open } = page();
    const operations = [{ kind: "taken", text: "what is it?", revision: 4 }] as const;
    say({ kind: "ready", changes: 0 });
    open("a");
    const changed = { revision: 4, operations };
    chat.post({ kind: "composer", conversationId: "a", changed, sent: "now" });
    open("");
    open("b");
    const closed = posted.map((message) => (message.kind === "snapshot" ? message.closed?.slice(-1) : message.kind));
    const left = [{ conversationId: "a", operations }];
    assert.deepEqual(closed.slice(-3), ["composer", left, left]);
  });

  it("does not acknowledge composer changes of a closed conversation, and handles each change once", () => {
    const { chat, posted, say, open, handled } = page();
    const contains = (conversationId: string): number | undefined => {
      chat.post({ kind: "composer", conversationId, changed: { revision: 1 } });
      const last = posted.at(-1);
      return last?.kind === "composer" ? last.contains : assert.fail();
    };
    const type = (conversationId: string, number: number): void => {
      say({ kind: "compose", conversationId, number, change: { kind: "text", base: 0, text: "typed" } });
    };
    say({ kind: "ready", changes: 0 });
    open("a");
    type("a", 1);
    assert.equal(contains("a"), 1);
    open("b");
    type("a", 2);
    assert.equal(contains("b"), 1);
    type("b", 3);
    type("b", 3);
    assert.deepEqual([contains("b"), handled()], [3, 2]);
    say({ kind: "ready", changes: 0 });
    assert.equal(contains("b"), 0);
  });
});

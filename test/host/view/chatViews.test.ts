import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "mocha";
import type { Clock } from "../../../src/core/clock.ts";
import type { ChatSurface } from "../../../src/host/view/chatSurface.ts";
import type { ChatBackend } from "../../../src/host/view/chatView.ts";
import type { ChatViews } from "../../../src/host/view/chatViews.ts";
import { ManualClock } from "../../support/clocks.ts";
import { withQuestions } from "../../support/editor/fakeQuestions.ts";

describe("ChatViews", () => {
  let views: ChatViews;
  let clock: ManualClock;
  /** Number of times that a page was focused. */
  let shown: number;
  let say: (message: object) => void;
  let Views: typeof ChatViews;
  const open = (pages: Clock): ChatViews => {
    const dist: unknown = { fsPath: "/dist" };
    const backend: unknown = { snapshot: () => ({ status: { title: "" } }), handle: () => undefined };
    const opened = new Views(dist as ConstructorParameters<typeof Views>[0], pages);
    opened.connect(backend as ChatBackend);
    opened.add(surface as ChatSurface);
    return opened;
  };
  const surface: unknown = {
    webview: {
      asWebviewUri: (uri: object) => uri,
      postMessage: () => Promise.resolve(true),
      onDidReceiveMessage: (listener: (message: object) => void) => {
        say = listener;
        return { dispose: () => undefined };
      },
    },
    isTab: false,
    isVisible: () => true,
    show: () => shown++,
    setTitle: () => undefined,
    setBadge: () => undefined,
    onVisibility: () => undefined,
    onDispose: () => undefined,
  };
  before(async () => {
    ({ ChatViews: Views } = await withQuestions(() => import("../../../src/host/view/chatViews.ts")));
  });
  beforeEach(() => {
    shown = 0;
    clock = new ManualClock();
    views = open(clock);
  });

  const keyboard = (hasFocus: boolean): void => {
    say({ kind: "focus", hasFocus });
  };

  it("does not focus a page while the focus is elsewhere", () => {
    views.focusIfHere();
    assert.equal(shown, 0);
    keyboard(true);
    views.focusIfHere();
    assert.equal(shown, 1);
    keyboard(false);
    views.focusIfHere();
    assert.equal(shown, 1);
  });

  it("treats a page as focused while the focus is on its way", () => {
    views.restoreFocus();
    views.focusIfHere();
    assert.equal(shown, 2);
    keyboard(true);
    keyboard(false);
    views.focusIfHere();
    assert.equal(shown, 2);
  });

  it("treats a page as unfocused after it loses a focus that was restored while it had it", () => {
    keyboard(true);
    views.restoreFocus();
    keyboard(false);
    views.focusIfHere();
    assert.equal(shown, 1);
  });

  const ways = [
    { name: "a second time when no focus arrives", says: [], times: 2 },
    { name: "once when the focus arrives", says: [true], times: 1 },
    { name: "once when the focus arrives and moves on", says: [true, false], times: 1 },
  ];
  for (const { name, says, times } of ways)
    it(`focuses a page ${name}`, async () => {
      keyboard(true);
      keyboard(false);
      views.restoreFocus();
      for (const hasFocus of says) keyboard(hasFocus);
      await clock.advance(10_000);
      assert.equal(shown, times);
    });

  it("focuses a page once when a busy host learns too late that the focus arrived", async () => {
    const busy = open({
      nowMs: () => Date.now(),
      after: (delayMs, ring) => {
        const timer = setTimeout(ring, delayMs);
        return () => {
          clearTimeout(timer);
        };
      },
    });
    busy.restoreFocus();
    setImmediate(keyboard, true);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(shown, 1);
  });
});

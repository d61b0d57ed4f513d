import assert from "node:assert/strict";
import type { ViewBadge } from "vscode";
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
  /** On the icon while the side bar has no page, and on the pages. */
  let iconBadge: ViewBadge | undefined;
  let pageBadge: ViewBadge | undefined;
  let Views: typeof ChatViews;
  const open = (pages: Clock, surfaces = [surface]): ChatViews => {
    const dist: unknown = { fsPath: "/dist" };
    const backend: unknown = { snapshot: () => ({ status: { title: "" } }), handle: () => undefined };
    const opened = new Views(dist as ConstructorParameters<typeof Views>[0], pages, {
      setBadge: (badge) => (iconBadge = badge),
    });
    opened.connect(backend as ChatBackend);
    for (const each of surfaces) opened.add(each as ChatSurface);
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
    setBadge: (badge: ViewBadge | undefined) => (pageBadge = badge),
    onVisibility: () => undefined,
    onDispose: () => undefined,
  };
  before(async () => {
    ({ ChatViews: Views } = await withQuestions(() => import("../../../src/host/view/chatViews.ts")));
  });
  beforeEach(() => {
    shown = 0;
    iconBadge = undefined;
    pageBadge = undefined;
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

  for (const [here, elsewhere, expected] of [
    [0, 0, undefined],
    [1, 0, { value: 1, tooltip: "A question is waiting for you" }],
    [2, 0, { value: 2, tooltip: "2 questions are waiting for you" }],
    [0, 1, { value: 1, tooltip: "A question is waiting for you in another window" }],
    [1, 2, { value: 3, tooltip: "A question is waiting for you\n2 questions are waiting for you in other windows" }],
  ] as const)
    it(`E:waiting counts ${String(here)} questions of this window and ${String(elsewhere)} of others on the icon`, () => {
      views.setWaiting(here);
      views.setWaitingElsewhere(elsewhere);
      assert.deepEqual([pageBadge, iconBadge], [expected, undefined]);
      views.setWaiting(0);
      views.setWaitingElsewhere(0);
      assert.equal(pageBadge, undefined);
    });

  it("E:waiting counts on the icon itself while only a tab is open", () => {
    const badge = { value: 1, tooltip: "A question is waiting for you" };
    const none = open(clock, []);
    none.setWaiting(1);
    assert.deepEqual([pageBadge, iconBadge], [undefined, badge]);
    none.add({ ...(surface as ChatSurface), isTab: true });
    assert.deepEqual(iconBadge, badge);
    none.add(surface as ChatSurface);
    assert.deepEqual([pageBadge, iconBadge], [badge, undefined]);
  });
});

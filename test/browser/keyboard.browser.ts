import assert from "node:assert/strict";
import { allScenes } from "./support/allScenes.ts";
import { contextScenes } from "./support/contextScenes.ts";
import { showScene } from "./support/scenes.ts";
import { useWebview } from "./support/useWebview.ts";
import { answer, composer, notice, status, streaming, user, view } from "./support/viewBuilders.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

const asked = [user(0, "What is it?"), answer(1, "It is this."), user(2, "And then?"), answer(3, "Then that.")];

describe("webview: keyboard, screen reader and zoom", function () {
  this.timeout(120_000);
  let opened: WebviewPage;
  const suite = useWebview((page) => (opened = page));

  /** Waits until the focused element has this name or row id. */
  const focusIsOn = async (name: string): Promise<void> => {
    await opened.page.waitForFunction(
      (wanted) => {
        const focused = document.activeElement;
        return [
          focused?.getAttribute("aria-label"),
          focused?.textContent,
          focused?.getAttribute("data-row-id"),
        ].includes(wanted);
      },
      name,
      { timeout: 5_000 },
    );
  };
  const pressKeys = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await opened.page.keyboard.press(key);
  };

  it("moves from a message to its toolbar, into its menu and back, and on to the composer", async () => {
    await opened.show(view(asked));
    await opened.page.getByRole("log").focus();
    await pressKeys("Alt+ArrowUp");
    await focusIsOn("message-3");
    for (const [key, name] of [
      ["Tab", "Copy"],
      ["ArrowRight", "Quote"],
      ["ArrowRight", "Another answer"],
      ["End", "More actions"],
      ["ArrowRight", "Copy"],
      ["ArrowLeft", "More actions"],
      ["Home", "Copy"],
      ["Tab", "Message Forge"],
      ["Shift+Tab", "Copy"],
      ["End", "More actions"],
    ] as const) {
      await pressKeys(key);
      await focusIsOn(name);
    }
    await pressKeys("Enter");
    await focusIsOn("Copy text");
    await pressKeys("Escape");
    await focusIsOn("More actions");
    await pressKeys("Tab");
    await focusIsOn("Message Forge");
    await pressKeys("Shift+Tab");
    await focusIsOn("More actions");
    await pressKeys("Alt+ArrowUp");
    await focusIsOn("message-2");
    await opened.page.getByRole("textbox", { name: "Message Forge" }).focus();
    await pressKeys("Alt+ArrowUp");
    await focusIsOn("message-3");
  });

  it("returns to the message when its edit ends", async () => {
    await opened.show(view(asked));
    await opened.page.getByRole("log").focus();
    await pressKeys("Alt+ArrowUp", "Alt+ArrowUp", "Tab", "ArrowRight", "ArrowRight");
    await focusIsOn("Edit and send again");
    await pressKeys("Enter");
    await opened.page.getByRole("textbox", { name: "Edit and send again" }).waitFor();
    await pressKeys("Escape");
    await focusIsOn("message-2");
  });

  it("keeps the focus near a removed row and near an answered question", async () => {
    const gone = notice("Model: tiny.", { actions: [{ label: "Retry", command: "retry" }] });
    await opened.show(view([...asked, gone]));
    await opened.page.getByRole("button", { name: "Retry" }).focus();
    await opened.say({ kind: "rowRemoved", rowId: gone.rowId });
    await focusIsOn("message-3");
    const cut = answer(4, "Half", {
      rowId: "step_4",
      messageId: "step_4",
      state: "interrupted",
      pendingRecovery: "answer",
    });
    await opened.show(view([...asked, cut]));
    await opened.page.getByRole("button", { name: "Keep" }).focus();
    await pressKeys("Enter");
    await focusIsOn("step_4");
    await opened.say({ kind: "rowChanged", rowId: "step_4", row: answer(4, "Half") });
    await opened.settle();
    await focusIsOn("message-4");
  });

  it("moves the focus to the composer when the focused control around it disappears", async () => {
    const item = { queueId: "step_7", text: "also for 429" };
    const banner = {
      tone: "warning",
      text: "Open elsewhere.",
      actions: [{ label: "Move it here", command: "moveHere" }],
    } as const;
    await opened.show(
      view([...asked, streaming("step_9")], {
        queue: { items: [item], isHeld: false },
        status: status({ activity: "streaming", banner }),
      }),
    );
    const leave = async (name: string, go: () => Promise<void>): Promise<void> => {
      await opened.page.getByRole("button", { name, exact: true }).focus();
      await go();
      await focusIsOn("Message Forge");
    };
    await leave("Remove queued message", () => opened.say(composer({ queue: { items: [], isHeld: false } })));
    await leave("Move it here", () => opened.say({ kind: "status", status: { banner: null } }));
    await leave("Stop", () => opened.say({ kind: "status", status: { activity: "idle" } }));
    const context = contextScenes["context"]?.view.context ?? null;
    await opened.say({ kind: "context", context });
    await leave("Back to the conversation", () => opened.page.keyboard.press("Enter"));
  });

  it("does not move the focus when nothing was removed", async () => {
    await opened.show(view([...asked, streaming("step_9", "One ")]));
    await opened.page.evaluate(() => {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    });
    await opened.say({ kind: "delta", rowId: "step_9", part: "text", text: "two." });
    await opened.page.waitForTimeout(150); // longer than the delay before a lost focus is restored
    assert.equal(await opened.page.evaluate(() => document.activeElement?.localName), "body");
  });

  it("offers screen readers, which do not scroll, buttons to reach each message of a long conversation", async () => {
    const rows = Array.from({ length: 150 }, (_, id) => answer(id, `Answer ${String(id)}.`));
    await opened.show(view(rows, { hasOlder: true }));
    const earlier = opened.page.getByRole("button", { name: "Show earlier messages" });
    assert.equal(await earlier.count(), 0);
    await opened.page.evaluate(() => document.body.classList.add("vscode-using-screen-reader"));
    await opened.show(view([...rows], { hasOlder: true }));
    await earlier.focus();
    const first = opened.page.locator('[data-message-id="0"]');
    for (let press = 0; press < 20 && (await first.count()) === 0; press++) {
      await pressKeys("Enter");
      await opened.settle();
      await focusIsOn("Show earlier messages");
    }
    assert.equal(await first.count(), 1);
    await pressKeys("Enter");
    await opened.expectPosted({ kind: "loadOlder", before: "message-0" });
    const later = opened.page.getByRole("button", { name: "Show later messages" });
    const last = opened.page.locator('[data-message-id="149"]');
    for (let press = 0; press < 20 && (await last.count()) === 0; press++) {
      await later.focus();
      await pressKeys("Enter");
      await opened.settle();
    }
    assert.equal(await last.count(), 1);
  });

  it("announces a sentence once, when it is complete", async () => {
    await opened.show(view([...asked, streaming("step_9")], { status: status({ activity: "streaming" }) }));
    const live = opened.page.locator("[aria-live=polite]");
    await live.evaluate((region) => {
      const changes: string[] = [];
      Object.assign(window, { changes });
      const note = (): number => changes.push(region.textContent);
      new MutationObserver(note).observe(region, { childList: true, characterData: true, subtree: true });
    });
    for (const text of "One two three. Four ".match(/.{1,2}/gs) ?? []) {
      await opened.say({ kind: "delta", rowId: "step_9", part: "text", text });
    }
    await opened.settle();
    assert.deepEqual(await opened.page.evaluate((): unknown => Reflect.get(window, "changes")), ["One two three."]);
  });

  it("announces all sentences that arrive together, in order", async () => {
    await opened.show(view([...asked, streaming("step_9")], { status: status({ activity: "streaming" }) }));
    const texts = ["- First.\n", "- Second.\n", "- Third.\n"];
    await opened.say(...texts.map((text) => ({ kind: "delta", rowId: "step_9", part: "text", text }) as const));
    await opened.settle();
    await opened.page.locator("[aria-live=polite]").getByText("First. Second. Third.", { exact: true }).waitFor();
  });

  it("announces a text once when it arrives twice at the same time", async () => {
    await opened.show(view([...asked, streaming("step_9")], { status: status({ activity: "streaming" }) }));
    const taken = composer({}, "queued");
    const told = (text: string) =>
      ({ kind: "status", status: status({ banner: { tone: "error", text, actions: [] } }) }) as const;
    await opened.say(taken, told("No."), told("The disk is full. No."), taken);
    await opened.settle();
    const heard = "Message queued. It is sent when this answer is complete. The disk is full. No.";
    await opened.page.locator("[aria-live=polite]").getByText(heard, { exact: true }).waitFor();
  });

  /** Horizontal overflow in pixels, controls that are cut off, and the number of animations. */
  const layout = () =>
    opened.page.evaluate(() => ({
      tooWide: Math.max(0, document.documentElement.scrollWidth - innerWidth),
      cut: [...document.querySelectorAll<HTMLElement>("button, textarea, input, select")]
        .filter((control) => control.closest("pre, .table, .spoken-only") === null)
        .filter((control) => control.getBoundingClientRect().right > innerWidth + 1)
        .map((control) => control.getAttribute("aria-label") ?? control.innerText),
      moving: document.getAnimations().length,
    }));

  it("cuts nothing off at 200 % zoom in a side bar of 400 px", async () => {
    await opened.close();
    opened = await suite.open({ width: 200, height: 400 });
    for (const [name, scene] of Object.entries(allScenes)) {
      await showScene(opened, name, scene);
      assert.deepEqual({ name, ...(await layout()) }, { name, tooWide: 0, cut: [], moving: 0 });
    }
  });

  it("runs no animation with reduced motion, by the system's setting and by the editor's", async () => {
    for (const way of ["system", "editor"] as const) {
      if (way === "system") await opened.page.emulateMedia({ reducedMotion: "reduce" });
      else {
        await opened.page.emulateMedia({ reducedMotion: "no-preference" });
        await opened.page.evaluate(() => document.body.classList.add("vscode-reduce-motion"));
      }
      for (const [name, scene] of Object.entries(allScenes)) {
        await showScene(opened, name, scene);
        assert.deepEqual({ name, moving: (await layout()).moving }, { name, moving: 0 });
      }
    }
  });

  it("keeps meaningful colours apart in forced colors mode", async () => {
    await opened.page.emulateMedia({ forcedColors: "active" });
    await opened.show(view(asked, { context: contextScenes["context"]?.view.context ?? null }));
    const colours = await opened.page.locator(".context-bar > *, .segment").evaluateAll((parts) => ({
      canvas: getComputedStyle(document.body).backgroundColor,
      parts: parts.map((part) => getComputedStyle(part).backgroundColor),
    }));
    assert.ok(new Set(colours.parts).size >= 4, colours.parts.join(" "));
    for (const [name, scene] of Object.entries(allScenes)) {
      await showScene(opened, name, scene);
      const flat = await opened.page
        .locator("button.square-button, textarea")
        .evaluateAll(
          (controls) =>
            controls.filter((control) => getComputedStyle(control).color === getComputedStyle(control).backgroundColor)
              .length,
        );
      assert.deepEqual({ name, flat }, { name, flat: 0 });
    }
  });
});

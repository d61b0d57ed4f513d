import assert from "node:assert/strict";
import { scenes } from "./support/scenes.ts";
import { answer, status, streaming, user, view } from "./support/viewBuilders.ts";
import { useWebview } from "./support/useWebview.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

describe("webview: accessibility", function () {
  this.timeout(120_000);
  let opened: WebviewPage;
  const webview = useWebview((page) => (opened = page));

  it("is usable with the keyboard alone", async () => {
    const scene = scenes["interrupted"];
    assert.ok(scene !== undefined);
    await opened.show(scene.view);
    const reached: string[] = [];
    for (let press = 0; press < 12; press++) {
      await opened.page.keyboard.press("Tab");
      reached.push(
        await opened.page.evaluate(() => {
          const focused = document.activeElement;
          return focused?.getAttribute("aria-label") ?? focused?.textContent ?? "";
        }),
      );
    }
    for (const name of ["Conversation", "Continue", "Keep", "Ask again", "Message Forge", "Send"]) {
      assert.ok(reached.includes(name), `${name} in ${reached.join(", ")}`);
    }
    await opened.page.getByRole("button", { name: "Keep" }).focus();
    await opened.page.keyboard.press("Enter");
    await opened.expectPosted({ kind: "recover", choice: "keep" });
  });

  it("announces whole sentences and the end of the answer", async () => {
    await opened.show(view([user(1, "a"), streaming("step_1")], { status: status({ activity: "streaming" }) }));
    await opened.page.evaluate(() => {
      const live = document.querySelector("[aria-live=polite]");
      const spoken: string[] = [];
      Object.assign(window, { spoken });
      if (live !== null)
        new MutationObserver(() => spoken.push(live.textContent)).observe(live, {
          childList: true,
          characterData: true,
          subtree: true,
        });
    });
    for (const text of ["The que", "ue is **emp", "ty**. It st", "ays so"]) {
      await opened.say({ kind: "delta", rowId: "step_1", part: "text", text });
      await opened.settle();
    }
    await opened.say(
      { kind: "rowChanged", rowId: "step_1", row: answer(2, "The queue is **empty**. It stays so") },
      { kind: "status", status: status({ activity: "idle" }) },
    );
    await opened.page.locator("[data-live]").getByText("Answer complete.").waitFor();
    await opened.page.locator("[data-live]").getByText("Answer complete.").waitFor({ state: "detached" });
    const spoken = await opened.page.evaluate((): unknown => Reflect.get(window, "spoken"));
    assert.deepEqual(spoken, ["The queue is empty.", "It stays so Answer complete.", ""]);
    assert.equal(await opened.page.getByRole("log").getAttribute("aria-live"), "off");
  });

  it("has no animation with reduced motion, and fits at twice the font size", async () => {
    opened = await webview.open({ width: 260, height: 500 });
    await opened.page.emulateMedia({ reducedMotion: "reduce" });
    await opened.page.evaluate(() => document.documentElement.style.setProperty("--vscode-font-size", "26px"));
    for (const scene of Object.values(scenes)) {
      await opened.show(scene.view);
      const cut = await opened.page.evaluate(() => {
        const view = innerWidth;
        const buttons = [...document.querySelectorAll("button, textarea")];
        const moving = document.getAnimations().length;
        return {
          moving,
          names: buttons
            .filter((button) => button.getBoundingClientRect().right > view)
            .map((button) => button.textContent),
        };
      });
      assert.deepEqual(cut, { moving: 0, names: [] });
    }
  });
});

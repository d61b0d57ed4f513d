/** Scrolling while an answer streams, and far up in a long conversation: nothing jumps, and few rows are mounted. */
import assert from "node:assert/strict";
import { answer, status, streaming, user, view } from "./support/viewBuilders.ts";
import { conversation } from "./support/longConversation.ts";
import { useWebview } from "./support/useWebview.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

describe("webview: scrolling", function () {
  this.timeout(60_000);
  let opened: WebviewPage;
  useWebview((page) => (opened = page));

  const distance = (): Promise<number> =>
    opened.page.getByRole("log").evaluate((log) => log.scrollHeight - log.clientHeight - log.scrollTop);
  const topOf = (messageId: string): Promise<number> =>
    opened.page
      .locator(`[data-message-id="${messageId}"]`)
      .evaluate((row) => Math.round(row.getBoundingClientRect().top));
  const mounted = (): Promise<number> => opened.page.getByRole("article").count();
  const wheel = async (deltaY: number): Promise<void> => {
    await opened.page.mouse.move(200, 400);
    await opened.page.mouse.wheel(0, deltaY);
    await opened.settle();
    await opened.settle();
  };

  /** Waits until the log has scrolled away from its end and stopped, with smooth scrolling or without. */
  const scrolled = async (): Promise<void> => {
    let last = 0;
    for (let now = await distance(); now < 1 || now !== last; now = await distance()) {
      last = now;
      await opened.settle();
    }
  };

  it("opens at the newest message and stays there while an answer streams", async () => {
    await opened.show(
      view([...conversation(0, 30), streaming("step_1")], { status: status({ activity: "streaming" }) }),
    );
    assert.ok((await distance()) < 1);
    for (let count = 0; count < 60; count++) {
      await opened.say({ kind: "delta", rowId: "step_1", part: "text", text: `Line ${String(count)}\n\n` });
      if (count % 10 === 0) await opened.settle();
    }
    await opened.settle();
    assert.ok((await distance()) < 1);
  });

  it("skips rendering of a long answer's distant parts without any layout shift", async () => {
    await opened.show(view([user(1, "a"), streaming("step_1")], { status: status({ activity: "streaming" }) }));
    for (let count = 0; count < 160; count++) {
      const text = `Paragraph ${String(count)} ${"of some words ".repeat((count % 7) + 1)}\n\n`;
      await opened.say({ kind: "delta", rowId: "step_1", part: "text", text });
      if (count % 4 === 0) await opened.settle();
    }
    await opened.settle();
    const heights = (): Promise<readonly number[]> =>
      opened.page.locator(".chunk").evaluateAll((all) => all.map((stretch) => stretch.getBoundingClientRect().height));
    const isLeftOut = (paragraph: string): Promise<boolean> =>
      opened.page
        .getByRole("log")
        .getByText(paragraph)
        .evaluate((found) => !found.checkVisibility({ contentVisibilityAuto: true }));
    assert.deepEqual([await isLeftOut("Paragraph 0 "), await isLeftOut("Paragraph 159 ")], [true, false]);
    const left = await heights();
    await opened.page.evaluate(() => {
      for (const stretch of document.querySelectorAll(".past")) stretch.classList.remove("past");
    });
    await opened.settle();
    assert.equal(await isLeftOut("Paragraph 0 "), false);
    assert.deepEqual(await heights(), left);
  });

  for (const [how, leave] of [
    ["the smallest wheel tick", () => wheel(-4)],
    [
      "a key",
      async () => {
        await opened.page.getByRole("log").focus();
        await opened.page.keyboard.press("ArrowUp");
        await scrolled();
      },
    ],
    [
      "a selection",
      async () => {
        await opened.page.getByText("and an end.").last().selectText();
        await opened.settle();
      },
    ],
  ] as const) {
    it(`stops following the answer after ${how}, and follows it again after a click on the button`, async () => {
      await opened.show(
        view([...conversation(0, 30), streaming("step_1", "begun")], { status: status({ activity: "streaming" }) }),
      );
      await leave();
      const before = await topOf("29");
      for (let count = 0; count < 40; count++) {
        await opened.say({ kind: "delta", rowId: "step_1", part: "text", text: "More and more.\n\n" });
      }
      await opened.settle();
      assert.equal(await topOf("29"), before);
      await opened.page.getByRole("button", { name: "New below" }).click();
      await opened.settle();
      assert.ok((await distance()) < 1);
      assert.equal(await opened.page.getByRole("button", { name: "New below" }).count(), 0);
    });
  }

  it("loads older messages above without moving the reader's line, and keeps few rows mounted", async () => {
    await opened.show(view(conversation(960, 1000), { hasOlder: true }));
    let oldest = 960;
    let most = 0;
    for (let turn = 0; turn < 400 && oldest > 700; turn++) {
      await wheel(-600);
      most = Math.max(most, await mounted());
      const asked = (await opened.posted()).findLast((message) => message.kind === "loadOlder");
      if (asked?.kind !== "loadOlder" || asked.before !== `message-${String(oldest)}`) continue;
      const anchor = await opened.page.getByRole("article").first().getAttribute("data-message-id");
      const visible = await opened.page.evaluate(() => {
        const rows = [...document.querySelectorAll<HTMLElement>("[role=article]")];
        const row = rows.find((candidate) => candidate.getBoundingClientRect().top >= 0);
        return { id: row?.dataset["messageId"] ?? "", top: Math.round(row?.getBoundingClientRect().top ?? 0) };
      });
      const rows = conversation(oldest - 40, oldest);
      await opened.say({ kind: "rowsOlder", before: asked.before, rows, hasOlder: true });
      await opened.settle();
      assert.ok(Math.abs((await topOf(visible.id)) - visible.top) <= 1, `row ${visible.id}, first ${anchor ?? ""}`);
      oldest -= 40;
    }
    assert.ok(oldest <= 720, `came to ${String(oldest)}`);
    assert.ok(most <= 60, `${String(most)} rows`);
    await opened.page.getByRole("button", { name: "Newest" }).click();
    await opened.settle();
    assert.ok((await distance()) < 1);
    assert.equal(await opened.page.locator('[data-message-id="999"]').count(), 1);
  });

  it("asks for older messages until the view is full, and still follows the newest", async () => {
    await opened.show(view(conversation(98, 100), { hasOlder: true }));
    await opened.expectPosted({ kind: "loadOlder", before: "message-98" });
    await opened.say({ kind: "rowsOlder", before: "message-98", rows: conversation(58, 98), hasOlder: true });
    await opened.settle();
    assert.ok((await distance()) < 1);
    await opened.say({ kind: "rowsAdded", rows: conversation(100, 104) });
    await opened.settle();
    assert.ok((await distance()) < 1);
    assert.equal((await opened.posted()).filter((message) => message.kind === "loadOlder").length, 1);
  });

  it("scrolls down again through rows that were unmounted", async () => {
    await opened.show(view(conversation(0, 300)));
    for (let turn = 0; turn < 200 && (await opened.page.locator('[data-message-id="100"]').count()) === 0; turn++)
      await wheel(-900);
    for (let turn = 0; turn < 300 && (await distance()) > 1; turn++) await wheel(900);
    assert.equal(await opened.page.locator('[data-message-id="299"]').count(), 1);
    assert.ok((await mounted()) <= 60);
  });

  it("keeps the DOM elements of an answer when its step becomes a message", async () => {
    await opened.show(view([user(1, "a"), streaming("step_1", "```js\nlet a = 1;\n```\n\nend")]));
    await opened.page.locator(".token-keyword").waitFor();
    await opened.page.locator("pre").evaluate((block) => block.setAttribute("data-same", ""));
    await opened.say({ kind: "rowChanged", rowId: "step_1", row: answer(2, "```js\nlet a = 1;\n```\n\nend") });
    await opened.settle();
    assert.equal(await opened.page.locator("[data-message-id='2'] pre[data-same] .token-keyword").count(), 1);
  });

  it("draws 200 deltas per second without a long task, and leaves finished blocks unchanged", async () => {
    const part =
      "Some words with `code` and **bold** text in them, as answers have.\n\n- a\n- b\n\n```ts\nconst a = 1;\n```\n\n";
    await opened.show(
      view([...conversation(0, 30), streaming("step_1")], { status: status({ activity: "streaming" }) }),
    );
    const figures = await opened.page.evaluate(async (piece) => {
      const longTasks: number[] = [];
      new PerformanceObserver((list) => longTasks.push(...list.getEntries().map((entry) => entry.duration))).observe({
        entryTypes: ["longtask"],
      });
      const whole = piece.repeat(400).slice(0, 60_000);
      let seq = 1;
      let touched = 0;
      const start = performance.now();
      for (let at = 0; at < whole.length;) {
        const due = Math.floor((performance.now() - start) / 5) * 60;
        for (; at < Math.min(due, whole.length); at += 60) {
          window.postMessage(
            { seq: seq++, kind: "delta", rowId: "step_1", part: "text", text: whole.slice(at, at + 60) },
            "*",
          );
        }
        if (touched === 0 && at > 20_000) {
          const closed = document.querySelector("[data-message-id=step_1] .markdown p");
          if (closed !== null)
            new MutationObserver((list) => (touched += list.length)).observe(closed, {
              subtree: true,
              childList: true,
              characterData: true,
              attributes: true,
            });
        }
        await new Promise((resolve) => setTimeout(resolve, 4));
      }
      const blocks = whole.split("```ts").length - 1;
      const drawn = (): number => document.querySelectorAll("[data-message-id=step_1] pre").length;
      const endMs = performance.now() + 10_000;
      while (drawn() < blocks && performance.now() < endMs) await new Promise((resolve) => setTimeout(resolve, 20));
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return { longTasks, touched, drawn: drawn(), blocks };
    }, part);
    assert.equal(figures.touched, 0);
    assert.equal(figures.drawn, figures.blocks);
    const worst = Math.max(0, ...figures.longTasks);
    assert.ok(worst < 2000, `a task of ${String(Math.round(worst))} ms`); // a stall on any machine; the benchmark measures frames
    assert.ok((await distance()) < 1);
  });
});

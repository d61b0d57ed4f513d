/** Answers of 1,200 paragraphs and more: rendered completely up to a limit, then shown as plain text. */
import assert from "node:assert/strict";
import { conversation } from "./support/longConversation.ts";
import { picture } from "./support/picture.ts";
import { useWebview } from "./support/useWebview.ts";
import { answer, status, streaming, user, view } from "./support/viewBuilders.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

const COUNT = 1_200;
const large = Array.from({ length: COUNT }, (_, index) => `Point **${String(index)}** with \`code\`.`).join("\n\n");

describe("webview: a large answer", function () {
  this.timeout(60_000);
  let opened: WebviewPage;
  useWebview((page) => (opened = page));

  const points = (messageId: string) => opened.page.locator(`[data-message-id="${messageId}"] .chunk > p`);
  const distance = (): Promise<number> =>
    opened.page.getByRole("log").evaluate((log) => log.scrollHeight - log.clientHeight - log.scrollTop);
  const topOf = (messageId: string): Promise<number> =>
    opened.page
      .locator(`[data-message-id="${messageId}"]`)
      .evaluate((row) =>
        Math.round(
          row.getBoundingClientRect().top - (row.closest("[role=log]")?.getBoundingClientRect().top ?? Number.NaN),
        ),
      );

  it("is rendered completely on arrival, with the view at its end", async () => {
    await opened.show(view([user(0, "Why?")]));
    await opened.say({ kind: "rowsAdded", rows: [answer(1, large)] });
    await opened.settle();
    assert.deepEqual(
      await points("1").allInnerTexts(),
      Array.from({ length: COUNT }, (_, index) => `Point ${String(index)} with code.`),
    );
    assert.ok((await distance()) < 1);
  });

  it("keeps its DOM elements while more text arrives than fits the view, and when it is complete", async () => {
    const begun = Array.from({ length: 40 }, (_, index) => `Said before ${String(index)}.`).join("\n\n");
    await opened.show(
      view([user(0, "Why?"), streaming("step_1", begun)], { status: status({ activity: "streaming" }) }),
    );
    await opened.page.evaluate(() => {
      let removed = 0;
      Object.assign(window, { removedChunks: () => removed });
      new MutationObserver((changes) => {
        for (const { removedNodes } of changes)
          for (const node of removedNodes) if (node instanceof Element && node.matches(".chunk")) removed += 1;
      }).observe(document.body, { childList: true, subtree: true });
    });
    for (let part = 0; part < 2; part++) {
      await opened.say({ kind: "delta", rowId: "step_1", part: "text", text: `\n\n${large}` });
      await opened.settle();
      assert.ok((await distance()) < 1);
    }
    const all = await points("step_1").allTextContents();
    await opened.say({ kind: "rowChanged", rowId: "step_1", row: answer(1, `${begun}\n\n${large}\n\n${large}`) });
    await opened.settle();
    assert.deepEqual(
      [all.length, all[0], all[39], all[40], all.at(-1)],
      [
        40 + 2 * COUNT,
        "Said before 0.",
        "Said before 39.",
        "Point 0 with code.",
        `Point ${String(COUNT - 1)} with code.`,
      ],
    );
    assert.deepEqual(await points("1").allTextContents(), all);
    const removed = await opened.page.evaluate(() => (Reflect.get(window, "removedChunks") as () => number)());
    assert.equal(removed, 0);
  });

  it("is mounted above without moving the reader's line", async () => {
    await opened.show(view([user(0, "Why?"), answer(1, large), ...conversation(2, 80)]));
    await opened.page.mouse.move(200, 400);
    for (let turn = 0; turn < 100 && (await points("1").count()) === 0; turn++) {
      const marked = await opened.page.evaluate(() => {
        const log = document.querySelector("[role=log]") ?? document.body;
        const { top } = log.getBoundingClientRect();
        const rows = [...log.querySelectorAll<HTMLElement>("[data-row-id]")];
        const inSight = rows.find((row) => row.getBoundingClientRect().bottom > top);
        return inSight?.dataset["messageId"] ?? "";
      });
      const before = await topOf(marked);
      await opened.page.mouse.wheel(0, -400);
      await opened.settle();
      await opened.settle();
      const moved = (await topOf(marked)) - before;
      assert.ok(moved >= 0 && moved <= 401, `${marked} moved by ${String(moved)}`);
    }
    assert.equal(await points("1").count(), COUNT);
  });

  it("can be revealed at any position within it", async () => {
    await opened.show(view([user(0, "Why?"), answer(1, large), ...conversation(2, 80)]));
    await opened.say({ kind: "reveal", rowId: "message-1", topPx: -4_000 });
    await opened.settle();
    assert.equal(await topOf("1"), -4_000);
  });

  it("keeps all its paragraphs when it grows and is completed after a snapshot", async () => {
    await opened.show(
      view([user(0, "Why?"), streaming("step_1", large)], { status: status({ activity: "streaming" }) }),
    );
    await opened.say({ kind: "delta", rowId: "step_1", part: "text", text: "\n\nOne more." });
    await opened.page.getByText("One more.").waitFor();
    await opened.say({ kind: "rowChanged", rowId: "step_1", row: answer(1, `${large}\n\nOne more.`) });
    await opened.settle();
    assert.equal(await points("1").count(), COUNT + 1);
    assert.equal(await points("1").first().textContent(), "Point 0 with code.");
  });

  it("shows the text beyond the size limit as plain text, with one notice", async () => {
    const giant = `${large}\n\n`.repeat(6);
    await opened.show(view([user(0, "Why?"), answer(1, `${giant}The **very end**.`)]));
    const row = opened.page.locator('[data-message-id="1"]');
    assert.equal(await row.getByText("too large to be formatted").count(), 1);
    const shown = await row.locator(".plain").textContent();
    assert.ok(shown?.endsWith(`Point **${String(COUNT - 1)}** with \`code\`.\n\nThe **very end**.`));
    assert.equal(await row.locator(".chunk strong").first().textContent(), "0");
    assert.ok((await distance()) < 1);
    const elements = await row.evaluate((element) => element.getElementsByTagName("*").length);
    assert.ok(elements < 30_000, `${String(elements)} elements`);
    await picture(opened.page, "giant-answer-end");
    await row.getByText("too large to be formatted").scrollIntoViewIfNeeded();
    await opened.settle();
    await opened.settle();
    await picture(opened.page, "giant-answer");
  });
});

describe("webview: many long answers", function () {
  this.timeout(60_000);
  let opened: WebviewPage;
  useWebview((page) => (opened = page));

  it("are mounted only near the view", async () => {
    const rows = Array.from({ length: 60 }, (_, id) => answer(id, large.slice(0, 20_000)));
    await opened.show(view(rows));
    const mounted = (): Promise<number> => opened.page.getByRole("article").count();
    assert.equal(await mounted(), 3);
    await opened.page.mouse.move(200, 400);
    for (let turn = 0; turn < 60 && (await opened.page.locator('[data-message-id="50"]').count()) === 0; turn++) {
      await opened.page.mouse.wheel(0, -4_000);
      await opened.settle();
      await opened.settle();
      assert.ok((await mounted()) <= 8, `${String(await mounted())} rows`);
    }
    assert.equal(await opened.page.locator('[data-message-id="50"]').count(), 1);
    await opened.page.getByRole("button", { name: "Newest" }).click();
    await opened.settle();
    assert.equal(await opened.page.locator('[data-message-id="59"]').count(), 1);
  });
});

/** Answers that are too large for one frame: all of them is there soon, and nobody sees how. */
import assert from "node:assert/strict";
import { conversation } from "./support/longConversation.ts";
import { useWebview } from "./support/useWebview.ts";
import { answer, status, streaming, user, view } from "./support/viewBuilders.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

declare global {
  interface Window {
    /** How many stretches of answers were taken off the page. */
    removedStretches: number;
  }
}

const COUNT = 1_200;
const large = Array.from({ length: COUNT }, (_, index) => `Point **${String(index)}** with \`code\`.`).join("\n\n");

describe("webview: a large answer", function () {
  this.timeout(60_000);
  let opened: WebviewPage;
  useWebview((page) => (opened = page));

  const points = (messageId: string) => opened.page.locator(`[data-message-id="${messageId}"] .stretch > p`);
  const allDrawn = (messageId: string): Promise<unknown> =>
    opened.page.waitForFunction(
      ({ id, count }) => document.querySelectorAll(`[data-message-id="${id}"] .stretch > p`).length === count,
      { id: messageId, count: COUNT },
    );

  /** Notes at each frame from now on what is in sight at the top and at the end of the log. */
  const watch = (): Promise<void> =>
    opened.page.evaluate(() => {
      const log = document.querySelector("[role=log]") ?? document.body;
      const seen: { count: number; fromEnd: number; last: string; top: string }[] = [];
      Object.assign(window, { seen });
      const note = (): void => {
        const { left, top, bottom } = log.getBoundingClientRect();
        const at = (y: number): string =>
          document.elementFromPoint(left + 40, y)?.closest("p, .row")?.textContent ?? "";
        seen.push({
          count: document.querySelectorAll(".stretch > p").length,
          fromEnd: Math.round(log.scrollHeight - log.clientHeight - log.scrollTop),
          last: at(bottom - 60),
          top: at(top + 20),
        });
        requestAnimationFrame(() => setTimeout(note)); // when the frame has been drawn
      };
      requestAnimationFrame(() => setTimeout(note));
    });
  interface Seen {
    readonly count: number;
    readonly fromEnd: number;
    readonly last: string;
    readonly top: string;
  }
  const seen = (): Promise<readonly Seen[]> =>
    opened.page.evaluate(() => Reflect.get(window, "seen") as readonly Seen[]);

  it("is drawn from its end for a reader who is there, who sees nothing move", async () => {
    await opened.show(view([user(0, "Why?")]));
    await watch();
    await opened.say({ kind: "rowsAdded", rows: [answer(1, large)] });
    await allDrawn("1");
    await opened.settle();
    const drawn = (await seen()).filter(({ count }) => count > 0);
    const counts = [...new Set(drawn.map(({ count }) => count))];
    assert.ok(counts.length > 2, `drawn at ${counts.join(", ")}`);
    assert.ok((counts[0] ?? COUNT) < COUNT / 2, `drawn at ${counts.join(", ")}`);
    assert.deepEqual([...new Set(drawn.map(({ fromEnd }) => fromEnd))], [0]);
    assert.equal(new Set(drawn.map(({ last }) => last)).size, 1);
    assert.deepEqual(
      await points("1").allInnerTexts(),
      Array.from({ length: COUNT }, (_, index) => `Point ${String(index)} with code.`),
    );
  });

  it("is drawn in the same way where it comes at once to an answer that is being written", async () => {
    const begun = Array.from({ length: 40 }, (_, index) => `Said before ${String(index)}.`).join("\n\n");
    await opened.show(
      view([user(0, "Why?"), streaming("step_1", begun)], { status: status({ activity: "streaming" }) }),
    );
    await watch();
    await opened.say({ kind: "delta", rowId: "step_1", part: "text", text: `\n\n${large}` });
    await opened.page.waitForFunction(
      (count) => document.querySelectorAll(".stretch > p").length === count,
      COUNT + 40,
    );
    const all = await points("step_1").allTextContents();
    await opened.say({ kind: "rowChanged", rowId: "step_1", row: answer(1, `${begun}\n\n${large}`) });
    await opened.settle();
    const drawn = (await seen()).filter(({ count }) => count > 40);
    const counts = [...new Set(drawn.map(({ count }) => count))];
    assert.ok(counts.length > 2 && (counts[0] ?? COUNT) < COUNT / 2, `drawn at ${counts.join(", ")}`);
    assert.deepEqual([...new Set(drawn.map(({ fromEnd }) => fromEnd))], [0]);
    assert.equal(new Set(drawn.map(({ last }) => last)).size, 1);
    assert.deepEqual(
      [all[0], all[39], all[40], all.at(-1)],
      ["Said before 0.", "Said before 39.", "Point 0 with code.", `Point ${String(COUNT - 1)} with code.`],
    );
    assert.deepEqual(await points("1").allTextContents(), all);
  });

  it("keeps what was drawn of it while more comes than a frame can draw", async () => {
    await opened.show(view([user(0, "Why?"), streaming("step_1")], { status: status({ activity: "streaming" }) }));
    await opened.page.evaluate(() => {
      window.removedStretches = 0;
      new MutationObserver((changes) => {
        for (const { removedNodes } of changes)
          for (const node of removedNodes)
            if (node instanceof Element && node.matches(".stretch")) window.removedStretches += 1;
      }).observe(document.body, { childList: true, subtree: true });
    });
    for (let part = 0; part < 4; part++) {
      await opened.say({ kind: "delta", rowId: "step_1", part: "text", text: `${large}\n\n` });
      await opened.page.waitForTimeout(30);
    }
    await opened.page.waitForFunction((count) => document.querySelectorAll(".stretch > p").length === count, 4 * COUNT);
    assert.equal(await opened.page.evaluate(() => window.removedStretches), 0);
  });

  it("is put above a reader who scrolls up to it, and their line stays", async () => {
    const rows = conversation(2, 80);
    await opened.show(view([user(0, "Why?"), answer(1, large), ...rows]));
    await opened.page.mouse.move(200, 400);
    for (let turn = 0; turn < 100 && (await points("1").count()) === 0; turn++) {
      const row = await opened.page.evaluate(() => {
        const log = document.querySelector("[role=log]") ?? document.body;
        const { top } = log.getBoundingClientRect();
        const inSight = [...log.querySelectorAll<HTMLElement>("[data-row-id]")].find(
          (element) => element.getBoundingClientRect().bottom > top,
        );
        return inSight?.dataset["rowId"] ?? "";
      });
      if (row === "message-2") break;
      await opened.page.mouse.wheel(0, -400);
      await opened.settle();
    }
    const marked = opened.page.locator('[data-message-id="3"]');
    const topOf = () => marked.evaluate((element) => Math.round(element.getBoundingClientRect().top));
    await opened.settle();
    const before = await topOf();
    await allDrawn("1");
    await opened.settle();
    assert.ok(Math.abs((await topOf()) - before) <= 1, `${String(await topOf())} after ${String(before)}`);
  });

  it("is there as a whole for a reader who goes to a place in it", async () => {
    await opened.show(view([user(0, "Why?"), answer(1, large), ...conversation(2, 80)]));
    await opened.say({ kind: "reveal", rowId: "message-1", topPx: -4_000 });
    await opened.settle();
    const top = await opened.page
      .locator('[data-message-id="1"]')
      .evaluate((row) =>
        Math.round(
          row.getBoundingClientRect().top - (row.closest("[role=log]")?.getBoundingClientRect().top ?? Number.NaN),
        ),
      );
    assert.equal(top, -4_000);
    assert.equal(await points("1").count(), COUNT);
  });

  it("goes on where it was when the page comes back while it is written", async () => {
    await opened.show(
      view([user(0, "Why?"), streaming("step_1", large)], { status: status({ activity: "streaming" }) }),
    );
    await opened.say({ kind: "delta", rowId: "step_1", part: "text", text: "\n\nOne more." });
    await opened.page.getByText("One more.").waitFor();
    await opened.page.waitForFunction((count) => document.querySelectorAll(".stretch > p").length === count, COUNT + 1);
    await opened.say({ kind: "rowChanged", rowId: "step_1", row: answer(1, `${large}\n\nOne more.`) });
    await opened.settle();
    assert.equal(await points("1").count(), COUNT + 1);
    assert.equal(await points("1").first().textContent(), "Point 0 with code.");
  });

  it("is off the page at once when another conversation is opened, and its components end in a task of their own", async () => {
    await opened.show(view([user(0, "Why?"), answer(1, "```\n```\n".repeat(2_000))]));
    const blocks = opened.page.locator(".code-block");
    await opened.page.waitForFunction(() => document.querySelectorAll(".code-block").length === 2_000);
    await opened.page.evaluate(() => {
      const row = document.querySelector("[data-key=message-1]");
      const states: (readonly [isOnPage: boolean, children: number])[] = [];
      Object.assign(window, { states });
      const note = (): void => {
        if (row !== null) states.push([row.isConnected, row.childElementCount]);
      };
      note();
      const list = document.querySelector(".rows");
      if (list !== null) new MutationObserver(note).observe(list, { childList: true, subtree: true });
      if (row !== null) new MutationObserver(note).observe(row, { childList: true });
    });
    await opened.show(view([user(0, "Another."), answer(1, "Short.")], { conversationId: "another" }));
    await opened.page.getByText("Short.").waitFor();
    await opened.settle();
    const states = await opened.page.evaluate(() => Reflect.get(window, "states") as readonly unknown[]);
    const seen = [...new Set(states.map((state) => JSON.stringify(state)))];
    assert.deepEqual(seen, ["[true,1]", "[false,1]", "[false,0]"]);
    assert.equal(await blocks.count(), 0);
  });

  it("can be touched while it is drawn", async () => {
    await opened.show(view([user(0, "Why?")]));
    await opened.say({ kind: "rowsAdded", rows: [answer(1, `${large}\n\n\`\`\`ts\nconst a = 1;\n\`\`\``)] });
    await opened.page.locator(".code-tools button").first().click();
    await opened.expectPosted({ kind: "copy", text: "const a = 1;" });
    await allDrawn("1");
  });
});

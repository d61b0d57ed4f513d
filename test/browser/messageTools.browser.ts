import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { answer, call, user, view } from "./support/viewBuilders.ts";
import { useWebview } from "./support/useWebview.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

describe("webview: message toolbar", function () {
  this.timeout(60_000);
  let opened: WebviewPage;
  const webview = useWebview((page) => (opened = page));

  const paragraphs = Array.from(
    { length: 60 },
    (_, at) => `Paragraph ${String(at)} of a long answer, ${"word ".repeat(30)}`,
  );
  const conversation = view([
    user(0, "What is it?"),
    answer(1, paragraphs.join("\n\n")),
    user(2, "word and ".repeat(900)),
    answer(3, "Short."),
  ]);

  const bar = (): Locator => opened.page.getByRole("toolbar", { name: "Message actions" });

  /** Asserts that every button of the toolbar is visible, and that a click on its edges hits nothing else. */
  async function assertWhole(): Promise<void> {
    const covered = await bar()
      .getByRole("button")
      .evaluateAll((buttons) =>
        buttons.flatMap((button) => {
          const { left, top, right, bottom } = button.getBoundingClientRect();
          const [middle, centre] = [(left + right) / 2, (top + bottom) / 2];
          const edges = [
            [middle, top + 1],
            [middle, bottom - 1],
            [left + 1, centre],
            [right - 1, centre],
          ] as const;
          const isThere = edges.every(([x, y]) => button.contains(document.elementFromPoint(x, y)));
          return isThere ? [] : [button.getAttribute("aria-label")];
        }),
      );
    assert.deepEqual(covered, []);
    assert.equal(await bar().getByRole("button").count(), 4);
  }

  async function scrollTo(messageId: number, px: number): Promise<void> {
    await opened.page.locator(`[data-message-id="${String(messageId)}"]`).evaluate((row, down) => {
      row.scrollIntoView({ block: "start" });
      row.closest("[role=log]")?.scrollBy({ top: down });
    }, px);
    await opened.settle();
  }

  for (const width of [260, 400, 900]) {
    for (const id of [1, 2]) {
      it(`is completely visible where message ${String(id)} begins above the view, at ${String(width)} px`, async () => {
        opened = await webview.open({ width, height: 600 });
        await opened.show(conversation);
        const row = opened.page.locator(`[data-message-id="${String(id)}"]`);
        for (const down of [0, 12, 30, 700]) {
          await scrollTo(id, down);
          await opened.page.mouse.move(60, 200);
          await row.getByRole("toolbar").waitFor();
          await assertWhole();
        }
      });
    }
  }

  it("scrolls out with its message, and never overlaps another one", async () => {
    opened = await webview.open({ height: 600 });
    await opened.show(conversation);
    await scrollTo(2, -60);
    await opened.page.mouse.move(60, 10);
    await opened.settle();
    const [end, next] = await Promise.all([
      bar().boundingBox(),
      opened.page.locator('[data-message-id="2"]').boundingBox(),
    ]);
    assert.ok(end !== null && next !== null);
    assert.ok(end.y + end.height <= next.y, `${String(end.y + end.height)} and ${String(next.y)}`);
  });

  for (const width of [260, 400]) {
    it(`covers no letter of its message or of the message above, at ${String(width)} px`, async () => {
      const long = "May gypsies jog by, quietly up to the far edge of the view, page by page? ".repeat(3);
      const read = call("a", { title: "Read src/net/upload.ts, lines 40–118, and jog by ".repeat(2), time: "8 ms" });
      const denied = call("b", { title: "Edit src/net/policy.ts", state: "denied" });
      opened = await webview.open({ width, height: 900 });
      await opened.show(
        view([
          user(0, long, { pinned: true }),
          answer(1, long, { calls: [denied, { ...read, state: "failed" }] }),
          answer(2, long, { calls: [read] }),
          answer(3, "", { calls: [read, { ...denied, callId: "c" }] }),
          answer(4, "", { calls: [denied] }),
          answer(5, long, { meta: "claude-haiku-4-5 · 412 tokens · 3.1 s", thinking: "Is it?" }),
          user(6, long),
        ]),
      );
      await opened.page.evaluate(() => {
        const letters = new CSSStyleSheet();
        letters.replaceSync("* { background: none !important; border-color: transparent !important; }");
        document.adoptedStyleSheets = [letters];
      });
      for (const id of [1, 2, 3, 4, 5, 6]) {
        await opened.page.locator(`[data-message-id="${String(id)}"]`).hover({ position: { x: 60, y: 12 } });
        await opened.settle();
        const clip = await bar().boundingBox();
        assert.ok(clip !== null);
        await bar().evaluate((element) => (element.style.opacity = "0"));
        const picture = await opened.page.screenshot({ clip });
        await bar().evaluate((element) => (element.style.opacity = ""));
        assert.equal(await colours(picture), 1, `message ${String(id)}`);
      }
    });
  }

  /** Number of colours in a screenshot: one where there is no text. */
  function colours(picture: Buffer): Promise<number> {
    return opened.page.evaluate(
      async (bytes) => {
        const image = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
        const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
        context?.drawImage(image, 0, 0);
        const { buffer } = context?.getImageData(0, 0, image.width, image.height).data ?? new Uint8ClampedArray();
        return new Set(new Uint32Array(buffer)).size;
      },
      [...picture],
    );
  }

  it("covers the first line of the view at most, so that scrolling uncovers each word", async () => {
    opened = await webview.open({ width: 260, height: 600 });
    await opened.show(conversation);
    await scrollTo(1, 700);
    await opened.page.mouse.move(60, 300);
    const box = await bar().boundingBox();
    assert.ok(box !== null && box.y + box.height <= 32, `reaches down to ${String(box?.y)} + ${String(box?.height)}`);
  });

  it("fades out the line that it covers, and nothing in the gap between messages", async () => {
    opened = await webview.open({ height: 600 });
    await opened.show(conversation);
    const fade = (): Promise<string> => bar().evaluate((element) => getComputedStyle(element, "::before").content);
    await scrollTo(1, 700);
    await opened.page.mouse.move(60, 300);
    assert.equal(await fade(), '""');
    await scrollTo(1, -60);
    await opened.page.mouse.move(60, 300);
    await opened.settle();
    assert.equal(await fade(), "none");
  });

  it("is completely visible, with its menu, when the keyboard reaches it", async () => {
    opened = await webview.open({ height: 400 });
    await opened.show(conversation);
    await opened.page.getByRole("log").focus();
    for (const key of ["Alt+ArrowUp", "Alt+ArrowUp", "Alt+ArrowUp"]) await opened.page.keyboard.press(key);
    await scrollTo(1, 900);
    await opened.page.keyboard.press("Tab");
    await assertWhole();
    await opened.page.keyboard.press("End");
    await opened.page.keyboard.press("Enter");
    const menu = opened.page.getByRole("menu");
    await menu.waitFor();
    const box = await menu.boundingBox();
    assert.ok(box !== null && box.y >= 0 && box.y + box.height <= 400, JSON.stringify(box));
    await opened.page.keyboard.press("Escape");
    await assertWhole();
  });

  /** The messages with a toolbar, after removed elements had 100 ms to pass the focus on. */
  async function shown(): Promise<readonly (string | null)[]> {
    await opened.settle();
    await opened.page.waitForTimeout(100);
    return opened.page
      .locator("[data-message-id]", { has: bar() })
      .evaluateAll((rows) => rows.map((row) => row.getAttribute("data-message-id")));
  }
  const short = view([user(0, "What is it?"), answer(1, "Short."), user(2, "Thanks."), answer(3, "Welcome.")]);

  it("appears at the hovered message, even while the focus is in another message's toolbar", async () => {
    opened = await webview.open({ height: 600 });
    await opened.show(short);
    const first = opened.page.locator('[data-message-id="1"]');
    await opened.page.getByText("Short.").hover();
    await first.getByRole("button", { name: "Copy", exact: true }).click();
    await opened.page.getByText("Welcome.").hover();
    assert.deepEqual(await shown(), ["1", "3"]);
    await first.getByRole("button", { name: "Copy", exact: true }).and(opened.page.locator(":focus")).waitFor();
    await opened.composer.focus();
    assert.deepEqual(await shown(), ["3"]);
  });

  it("keeps its menu open while the pointer moves over other messages", async () => {
    opened = await webview.open({ height: 600 });
    await opened.show(short);
    await opened.page.getByText("Short.").hover();
    await opened.page.locator('[data-message-id="1"] [aria-haspopup=menu]').click();
    await opened.page.getByText("What is it?").hover();
    assert.deepEqual(await shown(), ["0", "1"]);
    await opened.page.locator("[role=menuitem]:focus").waitFor();
    await opened.page.getByText("What is it?").click();
    assert.deepEqual(await shown(), ["0"]);
  });

  it("disappears when both pointer and focus have left the message", async () => {
    opened = await webview.open({ height: 600 });
    await opened.show(short);
    await opened.page.getByText("Short.").click();
    await opened.page.getByText("Welcome.").hover();
    assert.deepEqual(await shown(), ["3"]);
    await opened.composer.hover();
    assert.deepEqual(await shown(), ["1"], "which has the focus");
    await opened.composer.click();
    assert.deepEqual(await shown(), []);
  });
});

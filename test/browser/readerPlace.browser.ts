import assert from "node:assert/strict";
import { conversation } from "./support/longConversation.ts";
import { useWebview } from "./support/useWebview.ts";
import { summary, user, view } from "./support/viewBuilders.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

describe("webview: the reader's scroll position", function () {
  this.timeout(60_000);
  let opened: WebviewPage;
  useWebview((page) => (opened = page));

  const topOf = (messageId: string): Promise<number> =>
    opened.page
      .locator(`[data-message-id="${messageId}"]`)
      .evaluate((row) => Math.round(row.getBoundingClientRect().top));
  const wheel = async (deltaY: number): Promise<void> => {
    await opened.page.mouse.move(200, 400);
    await opened.page.mouse.wheel(0, deltaY);
    await opened.settle();
    await opened.settle();
  };

  it("keeps the reader's line when a new snapshot adds rows above and below it", async () => {
    const rows = conversation(0, 300);
    await opened.show(view(rows));
    for (let turn = 0; turn < 200 && (await opened.page.locator('[data-message-id="150"]').count()) === 0; turn++)
      await wheel(-900);
    const place = await topOf("150");
    const withSummaries = [...rows.slice(0, 145), summary(0), ...rows.slice(145, 280), summary(1), ...rows.slice(280)];
    await opened.say({ kind: "snapshot", view: view(withSummaries) });
    await opened.page.locator('[data-summary-id="0"]').waitFor();
    assert.ok(Math.abs((await topOf("150")) - place) <= 1, `${String(await topOf("150"))} after ${String(place)}`);
  });

  const farUp = async (): Promise<number> => {
    await opened.show(view(conversation(0, 1_000)));
    await opened.say({ kind: "reveal", rowId: "message-150", topPx: -7 });
    const said = await opened.expectPosted({ kind: "reading" });
    assert.deepEqual(said.kind === "reading" && said.place, { messageId: 150, topPx: -7 });
    return topOf("150");
  };
  const asked = { kind: "revealMessage", messageId: 150, before: "message-400", topPx: -7 } as const;
  const newest = { kind: "snapshot", view: view([...conversation(400, 990), summary(0)], { hasOlder: true }) } as const;

  it("keeps a position above the rows of a new snapshot until the rows in between arrive", async () => {
    const place = await farUp();
    await opened.say(newest);
    await opened.expectPosted(asked);
    await opened.say({ kind: "rowsAdded", rows: conversation(990, 992) });
    await opened.settle();
    assert.equal(await topOf("150"), place);
    await opened.say({ kind: "rowsOlder", before: "message-400", rows: conversation(280, 400), hasOlder: true });
    await opened.settle();
    assert.equal(await topOf("150"), place);
    await opened.say(
      { kind: "rowsOlder", before: "message-280", rows: conversation(120, 280), hasOlder: true },
      { kind: "reveal", rowId: "message-150", keepsFocus: true, topPx: -7 },
    );
    await opened.settle();
    assert.ok(Math.abs((await topOf("150")) - place) <= 1, String(await topOf("150")));
    await opened.page.getByRole("button", { name: "Newest" }).click();
    await opened.settle();
    assert.equal(await opened.page.locator('[data-message-id="991"]').count(), 1);
    assert.equal(await opened.page.locator('[data-summary-id="0"]').count(), 1);
  });

  const between = [
    { kind: "rowsOlder", before: "message-400", rows: conversation(120, 400), hasOlder: true },
    { kind: "reveal", rowId: "message-150", keepsFocus: true, topPx: -7 },
  ] as const;

  it("stays at the newest message when the reader goes there in the meantime", async () => {
    await farUp();
    await opened.say(newest);
    await opened.expectPosted(asked);
    await opened.page.getByRole("button", { name: "Newest" }).click();
    await opened.say(...between);
    await opened.page.locator('[data-summary-id="0"]').waitFor();
    await opened.settle();
    assert.equal(await opened.page.getByRole("button", { name: "Newest" }).count(), 0);
  });

  it("moves to the newest message when the reader sends one in the meantime", async () => {
    await farUp();
    await opened.say(newest);
    await opened.expectPosted(asked);
    await opened.page.getByRole("textbox", { name: "Message Forge" }).fill("On with it.");
    await opened.page.keyboard.press("Enter");
    await opened.take("now", { kind: "rowsAdded", rows: [user(1_000, "On with it.")] });
    await opened.say(...between);
    await opened.page.locator('[data-message-id="1000"]').waitFor();
    await opened.settle();
    assert.equal(await opened.page.locator('[data-message-id="150"]').count(), 0);
  });

  it("shows the newest messages when the host cannot restore the position", async () => {
    await farUp();
    await opened.say(newest);
    await opened.expectPosted(asked);
    await opened.page.locator('[data-summary-id="0"]').waitFor();
    assert.equal(await opened.page.locator('[data-message-id="989"]').count(), 1);
  });

  it("reports the scroll position to the host, and restores it without moving the focus", async () => {
    const said = async (): Promise<unknown> =>
      (await opened.posted()).findLast((message) => message.kind === "reading") ?? null;
    await opened.show(view(conversation(0, 100)));
    await wheel(-700);
    const at = await opened.page.waitForFunction(() => {
      const last = window.posted.findLast((message) => message.kind === "reading");
      return last?.kind === "reading" ? last : undefined;
    });
    const { conversationId, place } = (await at.jsonValue()) ?? assert.fail("no place was said");
    assert.ok(place !== null && conversationId === view([]).conversationId);
    const row = opened.page.locator(`[data-row-id="message-${String(place.messageId)}"]`);
    const topPx = (): Promise<number> =>
      row.evaluate((element) => {
        const log = element.closest("[role=log]") ?? document.body;
        return Math.round(element.getBoundingClientRect().top - log.getBoundingClientRect().top);
      });
    assert.ok(place.topPx <= 0 && Math.abs(place.topPx - (await topPx())) <= 1, JSON.stringify(place));
    await opened.page.getByRole("button", { name: "Newest" }).click();
    await opened.expectPosted({ kind: "reading", conversationId, place: null });
    const focused = (): Promise<string> => opened.page.evaluate(() => document.activeElement?.tagName ?? "");
    const before = await focused();
    await opened.say({
      kind: "reveal",
      rowId: `message-${String(place.messageId)}`,
      keepsFocus: true,
      topPx: place.topPx,
    });
    await opened.settle();
    assert.ok(
      Math.abs((await topPx()) - place.topPx) <= 1,
      `${String(await topPx())} for ${JSON.stringify(await said())}`,
    );
    assert.equal(await focused(), before);
  });
});

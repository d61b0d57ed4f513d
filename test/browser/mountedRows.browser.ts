import assert from "node:assert/strict";
import type { Row } from "../../src/protocol/toView.ts";
import { answer, user, view } from "./support/viewBuilders.ts";
import { useWebview } from "./support/useWebview.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

function conversation(from: number, to: number): Row[] {
  return Array.from({ length: to - from }, (_, index) => {
    const id = from + index;
    return id % 2 === 0 ? user(id, `Question ${String(id)}`) : answer(id, `Answer ${String(id)}\n\n- one\n- two`);
  });
}

describe("webview: mounted rows", function () {
  this.timeout(60_000);
  let opened: WebviewPage;
  useWebview((page) => (opened = page));

  /** Ids of the mounted messages, once `messageId` is drawn or removed. Asserts that they are few and in order. */
  async function mounted(messageId: number, isThere: boolean): Promise<readonly number[]> {
    const row = opened.page.locator(`[data-message-id="${String(messageId)}"]`);
    await row.waitFor({ state: isThere ? "attached" : "detached" });
    await opened.settle();
    const { ids, distance } = await opened.page.evaluate(() => {
      const log = document.querySelector(".log");
      return {
        ids: [...document.querySelectorAll<HTMLElement>(".rows > * > [role=article]")].map((article) =>
          Number(article.dataset["messageId"]),
        ),
        distance: log === null ? Number.NaN : log.scrollHeight - log.clientHeight - log.scrollTop,
      };
    });
    assert.ok(ids.length <= 60, `${String(ids.length)} rows`);
    assert.deepEqual(
      ids,
      ids.toSorted((one, other) => one - other),
    );
    assert.ok(distance < 1, `${String(distance)} px from the end`);
    return ids;
  }

  it("follow added messages, with the newest in view", async () => {
    await opened.show(view(conversation(0, 100)));
    assert.deepEqual([(await mounted(99, true)).length, (await mounted(99, true))[0]], [40, 60]);
    let end = 100;
    for (const count of [1, 1, 9, 9, 30, 2, 45, 1, 1, 70, 1]) {
      await opened.say({ kind: "rowsAdded", rows: conversation(end, end + count) });
      end += count;
      const ids = await mounted(end - 1, true);
      assert.ok(ids.length >= 40, `${String(ids.length)} rows`);
      assert.equal(ids.at(-1), end - 1);
    }
  });

  it("are removed one by one, and prepended when older messages are loaded", async () => {
    await opened.show(view(conversation(60, 63), { hasOlder: true, conversationId: "short" }));
    await opened.expectPosted({ kind: "loadOlder", before: "message-60" });
    await opened.say({ kind: "rowsOlder", before: "message-60", rows: conversation(20, 60), hasOlder: false });
    const ids = await mounted(59, true);
    assert.ok(ids.length >= 15, `${String(ids.length)} rows`);
    for (const id of ids.slice(2, 14)) await opened.say({ kind: "rowRemoved", rowId: `message-${String(id)}` });
    const left = await mounted(ids[13] ?? 0, false);
    assert.deepEqual(
      left.filter((id) => ids.includes(id)),
      [...ids.slice(0, 2), ...ids.slice(14)],
    );
    await opened.say({ kind: "rowsAdded", rows: conversation(63, 66) });
    assert.equal((await mounted(65, true)).at(-1), 65);
  });

  it("keep their DOM elements while others are added and removed", async () => {
    await opened.show(view(conversation(0, 100)));
    await opened.page.locator('[data-message-id="97"]').evaluate((row) => row.setAttribute("data-same", ""));
    await opened.say({ kind: "rowsAdded", rows: conversation(100, 103) });
    await opened.say({ kind: "rowRemoved", rowId: "message-95" });
    await opened.say({ kind: "rowChanged", rowId: "message-99", row: answer(99, "Other *words*") });
    await opened.page.getByText("Other words").waitFor();
    assert.equal(await opened.page.locator('[data-message-id="97"][data-same]').count(), 1);
  });
});

/** The boxes that rows stand in: they have no look, and whatever comes and goes, the rows are in order and few. */
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

describe("webview: the boxes of rows", function () {
  this.timeout(60_000);
  let opened: WebviewPage;
  useWebview((page) => (opened = page));

  /** Waits until the message is drawn, or gone, and looks at all that are mounted; answers their ids. */
  async function look(messageId: number, isThere: boolean): Promise<readonly number[]> {
    const row = opened.page.locator(`[data-message-id="${String(messageId)}"]`);
    await row.waitFor({ state: isThere ? "attached" : "detached" });
    await opened.settle();
    const { sizes, ids, distance } = await opened.page.evaluate(() => {
      const log = document.querySelector(".log");
      return {
        sizes: [...document.querySelectorAll(".rows > *")].map((box) => box.childElementCount),
        ids: [...document.querySelectorAll<HTMLElement>(".rows > * > * > [role=article]")].map((article) =>
          Number(article.dataset["messageId"]),
        ),
        distance: log === null ? Number.NaN : log.scrollHeight - log.clientHeight - log.scrollTop,
      };
    });
    assert.ok(
      sizes.every((size) => size >= 1 && size <= 10),
      sizes.join(" "),
    );
    assert.equal(
      sizes.reduce((sum, size) => sum + size, 0),
      ids.length,
    );
    assert.ok(ids.length <= 60, `${String(ids.length)} rows`);
    assert.deepEqual(
      ids,
      ids.toSorted((one, other) => one - other),
    );
    assert.ok(distance < 1, `${String(distance)} px from the end`);
    return ids;
  }

  it("are filled and let go while messages come, and the newest stays in sight", async () => {
    await opened.show(view(conversation(0, 100)));
    assert.deepEqual([(await look(99, true)).length, (await look(99, true))[0]], [40, 60]);
    let end = 100;
    for (const count of [1, 1, 9, 9, 30, 2, 45, 1, 1, 70, 1]) {
      await opened.say({ kind: "rowsAdded", rows: conversation(end, end + count) });
      end += count;
      const ids = await look(end - 1, true);
      assert.ok(ids.length >= 40, `${String(ids.length)} rows`);
      assert.equal(ids.at(-1), end - 1);
    }
  });

  it("go away with the last of their rows, and are put above when older ones come", async () => {
    await opened.show(view(conversation(60, 63), { hasOlder: true, conversationId: "short" }));
    await opened.expectPosted({ kind: "loadOlder", before: "message-60" });
    await opened.say({ kind: "rowsOlder", before: "message-60", rows: conversation(20, 60), hasOlder: false });
    const ids = await look(59, true);
    assert.ok(ids.length >= 15, `${String(ids.length)} rows`);
    for (const id of ids.slice(2, 14)) await opened.say({ kind: "rowRemoved", rowId: `message-${String(id)}` });
    const left = await look(ids[13] ?? 0, false);
    assert.deepEqual(
      left.filter((id) => ids.includes(id)),
      [...ids.slice(0, 2), ...ids.slice(14)],
    );
    await opened.say({ kind: "rowsAdded", rows: conversation(63, 66) });
    assert.equal((await look(65, true)).at(-1), 65);
  });
});

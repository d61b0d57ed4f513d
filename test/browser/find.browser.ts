import assert from "node:assert/strict";
import type { FindPlace } from "../../src/protocol/findView.ts";
import { axeViolations } from "./support/axeViolations.ts";
import { picture } from "./support/picture.ts";
import { answer, call, status, streaming, user, view } from "./support/viewBuilders.ts";
import { useWebview } from "./support/useWebview.ts";
import { themeNames, type WebviewPage } from "./support/webviewPage.ts";

describe("webview: find", function () {
  this.timeout(60_000);
  let opened: WebviewPage;
  const webview = useWebview((page) => (opened = page));

  const rows = [
    user(1, "Why the Retry?"),
    answer(2, "The **ret**ry is counted. Retrying is not.", { thinking: "A retry?", calls: [call("a")] }),
  ];

  /** Types a search into the page and posts the host's reply. Returns the search's id. */
  async function find(messageIds: readonly number[]): Promise<string> {
    await opened.page.keyboard.press("Control+f");
    await opened.page.keyboard.type("retry");
    const posted = await opened.expectPosted({ kind: "find", query: "retry" });
    assert.ok(posted.kind === "find");
    const hits = messageIds.map((messageId) => ({ messageId, excerpt: `the retry of ${String(messageId)}` }));
    await opened.say({ kind: "found", findId: posted.findId, hits, isMore: false });
    return posted.findId;
  }

  async function at(findId: string, messageId: number, place: Partial<FindPlace>): Promise<void> {
    await opened.expectPosted({ kind: "findGo", messageId });
    const shown: FindPlace = {
      rowId: `message-${String(messageId)}`,
      part: "text",
      callId: "",
      marks: ["retry"],
      ...place,
    };
    if (shown.rowId !== null) await opened.say({ kind: "reveal", rowId: shown.rowId, keepsFocus: true });
    await opened.say({ kind: "foundAt", findId, messageId, place: shown });
    await opened.settle();
  }

  const marked = (name: string): Promise<readonly string[]> =>
    opened.page.evaluate(
      (highlight) =>
        [...(CSS.highlights.get(highlight) ?? [])].map((range) => (range instanceof Range ? range.toString() : "")),
      name,
    );

  /** Waits until these words are highlighted, which happens a frame or more after their row is drawn. */
  async function expectMarked(name: string, words: readonly string[]): Promise<void> {
    const end = Date.now() + 5_000;
    while (Date.now() < end && JSON.stringify(await marked(name)) !== JSON.stringify(words)) await opened.settle();
    assert.deepEqual(await marked(name), words);
  }

  it("takes the focus while a conversation is being opened, and keeps it when that is shown", async () => {
    const box = opened.page.getByRole("textbox", { name: "Find in conversation" });
    const hasKeyboard = (): Promise<boolean> => box.evaluate((field) => field.ownerDocument.activeElement === field);
    await opened.show(view([user(0, "Something else")]));
    await opened.composer.focus();
    await opened.say({ kind: "openFind", query: "retry", messageId: 1 });
    const posted = await opened.expectPosted({ kind: "find", query: "retry" });
    assert.ok(posted.kind === "find");
    assert.equal(await hasKeyboard(), true);
    await opened.show(view([], { conversationId: "", status: status({ activity: "loading" }) }));
    assert.equal(await hasKeyboard(), true);
    const hits = [1, 2].map((messageId) => ({ messageId, excerpt: "retry" }));
    await opened.say(
      { kind: "snapshot", view: view(rows, { conversationId: "conversation-2" }) },
      { kind: "found", findId: posted.findId, hits, isMore: false },
    );
    await opened.page.locator(".find-count").getByText("1 of 2", { exact: true }).waitFor();
    await opened.expectPosted({ kind: "findGo", messageId: 1, before: "message-1" });
    assert.equal(await hasKeyboard(), true);
    await opened.show(view([user(0, "Something else")]));
    assert.equal(await box.count(), 0, "what was found is of the one before");
  });

  it("moves between matches, wraps around, and highlights the matched words", async () => {
    const { page } = opened;
    await opened.show(view(rows));
    const findId = await find([1, 2]);
    const count = page.locator(".find-count");
    await count.getByText("2 of 2", { exact: true }).waitFor();
    await at(findId, 2, { marks: ["retry", "Retry"] });
    await expectMarked("forge-found-present", ["retry", "Retry"]);
    await expectMarked("forge-found", ["Retry"]);
    await page.keyboard.press("Enter");
    await count.getByText("1 of 2", { exact: true }).waitFor();
    await at(findId, 1, { marks: ["Retry"] });
    await expectMarked("forge-found-present", ["Retry"]);
    const focused = await page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
    assert.equal(focused, "Find in conversation");
    await page.keyboard.press("Shift+Enter");
    await count.getByText("2 of 2", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    assert.equal(await page.getByRole("search").count(), 0);
    await opened.settle();
    await expectMarked("forge-found", []);
  });

  it("opens the thoughts or the call that contain a match", async () => {
    await opened.show(view(rows));
    const findId = await find([2]);
    await at(findId, 2, { part: "thinking" });
    await opened.page.getByText("A retry?").waitFor();
    await at(findId, 2, { part: "call", callId: "a" });
    await opened.expectPosted({ kind: "openCall", rowId: "message-2", callId: "a", whole: true });
  });

  it("highlights streaming text, and searches nothing else again for it", async () => {
    const { page } = opened;
    const paragraphs = Array.from({ length: 40 }, (_, at) => `Retry ${String(at)} of many.`).join("\n\n");
    await opened.show(view([...rows, streaming("step_3", `${paragraphs}\n\nAnd then`)]));
    const findId = await find([1, 2]);
    await at(findId, 2, { marks: ["retry", "Retry"] });
    await expectMarked("forge-found-present", ["retry", "Retry"]);
    const before = (await marked("forge-found")).length;
    await page.evaluate(() => {
      const walk = document.createTreeWalker.bind(document);
      const looked: string[] = [];
      Object.assign(window, { looked });
      document.createTreeWalker = (root, ...rest) => {
        looked.push(root.textContent?.slice(-40) ?? "");
        return walk(root, ...rest);
      };
    });
    for (const text of [" a", " retry", " is", " made"]) {
      await opened.say({ kind: "delta", rowId: "step_3", part: "text", text });
      await opened.settle();
    }
    assert.equal((await marked("forge-found")).length, before + 1);
    await expectMarked("forge-found-present", ["retry", "Retry"]);
    const looked = await page.evaluate(() => {
      const list: unknown = Reflect.get(window, "looked");
      return Array.isArray(list) ? list.map(String) : [];
    });
    assert.ok(looked.length >= 1 && looked.length <= 8, `${String(looked.length)} looks for 4 pieces`);
    for (const text of looked) assert.match(text, /And then( a)?( retry)?( is)?( made)?$/);
  });

  it("removes the highlights of a removed row, and highlights the current row despite 2,500 other matches", async () => {
    const { page } = opened;
    await opened.show(view([user(0, "retry ".repeat(2_500)), ...rows]));
    const findId = await find([2]);
    await at(findId, 2, { marks: ["retry", "Retry"] });
    await page.waitForFunction(() => CSS.highlights.get("forge-found-present")?.size === 2);
    assert.equal((await marked("forge-found")).length, 1_998);
    await opened.say({ kind: "rowRemoved", rowId: "message-0" });
    await opened.settle();
    await expectMarked("forge-found", ["Retry"]);
  });

  for (const theme of themeNames) {
    it(`explains a match in a hidden message, without an axe violation, in ${theme}`, async () => {
      for (const width of [260, 900]) {
        opened = await webview.open({ theme, width, height: 500 });
        await opened.show(view(rows));
        const findId = await find([1, 2, 7]);
        await at(findId, 7, { rowId: null });
        await opened.page.getByText("Message 8 is hidden:").waitFor();
        assert.deepEqual(await axeViolations(opened.page), []);
        const wide = await opened.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${String(wide)} px too wide`);
        await picture(opened.page, `find-hidden-${theme}-${String(width)}`);
        await opened.page.getByRole("button", { name: "Open it" }).click();
        await opened.expectPosted({ kind: "openMessage", messageId: 7 });
      }
    });
  }
});

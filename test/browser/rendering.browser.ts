import assert from "node:assert/strict";
import { scenes } from "./support/scenes.ts";
import { answer, streaming, summary, user, view } from "./support/viewBuilders.ts";
import { useWebview } from "./support/useWebview.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

describe("webview: rendering", function () {
  this.timeout(30_000);
  let opened: WebviewPage;
  const webview = useWebview((page) => (opened = page));

  it("marks rows and controls with the roles and attributes that tests and assistive tools use", async () => {
    const { page } = opened;
    await opened.show(
      view([user(1, "a"), summary(3), answer(2, "b", { state: "cancelled" }), streaming("step_5", "c")]),
    );
    const log = page.getByRole("log");
    const articles = await log
      .getByRole("article")
      .evaluateAll((list) =>
        list.map((row) =>
          ["data-message-id", "data-role", "class", "data-state"].map((name) => row.getAttribute(name)),
        ),
      );
    assert.deepEqual(articles, [
      ["1", "user", "row message user", "complete"],
      ["2", "assistant", "row message assistant", "cancelled"],
      ["step_5", "assistant", "row message assistant", "streaming"],
    ]);
    assert.equal(await log.locator('.row[data-kind="summary"][data-summary-id="3"]').count(), 1);
    assert.equal(await opened.composer.count(), 1);
    assert.equal(await page.getByRole("button", { name: "Send", exact: true }).count(), 1);
    assert.equal(await page.getByRole("button", { name: "Stop", exact: true }).count(), 0);
    await opened.say({ kind: "status", status: { activity: "streaming" } });
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await opened.expectPosted({ kind: "stop" });
  });

  it("renders an answer's Markdown as elements, and a user's message as plain text", async () => {
    const { page } = opened;
    const scene = scenes["markdown"];
    assert.ok(scene !== undefined);
    await opened.show(scene.view);
    await page.locator(".token-deleted").waitFor();
    const count = async (selector: string) => page.locator(`.message.assistant ${selector}`).count();
    const counts: Record<string, number> = {};
    for (const selector of [
      "[role=heading]",
      "ol",
      "ul",
      "li.task",
      "blockquote",
      "table",
      "td",
      "hr",
      "a",
      "img",
      "b",
      "pre",
    ]) {
      counts[selector] = await count(selector);
    }
    assert.deepEqual(counts, {
      "[role=heading]": 2,
      ol: 1,
      ul: 3,
      "li.task": 2,
      blockquote: 1,
      table: 1,
      td: 6,
      hr: 1,
      a: 2,
      img: 0,
      b: 0,
      pre: 3,
    });
    await opened.show(view([user(1, "# no *Markdown*\n  <b>here</b>")]));
    assert.equal(await page.locator(".typed").innerText(), "# no *Markdown*\n  <b>here</b>");
  });

  it("opens links through the host only, and shows where they lead", async () => {
    const { page } = opened;
    await opened.show(view([answer(1, "[example.org](https://evil.example/a) ![pic](https://b.example/p.png)")]));
    const link = page.getByRole("link", { name: "example.org" });
    assert.equal(await link.getAttribute("title"), "https://evil.example/a");
    await link.click();
    await opened.expectPosted({ kind: "openLink", href: "https://evil.example/a" });
    const image = page.getByRole("link", { name: "pic" });
    assert.equal(await image.innerText(), "pic (https://b.example/p.png)");
    await image.click({ button: "middle" });
    await opened.expectPosted({ kind: "openLink", href: "https://b.example/p.png" });
    assert.equal(page.context().pages().length, 1);
    assert.equal(page.url(), `${webview.server.origin}/`);
  });

  it("copies code through the host", async () => {
    const { page } = opened;
    await opened.show(view([answer(1, "```js\nlet a = 1;\n\nlet b;\n```")]));
    await page.getByRole("button", { name: "Copy" }).click();
    await opened.expectPosted({ kind: "copy", text: "let a = 1;\n\nlet b;" });
    await page.getByRole("button", { name: "Copied" }).waitFor();
  });

  it("colours code when its fence closes, and changes no character of it", async () => {
    const { page } = opened;
    const code = "const a = '<b>&amp;</b>'; // \u202ereversed";
    await opened.show(view([streaming("step_1", `\`\`\`ts\n${code}`)]));
    assert.equal(await page.locator("[class^=token-]").count(), 0);
    await opened.say({ kind: "delta", rowId: "step_1", part: "text", text: "\n```\n" });
    await page.locator(".token-keyword").waitFor();
    assert.equal(await page.locator("pre code").innerText(), code.replace("\u202e", "U+202E"));
  });

  it("folds thinking into one line", async () => {
    const { page } = opened;
    await opened.show(view([answer(1, "b", { thinking: "secret <b>thoughts</b>" })]));
    assert.equal(await page.getByText("secret").count(), 0);
    await page.getByRole("button", { name: "Thoughts" }).click();
    await page.getByText("secret <b>thoughts</b>").waitFor();
  });

  it("asks for a snapshot when a message was lost", async () => {
    await opened.show(view([user(1, "a")]));
    opened.loseOne();
    await opened.say({ kind: "rowsAdded", rows: [user(3, "c")] });
    await opened.settle();
    const readies = (await opened.posted()).filter((message) => message.kind === "ready");
    assert.equal(readies.length, 2);
    await opened.show(view([user(1, "a"), user(2, "b"), user(3, "c")]));
    assert.equal(await opened.page.getByRole("article").count(), 3);
  });
});

/** What the page shows of what the host says, in a real browser under the real content security policy. */
import assert from "node:assert/strict";
import { scenes, showScene } from "./support/scenes.ts";
import { summaryScenes } from "./support/summaryScenes.ts";
import { answer, notice, status, streaming, summary, summaryDetail, user, view } from "./support/viewBuilders.ts";
import { useWebview } from "./support/useWebview.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

const FOUND = [
  { label: "Ollama", modelCount: 0, command: "useOllama" },
  { label: "LM Studio", modelCount: 3, command: "useLmStudio" },
] as const;

describe("webview: what is shown", function () {
  this.timeout(30_000);
  let opened: WebviewPage;
  const webview = useWebview((page) => (opened = page));

  it("has the handles that tests and people use", async () => {
    const { page } = opened;
    await opened.show(
      view([user(1, "a"), summary(3), answer(2, "b", { state: "cancelled" }), streaming("step_5", "c")]),
    );
    const log = page.getByRole("log");
    const articles = await log
      .getByRole("article")
      .evaluateAll((list) =>
        list.map((row) => ["data-message-id", "data-role", "data-state"].map((name) => row.getAttribute(name))),
      );
    assert.deepEqual(articles, [
      ["1", "user", "complete"],
      ["2", "assistant", "cancelled"],
      ["step_5", "assistant", "streaming"],
    ]);
    assert.equal(await log.locator('[data-kind="summary"][data-summary-id="3"]').count(), 1);
    assert.equal(await opened.composer.count(), 1);
    assert.equal(await page.getByRole("button", { name: "Send", exact: true }).count(), 1);
    assert.equal(await page.getByRole("button", { name: "Stop", exact: true }).count(), 0);
    await opened.say({ kind: "status", status: { activity: "streaming" } });
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await opened.expectPosted({ kind: "stop" });
  });

  it("draws the Markdown of an answer as elements, and a user's text as it is", async () => {
    const { page } = opened;
    const scene = scenes["markdown"];
    assert.ok(scene !== undefined);
    await opened.show(scene.view);
    await page.locator(".token-deleted").waitFor();
    const count = async (selector: string) => page.locator(`[data-role=assistant] ${selector}`).count();
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

  it("copies code by way of the host", async () => {
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

  it("opens a summary, loads it, and takes it back", async () => {
    const { page } = opened;
    await opened.show(view([summary(2)]));
    const marker = page.locator('[data-summary-id="2"]');
    await marker.getByRole("button", { expanded: false }).click();
    await opened.expectPosted({ kind: "openSummary", summaryId: 2 });
    await opened.say({ kind: "summaryDetail", summaryId: 2, detail: summaryDetail("- **kept** fact") });
    await marker.locator("li strong").waitFor();
    assert.match(
      await marker.innerText(),
      /42 messages summarized[^]*61k → 9k tokens[^]*38 of 38 facts kept[^]*messages 120–161/,
    );
    await marker.getByRole("button", { name: "Undo" }).click();
    await opened.expectPosted({ kind: "setSummaryState", summaryId: 2, state: "undone" });
    await opened.say({ kind: "rowChanged", rowId: "summary-2", row: summary(2, { state: "undone", redoId: 2 }) });
    await marker.getByRole("button", { name: "Redo" }).click();
    await opened.expectPosted({ kind: "setSummaryState", summaryId: 2, state: "active" });
  });

  it("shows the originals of a summary as the chat draws them, when they are asked for", async () => {
    const { page } = opened;
    const scene = summaryScenes["summaryOriginals"];
    assert.ok(scene !== undefined);
    await showScene(opened, "originals", { ...scene, click: ["[data-summary-id='4'] .summary-line"] });
    assert.equal(await page.locator(".original").count(), 0);
    assert.deepEqual(
      (await opened.posted()).filter(({ kind }) => kind === "summary"),
      [],
    );
    await page.locator("[data-tab='originals']").click();
    const originals = page.locator(".original");
    assert.equal(await originals.count(), 4);
    const answered = originals.nth(1);
    assert.equal(await answered.locator("strong, li, code").count(), 3);
    assert.doesNotMatch(await answered.innerText(), /\*\*|`/);
    await answered.getByRole("button", { name: "Read src/net/policy.ts" }).click();
    await opened.expectPosted({ kind: "openCall", rowId: "message-121", callId: "a" });
    const looks = await originals
      .locator(".original-text")
      .evaluateAll((all) =>
        all.map((text) => getComputedStyle(text).fontFamily + getComputedStyle(text).borderTopWidth),
      );
    assert.equal(new Set(looks).size, 3, "the user, the answer and the tool are told apart");
    const long = originals.nth(3).locator(".original-text");
    const folded = (await long.boundingBox())?.height ?? 0;
    await originals.nth(3).getByRole("button", { name: "Show all" }).click();
    assert.ok(((await long.boundingBox())?.height ?? 0) > 2 * folded, `${String(folded)} px folded`);
    await page.getByRole("button", { name: /Show more, 38 left/ }).click();
    await opened.expectPosted({ kind: "summary", summaryId: 4 });
  });

  it("offers the three ways on from half an answer, once", async () => {
    const { page } = opened;
    const half = answer(2, "half", { rowId: "step_2", messageId: "step_2", state: "interrupted", undecided: "answer" });
    await opened.show(view([user(1, "a"), half]));
    assert.match(await page.getByRole("article").last().innerText(), /Everything you saw is kept/);
    await page.getByRole("button", { name: "Ask again" }).click();
    await opened.expectPosted({ kind: "recover", stepId: "step_2", choice: "askAgain" });
    for (const name of ["Keep", "Continue", "Ask again"]) {
      assert.ok(await page.getByRole("button", { name }).isDisabled());
    }
    await opened.say({ kind: "rowChanged", rowId: "step_2", row: { ...half, stateText: "The provider refused." } });
    await page.getByRole("button", { name: "Keep" }).click();
    await opened.expectPosted({ kind: "recover", stepId: "step_2", choice: "keep" });
  });

  it("offers a stopped answer again until something is said after it, whatever else was added", async () => {
    const { page } = opened;
    await opened.show(view([user(1, "a"), answer(2, "b", { state: "cancelled" })]));
    const retry = page.getByRole("button", { name: "Retry" });
    assert.equal(await retry.count(), 1);
    await opened.say({ kind: "rowsAdded", rows: [notice("Something else was done.")] });
    await page.locator(".notice").waitFor();
    assert.equal(await retry.count(), 1);
    await opened.say({ kind: "rowsAdded", rows: [user(3, "c")] });
    await retry.waitFor({ state: "detached" });
    await opened.say({ kind: "rowsAdded", rows: [answer(4, "d"), answer(5, "e")] });
    await opened.settle();
    const places = page.locator("[data-key]");
    assert.deepEqual(
      await places.evaluateAll((rows) =>
        rows.map((row) => `${String(row.getAttribute("data-key"))}: ${String(row.getAttribute("class"))}`),
      ),
      [
        "message-1: null",
        "message-2: null",
        "notice-Something else was done.: null",
        "message-3: null",
        "message-4: is-continued",
        "message-5: goes-on",
      ],
    );
    await opened.say({ kind: "rowsAdded", rows: [answer(6, "f")] });
    await opened.settle();
    assert.equal(await places.nth(4).getAttribute("class"), "is-continued");
    assert.equal(await places.nth(5).getAttribute("class"), "goes-on is-continued");
  });

  it("shows failures, notices and banners with their buttons", async () => {
    const { page } = opened;
    const scene = scenes["troubles"];
    assert.ok(scene !== undefined);
    await opened.show(scene.view);
    for (const [name, command] of [
      ["Retry", "retry"],
      ["Move it here", "moveHere"],
      ["Summarize again", "summarize"],
    ] as const) {
      await page.getByRole("button", { name }).click();
      await opened.expectPosted({ kind: "command", command });
    }
  });

  it("says plainly that no language model is connected, and offers the ways to one", async () => {
    const { page } = opened;
    const offline = status({ connection: { kind: "offline", editorModels: 2, servers: FOUND } });
    await opened.show(view([], { status: offline }));
    await page.getByText("It is no language model.").waitFor();
    await page.getByText("Found on this machine, with 3 models").waitFor();
    for (const [name, command] of [
      ["Use LM Studio", "useLmStudio"],
      ["Use Ollama", "useOllama"],
      ["Use the editor’s models", "useEditorModels"],
      ["Use a local server", "useServer"],
      ["Add an Anthropic or OpenAI key", "addKey"],
    ] as const) {
      await page.getByRole("button", { name }).click();
      await opened.expectPosted({ kind: "command", command });
    }
    await opened.say({ kind: "rowsAdded", rows: [user(1, "a"), notice("n")] });
    await page.getByText("No language model is connected.").waitFor();
    await opened.say({ kind: "status", status: { connection: { kind: "connected", why: "" } } });
    await page.getByText("No language model is connected.").waitFor({ state: "detached" });
  });

  it("shows how far summarizing is, and lets cancel it", async () => {
    const { page } = opened;
    await opened.show(view([user(1, "a")], { status: status({ activity: "summarizing", progressPercent: 45 }) }));
    await page.getByText("Summarizing 45 %").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await opened.expectPosted({ kind: "command", command: "cancelSummary" });
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

import assert from "node:assert/strict";
import type { ToHost } from "../../src/protocol/toHost.ts";
import { answer, status, streaming, user, view } from "./support/viewBuilders.ts";
import { useWebview } from "./support/useWebview.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${String(index)}`).join("\n");
const fenced = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;

describe("webview: code blocks and file links", function () {
  this.timeout(60_000);
  let opened: WebviewPage;
  useWebview((page) => (opened = page));

  const show = async (...texts: readonly string[]): Promise<void> => {
    await opened.show(view([user(0, "How?"), ...texts.map((text, index) => answer(index + 1, text))]));
  };
  const tools = (): Promise<(string | null)[]> =>
    opened.page
      .locator(".code-tools button")
      .evaluateAll((buttons) => buttons.map((button) => button.getAttribute("aria-label")));
  const press = (name: string): Promise<void> => opened.page.getByRole("button", { name, exact: true }).click();
  const posted = async (kind: ToHost["kind"]): Promise<ToHost[]> =>
    (await opened.posted()).filter((message) => message.kind === kind);
  const asked = async (): Promise<string[]> =>
    (await opened.posted()).flatMap((message) => (message.kind === "findFiles" ? message.paths : []));
  const waitForAsked = async (path: string): Promise<void> => {
    await opened.page.waitForFunction(
      (wanted) => window.posted.some((message) => message.kind === "findFiles" && message.paths.includes(wanted)),
      path,
    );
  };

  it("offers actions by language, and posts the visible code once per click", async () => {
    await show(fenced("ts src/a.ts", "const a = 1;"));
    assert.deepEqual(await tools(), ["Copy code", "Insert at cursor", "New file", "Apply to src/a.ts"]);
    const code = { kind: "code", text: "const a = 1;", language: "ts", path: "src/a.ts" } as const;
    for (const name of ["Insert at cursor", "New file", "Apply to src/a.ts"]) await press(name);
    assert.deepEqual(await posted("code"), [
      { ...code, act: "insert" },
      { ...code, act: "newFile" },
      { ...code, act: "apply" },
    ]);
    await press("Copy code");
    await opened.expectPosted({ kind: "copy", text: "const a = 1;" });
    await opened.page.getByRole("button", { name: "Copied", exact: true }).waitFor();
  });

  it("offers to run shell code only, and never runs it by itself", async () => {
    await show(fenced("sh", "npm test"));
    assert.deepEqual(await tools(), ["Copy code", "Run in terminal", "Insert at cursor", "New file"]);
    assert.deepEqual(await posted("code"), []);
    await press("Run in terminal");
    assert.deepEqual(await posted("code"), [{ kind: "code", act: "run", text: "npm test", language: "sh", path: "" }]);
  });

  it("offers to show a diagram for Mermaid code", async () => {
    const code = "flowchart LR\n  A --> B";
    await show(fenced("mermaid", code));
    assert.deepEqual(await tools(), ["Copy code", "Show as diagram", "Insert at cursor", "New file", "Apply to file"]);
    await press("Show as diagram");
    assert.deepEqual(await posted("code"), [
      { kind: "code", act: "diagram", text: code, language: "mermaid", path: "" },
    ]);
  });

  it("offers only to copy while a block streams", async () => {
    await opened.show(
      view([user(0, "How?"), streaming("step_1", "```sh\nrm -r")], { status: status({ activity: "streaming" }) }),
    );
    assert.deepEqual(await tools(), ["Copy code"]);
    await opened.say({ kind: "delta", rowId: "step_1", part: "text", text: " build\n```\n\n" });
    await opened.page.getByRole("button", { name: "Run in terminal" }).waitFor();
    assert.deepEqual(await posted("code"), []);
  });

  it("has one tab stop, with arrow keys between the buttons", async () => {
    await show(fenced("js", "a()"));
    await opened.page.getByRole("button", { name: "Copy code", exact: true }).focus();
    const { keyboard } = opened.page;
    const focused = (): Promise<string | null> =>
      opened.page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? null);
    for (const [key, name] of [
      ["ArrowRight", "Insert at cursor"],
      ["End", "Apply to file"],
      ["ArrowRight", "Copy code"],
      ["ArrowLeft", "Apply to file"],
      ["Home", "Copy code"],
      ["Tab", "js block"],
    ] as const) {
      await keyboard.press(key);
      assert.equal(await focused(), name, key);
    }
    await keyboard.press("Shift+Tab");
    await keyboard.press("ArrowRight");
    await keyboard.press("Enter");
    await opened.expectPosted({ kind: "code", act: "insert" });
  });

  it("folds a long block without removing its text, and keeps the scroll position when toggled", async () => {
    await show(fenced("", lines(25)), fenced("", lines(80)), "and more\n\n".repeat(40));
    const blocks = opened.page.locator(".code-block pre");
    assert.deepEqual(await blocks.evaluateAll((list) => list.map((pre) => pre.classList.contains("folded"))), [
      false,
      true,
    ]);
    const long = blocks.nth(1);
    assert.equal((await long.textContent())?.split("\n").length, 80);
    const shownLines = await long.evaluate((pre) => {
      const code = pre.querySelector("code");
      return code === null ? 0 : code.clientHeight / parseFloat(getComputedStyle(code).lineHeight);
    });
    assert.equal(shownLines, 20);
    await long.scrollIntoViewIfNeeded();
    const topOf = async (): Promise<number> => Math.round((await long.boundingBox())?.y ?? Number.NaN);
    const before = await topOf();
    await press("Show all 80 lines");
    await opened.settle();
    assert.equal(await topOf(), before);
    const less = opened.page.getByRole("button", { name: "Show less" });
    await less.scrollIntoViewIfNeeded();
    const buttonTop = Math.round((await less.boundingBox())?.y ?? Number.NaN);
    await less.click();
    await opened.settle();
    const more = await opened.page.getByRole("button", { name: "Show all 80 lines" }).boundingBox();
    assert.ok(Math.abs((more?.y ?? Number.NaN) - buttonTop) <= 2, "the button stays under the pointer");
  });

  it("E:long-code draws a block of 600,000 characters as code, copies it whole, and formats what stands after it", async () => {
    const code = lines(50_000);
    await show(`Here it is:\n${fenced("ts", code)}\n\n## After *it*`);
    const { page } = opened;
    await page.getByRole("heading", { name: "After it" }).waitFor();
    assert.deepEqual(await tools(), ["Copy code", "Insert at cursor", "New file", "Apply to file"]);
    const fonts = await page
      .locator(".code-block .piece")
      .evaluateAll((list) => [...new Set(list.map((element) => getComputedStyle(element).fontFamily))]);
    assert.equal(fonts.length, 1);
    assert.match(fonts[0] ?? "", /mono/i);
    await press("Copy code");
    await opened.expectPosted({ kind: "copy", text: code });
    await press("Show all 50000 lines");
    await page.getByText("line 49999").scrollIntoViewIfNeeded();
    assert.ok(await page.getByText("line 49999").isVisible());
  });

  it("does not fold a block that the reader saw streaming", async () => {
    await opened.show(
      view([user(0, "How?"), streaming("step_1", `\`\`\`js\n${lines(40)}`)], {
        status: status({ activity: "streaming" }),
      }),
    );
    const text = `\`\`\`js\n${lines(40)}\n\`\`\`\n\nThe end.`;
    await opened.say({ kind: "delta", rowId: "step_1", part: "text", text: "\n```\n\nThe end." });
    await opened.say({ kind: "rowChanged", rowId: "step_1", row: answer(1, text) });
    await opened.page.getByRole("button", { name: "Show less" }).waitFor();
    assert.equal(await opened.page.locator("pre.folded").count(), 0);
    await opened.show(view([user(0, "How?"), answer(1, text), user(2, "And?")]));
    assert.equal(await opened.page.locator("pre.folded").count(), 0, "nor when it is drawn anew");
  });

  it("unfolds a block with a search match, and scrolls the match into view", async () => {
    await show(fenced("", lines(60)), "and more\n\n".repeat(60));
    await opened.say({ kind: "openFind", query: "line 55", messageId: null });
    const message = await opened.expectPosted({ kind: "find", query: "line 55" });
    assert.ok(message.kind === "find");
    const { findId } = message;
    await opened.say(
      { kind: "found", findId, hits: [{ messageId: 1, excerpt: "line 55" }], isMore: false },
      {
        kind: "foundAt",
        findId,
        messageId: 1,
        place: { rowId: "message-1", part: "text", callId: "", marks: ["line 55"] },
      },
    );
    await opened.page.getByRole("button", { name: "Show less" }).waitFor();
    await opened.page.waitForFunction(() => {
      const present = [...(CSS.highlights.get("forge-found-present") ?? [])][0];
      const box = present instanceof Range ? present.getBoundingClientRect() : undefined;
      return box !== undefined && box.top > 0 && box.bottom < innerHeight;
    });
  });

  it("links the names of existing files in text and code, and no others", async () => {
    await show(
      "See src/net/upload.ts:12 and `policy.ts`, not other.ts or `a.b`; [the test](test/a%20b.ts#L7), [no](gone.ts).",
    );
    await waitForAsked("src/net/upload.ts");
    assert.deepEqual((await asked()).toSorted(), [
      "a.b",
      "gone.ts",
      "other.ts",
      "policy.ts",
      "src/net/upload.ts",
      "test/a b.ts",
    ]);
    assert.equal(await opened.page.getByRole("link").count(), 0);
    const row = opened.page.locator('[data-row-id="message-1"] .markdown');
    const [text, box] = [await row.innerText(), await row.boundingBox()];
    await opened.say({ kind: "files", paths: ["src/net/upload.ts", "policy.ts", "test/a b.ts"] });
    await opened.page.getByRole("link").first().waitFor();
    assert.deepEqual(await opened.page.getByRole("link").allInnerTexts(), [
      "src/net/upload.ts:12",
      "policy.ts",
      "the test",
    ]);
    assert.deepEqual([await row.innerText(), await row.boundingBox()], [text, box], "nothing moves");
    await opened.page.getByRole("link", { name: "src/net/upload.ts:12" }).click();
    await opened.expectPosted({ kind: "openFile", path: "src/net/upload.ts", line: 12, column: 0 });
    await opened.page.getByRole("link", { name: "the test" }).focus();
    await opened.page.keyboard.press("Enter");
    await opened.expectPosted({ kind: "openFile", path: "test/a b.ts", line: 7 });
  });

  it("asks the host for each file name once, in few messages, and only when its line is complete", async () => {
    await opened.show(view([streaming("step_1", "Look at src/unfin")], { status: status({ activity: "streaming" }) }));
    await opened.say({ kind: "delta", rowId: "step_1", part: "text", text: "ished.ts and src/unfinished.ts" });
    await opened.settle();
    assert.deepEqual(await asked(), []);
    await opened.say({ kind: "delta", rowId: "step_1", part: "text", text: "\n\nMore.\n\nAnd more" });
    await waitForAsked("src/unfinished.ts");
    const many = Array.from({ length: 100 }, (_, index) => `- \`src/f${String(index)}.ts\``).join("\n");
    await opened.say({ kind: "rowChanged", rowId: "step_1", row: answer(1, `${many}\n\nsrc/unfinished.ts`) });
    await waitForAsked("src/f99.ts");
    const all = await asked();
    assert.equal(new Set(all).size, all.length);
    assert.ok((await posted("findFiles")).length <= 4);
  });

  it("does not link commands, scripts and remote addresses", async () => {
    await show(
      "[a](command:workbench.action.quit) [b](//evil.example/x.ts) [c](javascript:x.ts) [d](vscode://x/y.ts) [e](file://evil.example/x.ts)",
    );
    await opened.settle();
    await new Promise((resolve) => setTimeout(resolve, 200)); // longer than names are collected
    assert.deepEqual(await asked(), []);
    assert.equal(await opened.page.getByRole("link").count(), 0);
  });

  it("opens a file URL at its line if the workspace has the file, and leaves others as text", async () => {
    await show("[here](file:///srv/shop/a.ts#L12) and [there](file:///etc/passwd)");
    await waitForAsked("/srv/shop/a.ts");
    assert.deepEqual((await asked()).toSorted(), ["/etc/passwd", "/srv/shop/a.ts"]);
    await opened.say({ kind: "files", paths: ["/srv/shop/a.ts"] });
    await opened.page.getByRole("link").first().waitFor();
    assert.deepEqual(await opened.page.getByRole("link").allInnerTexts(), ["here"]);
    await opened.page.locator(".dead-link", { hasText: "there" }).click();
    await opened.page.getByRole("link", { name: "here" }).click();
    await opened.expectPosted({ kind: "openFile", path: "/srv/shop/a.ts", line: 12, column: 0 });
    const kinds = (await opened.posted()).map(({ kind }) => kind);
    assert.deepEqual([kinds.filter((kind) => kind === "openFile").length, kinds.includes("openLink")], [1, false]);
  });
});

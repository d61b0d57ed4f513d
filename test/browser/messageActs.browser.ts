import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import type { SelectedMessages } from "../../src/webview/transcript/selectedMessages.ts";
import { answer, composer, status, user, view } from "./support/viewBuilders.ts";
import { launchBrowser } from "../../scripts/vscode/launchBrowser.ts";
import { WebviewPage } from "./support/webviewPage.ts";
import { startWebviewServer, type WebviewServer } from "./support/webviewServer.ts";

describe("webview: message actions and composer menus", function () {
  this.timeout(60_000);
  let browser: Browser;
  let server: WebviewServer;
  let opened: WebviewPage;
  before(async () => {
    [browser, server] = await Promise.all([launchBrowser(), startWebviewServer()]);
  });
  beforeEach(async () => {
    opened = await WebviewPage.open(browser, server);
    await opened.show(
      view([
        user(0, "What is it?", { branch: { index: 1, count: 2 } }),
        answer(1, "It is **this**.\n\nAnd more."),
        { kind: "hidden", rowId: "hidden-2", messageId: 2, role: "user" },
      ]),
    );
  });
  afterEach(async () => {
    assert.deepEqual(opened.problems, []);
    await opened.close();
  });
  after(async () => {
    await browser.close();
    await server.close();
  });

  const chosen = async (name: string): Promise<void> => {
    await opened.page.getByRole("menuitem", { name, exact: true }).click();
  };

  it("shows the toolbar of the message under the pointer only", async () => {
    await opened.page.hover('[data-row-id="message-1"]');
    assert.equal(await opened.page.getByRole("toolbar").count(), 1);
    await opened.page.hover('[data-row-id="message-0"]');
    assert.equal(await opened.page.locator('[data-row-id="message-0"] [role=toolbar]').count(), 1);
    assert.equal(await opened.page.getByRole("toolbar").count(), 1);
  });

  it("copies a message as rendered text and as Markdown", async () => {
    await opened.page.hover('[data-row-id="message-1"]');
    await opened.page.getByRole("button", { name: "More actions" }).click();
    await chosen("Copy text");
    await opened.expectPosted({ kind: "copy", text: "It is this.\n\nAnd more." });
    await opened.page.getByRole("button", { name: "More actions" }).click();
    await chosen("Copy as Markdown");
    await opened.expectPosted({ kind: "copy", text: "It is **this**.\n\nAnd more." });
  });

  it("reaches a message, its menu and its actions by keyboard, and returns the focus", async () => {
    const { keyboard } = opened.page;
    await opened.page.getByRole("log").focus();
    await keyboard.press("Alt+ArrowUp");
    await keyboard.press("Shift+F10");
    if ((await opened.page.getByRole("menu").count()) === 0) {
      for (const key of ["Tab", "End", "Enter"]) await keyboard.press(key);
    }
    await opened.page.getByRole("menu").waitFor();
    await keyboard.press("End");
    for (let press = 0; press < 4; press++) await keyboard.press("ArrowUp");
    await keyboard.press("Enter");
    await opened.expectPosted({ kind: "messageAction", messageId: 1, act: "fork" });
    await keyboard.press("Enter");
    await opened.page.getByRole("menu").waitFor();
    await keyboard.press("Escape");
    await opened.page.getByRole("menu").waitFor({ state: "detached" });
    assert.equal(await opened.page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "More actions");
  });

  it("posts the messages that a selection touches, by pointer or keyboard, and when it is cleared", async () => {
    const { page } = opened;
    const told = (messages: SelectedMessages | null) =>
      page.waitForFunction((wanted) => {
        const last = window.posted.findLast((message) => message.kind === "selected");
        return last?.kind === "selected" && JSON.stringify(last.messages) === wanted;
      }, JSON.stringify(messages));
    await page.evaluate(() => {
      const [from, to] = [0, 1].map((id) => document.querySelector(`[data-message-id="${String(id)}"] p`));
      if (from === undefined || to === undefined || from === null || to === null) throw new Error("both are there");
      document.getSelection()?.setBaseAndExtent(from, 0, to, 1);
    });
    await told({ first: 0, last: 1 });
    await page.evaluate(() => document.getSelection()?.removeAllRanges());
    await told(null);
    await page.getByRole("log").focus();
    await page.keyboard.press("Alt+ArrowUp");
    await page.keyboard.press("Alt+Shift+ArrowUp");
    await told({ first: 0, last: 1 });
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("data-message-id")), "0");
    assert.match(await page.evaluate(() => document.getSelection()?.toString() ?? ""), /It is this\./);
    await page.keyboard.press("Alt+Shift+ArrowDown");
    await told({ first: 1, last: 1 });
  });

  it("switches versions, shows a hidden message, and quotes into the composer", async () => {
    await opened.page.getByRole("button", { name: "Earlier version" }).click();
    await opened.expectPosted({ kind: "branch", messageId: 0, step: -1 });
    await opened.page.getByRole("button", { name: "Show", exact: true }).click();
    await opened.expectPosted({ kind: "messageAction", messageId: 2, act: "show" });
    await opened.page.hover('[data-row-id="message-1"]');
    await opened.page.getByRole("button", { name: "Quote" }).click();
    assert.equal(await opened.composer.inputValue(), "> It is **this**.\n> \n> And more.\n\n");
    await opened.page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Message Forge");
  });

  it("disables message actions while an answer streams", async () => {
    await opened.say({ kind: "status", status: status({ activity: "streaming" }) });
    await opened.page.hover('[data-row-id="message-1"]');
    await opened.page.getByRole("button", { name: "Another answer" }).click({ force: true });
    await opened.settle();
    assert.ok(!(await opened.posted()).some(({ kind }) => kind === "messageAction"));
  });

  /** Types "see @up" and posts two matching files. */
  async function offerFiles(): Promise<void> {
    await opened.composer.pressSequentially("see @up");
    const asked = await opened.expectPosted({ kind: "findMentions", query: "up" });
    assert.equal(asked.kind, "findMentions");
    const { requestId } = asked;
    const mentions = ["upload.ts", "update.ts"].map((label, index) => ({
      mentionId: `m${String(index)}`,
      kind: "file" as const,
      label,
      description: "src",
    }));
    await opened.say({ kind: "mentions", requestId, mentions });
  }

  it("chooses the highlighted mention, even when a key is pressed as soon as the list appears", async () => {
    await opened.composer.evaluate((composer) => {
      new MutationObserver((_, observer) => {
        if (document.querySelector("[role=option]") === null) return;
        observer.disconnect();
        composer.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true, cancelable: true }));
      }).observe(document.body, { childList: true, subtree: true });
    });
    await offerFiles();
    await opened.settle();
    await opened.composer.press("Enter");
    await opened.expectPosted({ kind: "attach", mentionId: "m1" });
  });

  it("attaches a mention chosen by keyboard, and removes it", async () => {
    await offerFiles();
    await opened.page.getByRole("option").first().waitFor();
    await opened.composer.press("ArrowDown");
    const active = await opened.composer.getAttribute("aria-activedescendant");
    assert.equal(await opened.page.locator(`#${active ?? ""}`).getAttribute("aria-selected"), "true");
    await opened.composer.dispatchEvent("keydown", { key: "Enter", isComposing: true });
    assert.equal(await opened.composer.inputValue(), "see @up");
    await opened.composer.press("Enter");
    await opened.expectPosted({ kind: "attach", mentionId: "m1" });
    assert.equal(await opened.composer.inputValue(), "see @update.ts ");
    const file = { attachmentId: "x", kind: "file", label: "src/update.ts", tokens: 1_240, isExcluded: false } as const;
    await opened.say(composer({ attachments: [file] }));
    await opened.page.getByRole("button", { name: "Remove src/update.ts" }).click();
    await opened.expectPosted({ kind: "detach", attachmentId: "x" });
  });

  it("closes the menu on the first Escape, and stops the answer on the second", async () => {
    await opened.say({ kind: "status", status: status({ activity: "streaming" }) });
    await opened.composer.pressSequentially("/");
    await opened.page.getByRole("listbox", { name: "Commands" }).waitFor();
    await opened.composer.press("Escape");
    assert.equal(await opened.page.getByRole("listbox").count(), 0);
    assert.ok(!(await opened.posted()).some(({ kind }) => kind === "stop"));
    await opened.composer.press("Escape");
    await opened.expectPosted({ kind: "stop" });
  });

  it("posts commands with their arguments, and sends paths as messages", async () => {
    await opened.composer.pressSequentially("/con");
    await opened.composer.press("Enter");
    await opened.expectPosted({ kind: "slash", command: "context", argument: "" });
    assert.equal(await opened.composer.inputValue(), "");
    await opened.composer.pressSequentially("/summarize the retry policy");
    await opened.composer.press("Enter");
    await opened.expectPosted({ kind: "slash", command: "summarize", argument: "the retry policy" });
    await opened.composer.pressSequentially("/etc/hosts is empty");
    await opened.composer.press("Enter");
    assert.equal((await opened.sent())[0]?.text, "/etc/hosts is empty");
  });

  it("recalls sent messages by arrow keys, but never replaces typed text", async () => {
    await opened.composer.press("ArrowUp");
    assert.equal(await opened.composer.inputValue(), "What is it?");
    await opened.composer.press("ArrowDown");
    assert.equal(await opened.composer.inputValue(), "");
    await opened.composer.pressSequentially("new words");
    await opened.composer.press("ArrowUp");
    assert.equal(await opened.composer.inputValue(), "new words");
  });

  it("attaches pasted and dropped files, and files dragged from the editor's lists", async () => {
    await opened.composer.evaluate((field) => {
      const data = new DataTransfer();
      data.items.add(new File(["hello"], "note.txt", { type: "text/plain" }));
      field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    });
    await opened.expectPosted({ kind: "attachData", name: "note.txt", dataBase64: "aGVsbG8=" });
    await opened.composer.evaluate((field) => {
      const data = new DataTransfer();
      data.setData("application/vnd.code.uri-list", "file:///w/src/a.ts\r\nfile:///w/src/b.ts");
      field.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    });
    const dropped = await opened.expectPosted({ kind: "attachUris" });
    assert.deepEqual(dropped.kind === "attachUris" && dropped.uris, ["file:///w/src/a.ts", "file:///w/src/b.ts"]);
  });
});

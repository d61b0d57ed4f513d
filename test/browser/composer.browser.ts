import assert from "node:assert/strict";
import { composer, status, streaming, user, view } from "./support/viewBuilders.ts";
import { useWebview } from "./support/useWebview.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

describe("webview: composer", function () {
  this.timeout(30_000);
  let opened: WebviewPage;
  useWebview(async (page) => {
    opened = page;
    await opened.show(view([user(1, "a")]));
  });

  const sent = () => opened.sent();
  const text = (): Promise<string> => opened.composer.inputValue();

  it("sends on Enter, breaks the line on Shift+Enter, and empties when the host has accepted the message", async () => {
    await opened.composer.focus();
    await opened.page.keyboard.type("one");
    await opened.page.keyboard.press("Shift+Enter");
    await opened.page.keyboard.type("two");
    await opened.page.keyboard.press("Enter");
    const [message] = await sent();
    assert.equal(message?.text, "one\ntwo");
    assert.equal(await text(), "one\ntwo");
    await opened.take();
    await opened.settle();
    assert.equal(await text(), "");
  });

  it("sends once however often Enter is pressed, and keeps the text when the host refuses it", async () => {
    await opened.composer.fill("hello");
    for (let press = 0; press < 5; press++) await opened.composer.press("Enter");
    await opened.page.getByRole("button", { name: "Send", exact: true }).click({ force: true });
    const messages = await sent();
    assert.equal(messages.length, 1);
    await opened.refuse();
    await opened.settle();
    assert.equal(await text(), "hello");
    await opened.composer.press("Enter");
    assert.equal((await sent()).length, 2);
  });

  it("opens an attached image in the editor, before and after sending", async () => {
    const picture = { attachmentId: "1", kind: "image", label: "PNG image", tokens: null, isExcluded: false } as const;
    await opened.show(view([user(1, "a", { attachments: [picture] })], { attachments: [picture] }));
    const open = opened.page.getByRole("button", { name: "Open PNG image" });
    for (const place of [0, 1]) await open.nth(place).click();
    await opened.expectPosted({ kind: "openAttachment", messageId: 1, attachmentId: "1" });
    await opened.expectPosted({ kind: "openAttachment", messageId: null, attachmentId: "1" });
  });

  it("has the focus after a click on Send, and when the window is focused with nothing else in focus", async () => {
    const hasKeyboard = (): Promise<boolean> =>
      opened.composer.evaluate((field) => field.ownerDocument.activeElement === field);
    await opened.composer.fill("hello");
    await opened.page.getByRole("button", { name: "Send", exact: true }).click();
    assert.equal((await sent()).length, 1);
    assert.equal(await hasKeyboard(), true);
    await opened.composer.blur();
    assert.equal(await hasKeyboard(), false);
    const give = (): Promise<boolean> => opened.page.evaluate(() => window.dispatchEvent(new FocusEvent("focus")));
    await give();
    assert.equal(await hasKeyboard(), true);
    const model = opened.page.getByRole("button", { name: /Switch model/ });
    await model.focus();
    await give();
    assert.equal(await model.evaluate((button) => button.ownerDocument.activeElement === button), true);
  });

  it("never sends an empty message", async () => {
    for (const empty of ["", "   ", "\n\n\t"]) {
      await opened.composer.fill(empty);
      await opened.composer.press("Enter");
      await opened.page.getByRole("button", { name: "Send", exact: true }).click({ force: true });
    }
    assert.deepEqual(await sent(), []);
  });

  it("leaves Enter and Escape to an input method during composition", async () => {
    await opened.say(
      { kind: "status", status: { activity: "streaming" } },
      { kind: "rowsAdded", rows: [streaming("step_1")] },
    );
    await opened.composer.focus();
    const session = await opened.page.context().newCDPSession(opened.page);
    await session.send("Input.imeSetComposition", { text: "にほん", selectionStart: 3, selectionEnd: 3 });
    await opened.settle();
    const press = (init: Readonly<Record<string, string | number | boolean>>): Promise<boolean> =>
      opened.composer.evaluate(
        (field, given) =>
          field.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...given })),
        init,
      );
    assert.equal(await press({ key: "Enter", isComposing: true }), true);
    assert.equal(await press({ key: "Escape", isComposing: true }), true);
    await opened.say({ kind: "status", status: { activity: "idle" } });
    await opened.settle();
    assert.equal(await press({ key: "Enter", isComposing: true }), true);
    assert.equal(await press({ key: "Enter", keyCode: 229 }), true);
    assert.deepEqual([await sent(), (await opened.posted()).filter(({ kind }) => kind === "stop")], [[], []]);
    await session.send("Input.insertText", { text: "日本" });
    await opened.settle();
    assert.equal(await text(), "日本");
    await opened.composer.press("Enter");
    assert.equal((await sent())[0]?.text, "日本");
  });

  it("stops the answer on Escape, wherever the focus is", async () => {
    await opened.composer.focus();
    await opened.page.keyboard.press("Escape");
    assert.deepEqual(
      (await opened.posted()).filter((message) => message.kind === "stop"),
      [],
    );
    await opened.say({ kind: "status", status: { activity: "streaming" } });
    await opened.page.getByRole("log").focus();
    await opened.settle();
    await opened.page.keyboard.press("Escape");
    await opened.expectPosted({ kind: "stop" });
  });

  it("queues a message that is sent while an answer streams, and says so", async () => {
    await opened.say({ kind: "status", status: { activity: "streaming" } });
    await opened.settle();
    await opened.composer.fill("next");
    await opened.settle();
    const send = opened.page.getByRole("button", { name: "Send", exact: true });
    assert.equal(await send.getAttribute("title"), "Send when this answer is complete");
    await opened.composer.press("Enter");
    const [message] = await sent();
    assert.equal(message?.text, "next");
    const queue = { items: [{ queueId: "step_9", text: "next" }], isHeld: false };
    await opened.take("queued", composer({ queue }));
    await opened.page.getByText("Queued: next").waitFor();
    assert.equal(await text(), "");
  });

  it("takes the focus on the host's request, and keeps it while an answer streams", async () => {
    await opened.say({ kind: "focusComposer" });
    await opened.settle();
    const focused = () => opened.composer.evaluate((field) => field === document.activeElement);
    assert.equal(await focused(), true);
    await opened.say({ kind: "rowsAdded", rows: [streaming("step_1")] });
    for (let count = 0; count < 20; count++) {
      await opened.say({ kind: "delta", rowId: "step_1", part: "text", text: "word " });
    }
    await opened.settle();
    assert.equal(await focused(), true);
  });

  it("reports files that were not added until the next key press, even if the status changes", async () => {
    await opened.composer.evaluate((field) => {
      const data = new DataTransfer();
      for (let count = 0; count < 53; count++) data.items.add(new File(["hi"], `note${String(count)}.txt`));
      field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    });
    const said = opened.page.locator(".hint", { hasText: "3 were left out." });
    await said.waitFor();
    await opened.expectPosted({ kind: "attachData", name: "note49.txt" });
    await opened.say({ kind: "status", status: status({}) });
    await opened.settle();
    assert.equal(await said.count(), 1);
    await opened.composer.pressSequentially("a");
    assert.equal(await said.count(), 0);
  });

  it("grows with its text up to a limit", async () => {
    const height = async () => (await opened.composer.boundingBox())?.height ?? 0;
    const low = await height();
    await opened.composer.fill(Array.from({ length: 8 }, () => "line").join("\n"));
    const higher = await height();
    await opened.composer.fill(Array.from({ length: 200 }, () => "line").join("\n"));
    const highest = await height();
    assert.ok(
      low < higher && higher < highest && highest <= 401,
      `${String(low)} ${String(higher)} ${String(highest)}`,
    );
  });

  it("draws the context meter to scale, and names its parts", async () => {
    await opened.composer.fill("x");
    await opened.say({ kind: "status", status: status({ draftTokens: 1292 }) });
    await opened.settle();
    const widths = await opened.page.locator(".segment").evaluateAll((segments) => {
      const whole = segments[0]?.parentElement?.getBoundingClientRect().width ?? 1;
      return segments.map((segment) => Math.round((1000 * segment.getBoundingClientRect().width) / whole) / 10);
    });
    assert.deepEqual(widths, [4, 4.7, 23.3, 10.8, 1]);
    const figure = opened.page.locator(".figure");
    assert.equal(await figure.innerText(), "+1.3k tokens · 55k / 129k (43%)");
    assert.match((await figure.getAttribute("title")) ?? "", /Summaries 30k\nMessages 14k[^]*Free 74k\nMeasured/);
    const typed = opened.page.locator(".draft-tokens");
    assert.equal(await typed.getAttribute("class"), "draft-tokens");
    await opened.say({ kind: "status", status: status({ draftTokens: 129_201 }) });
    await opened.settle();
    assert.equal(await typed.getAttribute("class"), "draft-tokens severity-2", "more than the model takes");
    await figure.click();
    await opened.expectPosted({ kind: "command", command: "showContext" });
    await opened.page.getByRole("button", { name: /claude-haiku-4-5/ }).click();
    await opened.expectPosted({ kind: "command", command: "switchModel" });
  });
});

import assert from "node:assert/strict";
import type { AttachmentView } from "../../src/protocol/attachmentView.ts";
import type { ToHost } from "../../src/protocol/toHost.ts";
import { composer, user, view } from "./support/viewBuilders.ts";
import { useWebview } from "./support/useWebview.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

const long = "a line of the log\n".repeat(2_000);

describe("webview: long pasted texts", function () {
  this.timeout(30_000);
  let opened: WebviewPage;
  useWebview(async (page) => {
    opened = page;
    await opened.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await opened.show(view([user(1, "a")]));
    await opened.composer.focus();
  });

  const paste = async (text: string, key = "Control+v"): Promise<void> => {
    await opened.page.evaluate((words) => navigator.clipboard.writeText(words), text);
    await opened.page.keyboard.press(key);
    await opened.settle();
  };
  const text = (): Promise<string> => opened.composer.inputValue();
  const posted = async <K extends ToHost["kind"]>(kind: K): Promise<Extract<ToHost, { kind: K }>[]> =>
    (await opened.posted()).filter((message): message is Extract<ToHost, { kind: K }> => message.kind === kind);
  const waitToHear = (words: string): Promise<void> => opened.page.locator("[data-live]").getByText(words).waitFor();
  const chip: AttachmentView = {
    attachmentId: "step_1",
    kind: "pasted",
    label: "Pasted text, 2000 lines",
    tokens: 9_800,
    isExcluded: false,
  };

  it("become an attachment, which is announced, and leave the composer's text unchanged", async () => {
    await opened.page.keyboard.type("Look at ");
    await paste(long);
    assert.equal(await text(), "Look at ");
    const [added] = await posted("attachText");
    assert.equal(added?.text, long);
    await waitToHear("Added as pasted text. Undo removes it.");
  });

  it("go into the composer with Shift, as short texts always do", async () => {
    await paste(long, "Control+Shift+v");
    assert.equal(await text(), long);
    await opened.composer.fill("");
    await paste("short");
    assert.equal(await text(), "short");
    assert.deepEqual(await posted("attachText"), []);
  });

  it("go into the composer when nothing can be stored", async () => {
    await opened.say({ kind: "status", status: { activity: "blocked" } });
    await opened.settle();
    await paste(long);
    assert.equal(await text(), long);
    assert.deepEqual(await posted("attachText"), []);
  });

  it("become an attachment when dropped, even after one was pasted with Shift", async () => {
    await paste(long, "Control+Shift+v");
    await opened.composer.evaluate((field, words) => {
      const data = new DataTransfer();
      data.setData("text/plain", words);
      field.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }, long);
    await opened.expectPosted({ kind: "attachText", text: long });
    assert.equal(await text(), long);
  });

  it("are detached by Undo and attached again by Redo until the text changes", async () => {
    await opened.page.keyboard.type("Look");
    await paste(long);
    await opened.page.keyboard.press("Control+z");
    const [first] = await posted("attachText");
    assert.deepEqual(await posted("detachPaste"), [{ kind: "detachPaste", pasteId: first?.pasteId }]);
    assert.equal(await text(), "Look");
    await opened.page.keyboard.press("Control+Shift+z");
    assert.deepEqual(
      (await posted("attachText")).map((message) => message.text),
      [long, long],
    );
    await opened.page.keyboard.type("!");
    await opened.page.keyboard.press("Control+z");
    assert.equal((await posted("detachPaste")).length, 1);
    assert.notEqual(await text(), "Look!");
  });

  it("are undone one by one, unless they were already removed", async () => {
    await paste(long);
    await paste(`${long}more`);
    const [first, second] = await posted("attachText");
    await opened.page.keyboard.press("Control+z");
    assert.equal((await posted("detachPaste")).at(-1)?.pasteId, second?.pasteId);
    const there = { ...chip, attachmentId: `step_${first?.pasteId ?? ""}` };
    await opened.say(composer({ attachments: [there] }));
    await opened.page.locator(".chip").waitFor();
    await opened.say(composer({ attachments: [] }));
    await opened.page.locator(".chip").waitFor({ state: "detached" });
    await opened.page.keyboard.press("Control+z");
    assert.equal((await posted("detachPaste")).length, 1);
  });

  it("can be opened, and inserted at the caret before the attachment is removed", async () => {
    await opened.page.keyboard.type("Look at .");
    await opened.page.keyboard.press("ArrowLeft");
    await opened.say(composer({ attachments: [chip] }));
    await opened.page.getByRole("button", { name: "Open Pasted text, 2000 lines" }).click();
    await opened.expectPosted({ kind: "openAttachment", messageId: null, attachmentId: "step_1" });
    await opened.page.getByRole("button", { name: "Put Pasted text, 2000 lines into the message as text" }).click();
    await opened.expectPosted({ kind: "attachmentText", attachmentId: "step_1" });
    await opened.say({ kind: "attachmentText", attachmentId: "step_1", text: long });
    await opened.expectPosted({ kind: "detach", attachmentId: "step_1" });
    assert.equal(await text(), `Look at ${long}.`);
    const kinds = (await opened.posted()).map(({ kind }) => kind);
    assert.deepEqual(kinds.slice(-2), ["compose", "detach"]);
  });

  it("become text that Undo turns back into the attachment, and Redo into text", async () => {
    await opened.page.keyboard.type("Look at .");
    await opened.page.keyboard.press("ArrowLeft");
    await opened.say(composer({ attachments: [chip] }));
    await opened.page.getByRole("button", { name: "Put Pasted text, 2000 lines into the message as text" }).click();
    await opened.say({ kind: "attachmentText", attachmentId: "step_1", text: long });
    await opened.expectPosted({ kind: "detach", attachmentId: "step_1" });
    await opened.say(composer({ attachments: [] }));
    await opened.page.locator(".chip").waitFor({ state: "detached" });

    await opened.page.keyboard.press("Control+z");
    await opened.settle();
    assert.equal(await text(), "Look at .");
    const [again] = await posted("attachText");
    assert.equal(again?.text, long);
    await opened.say(composer({ attachments: [{ ...chip, attachmentId: `step_${again.pasteId}` }] }));
    await opened.page.locator(".chip").waitFor();

    await opened.page.keyboard.press("Control+Shift+z");
    await opened.settle();
    assert.equal(await text(), `Look at ${long}.`);
    assert.deepEqual(await posted("detachPaste"), [{ kind: "detachPaste", pasteId: again.pasteId }]);

    await opened.page.keyboard.press("Control+z");
    await opened.settle();
    assert.equal(await text(), "Look at .");
    assert.equal((await posted("attachText")).length, 2);
    await opened.page.keyboard.press("Control+z");
    assert.equal((await posted("detachPaste")).length, 2, "the chip is what was added last");
  });

  it("cannot be sent without a message, and a hint says so", async () => {
    await opened.say(composer({ attachments: [chip] }));
    await opened.page.locator(".chip").waitFor();
    await opened.composer.press("Enter");
    await opened.page.locator(".hint", { hasText: "Write what to do with what you added." }).waitFor();
    assert.deepEqual(await opened.sent(), []);
  });

  it("stay within 88 px when there are many, with the newest in view", async () => {
    const many = Array.from({ length: 50 }, (_, index) => ({ ...chip, attachmentId: `step_${String(index)}` }));
    await opened.say(composer({ attachments: many }));
    const list = opened.page.locator(".composer .attachments");
    await list.waitFor();
    await opened.settle();
    const box = await list.boundingBox();
    const newest = await list.locator(".chip").last().boundingBox();
    assert.ok(box !== null && newest !== null);
    assert.ok(box.height <= 88, String(box.height));
    assert.ok(newest.y >= box.y && newest.y + newest.height <= box.y + box.height + 1);
  });
});

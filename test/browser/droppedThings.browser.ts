import assert from "node:assert/strict";
import { useWebview } from "./support/useWebview.ts";
import { view } from "./support/viewBuilders.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

declare global {
  interface Window {
    /** Lets the read of the dropped file finish. */
    readOn: () => void;
  }
}

describe("webview: a file dropped on the composer", function () {
  this.timeout(30_000);
  let opened: WebviewPage;
  const webview = useWebview((page) => (opened = page));

  for (const [shown, added] of [
    ["here", 1],
    ["there", 0],
  ] as const) {
    it(`is attached only if the conversation that it was dropped in is still shown: ${shown}`, async () => {
      await opened.show(view([], { conversationId: "here" }));
      await opened.composer.evaluate((field: HTMLTextAreaElement) => {
        const read = new Promise<void>((resolve) => (window.readOn = resolve));
        File.prototype.arrayBuffer = () => read.then(() => new ArrayBuffer(2));
        const data = new DataTransfer();
        data.items.add(new File(["hi"], "note.txt"));
        field.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
      });
      await opened.show(view([], { conversationId: shown }));
      await opened.page.evaluate(() => {
        window.readOn();
      });
      await opened.settle();
      const posted = (await opened.posted()).filter(({ kind }) => kind === "attachData").length;
      const said = await opened.page.getByText("note.txt could not be read, so it was not added.").count();
      assert.deepEqual([posted, said > 0], [added, added === 0]);
    });
  }

  it("is reported as not added when the view was hidden before it was read", async () => {
    await opened.show(view([]));
    await opened.composer.evaluate((field: HTMLTextAreaElement) => {
      File.prototype.arrayBuffer = function (): Promise<ArrayBuffer> {
        return this.name === "one.txt" ? Promise.resolve(new ArrayBuffer(2)) : new Promise(() => undefined);
      };
      const data = new DataTransfer();
      for (const name of ["one.txt", "two.txt", "three.txt"]) data.items.add(new File(["hi"], name));
      field.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    });
    await opened.expectPosted({ kind: "attachData" });
    for (const hints of [
      ["two.txt could not be read, so it was not added. three.txt could not be read, so it was not added."],
      [],
    ]) {
      const stored: unknown = await opened.page.evaluate(() => window.stored);
      opened = await webview.open({ stored });
      await opened.show(view([]));
      assert.deepEqual(await opened.page.locator(".composer .hint").allTextContents(), hints);
    }
  });
});

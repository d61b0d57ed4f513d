/** Markdown as people write it, names with blanks, and what is copied, as the page shows them. */
import assert from "node:assert/strict";
import { answer, status, streaming, user, view } from "./support/viewBuilders.ts";
import { useWebview } from "./support/useWebview.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

const source = `**注意：**请先备份，共 10~20个, 30~40个。

见 https://example.com/docs。下一句，\`&lt;div&gt;\`。

\`\`\`markdown
# README

\`\`\`bash
npm i
\`\`\`

## 许可
\`\`\`

后`;

describe("webview: text as people write it", function () {
  this.timeout(60_000);
  let opened: WebviewPage;
  useWebview((page) => (opened = page));

  /** What is drawn of the last answer, without the classes of what still grows. */
  const drawn = (): Promise<readonly string[]> =>
    opened.page
      .locator(".message.assistant .chunk > *")
      .evaluateAll((blocks) =>
        blocks.map((block) =>
          block.querySelector("pre") === null
            ? block.innerHTML.replace(/ (?:title|rel|class)="[^"]*"/g, "")
            : `pre: ${block.querySelector("pre")?.textContent ?? ""}`,
        ),
      );

  const expected = [
    "<strong>注意：</strong>请先备份，共 10~20个, 30~40个。",
    '见 <a href="https://example.com/docs">https://example.com/docs</a>。下一句，<code dir="ltr">&amp;lt;div&amp;gt;</code>。',
    "pre: # README\n\n```bash\nnpm i\n```\n\n## 许可",
    "后",
  ];

  it("§9 draws it as it is meant", async () => {
    await opened.show(view([answer(1, source)]));
    assert.deepEqual(await drawn(), expected);
  });

  for (const step of [1, 3, 17])
    it(`§9 draws the same when it arrives in pieces of ${String(step)}`, async () => {
      await opened.show(view([user(0, "Why?"), streaming("step_1")], { status: status({ activity: "streaming" }) }));
      for (let at = 0; at < source.length; at += step) {
        await opened.say({ kind: "delta", rowId: "step_1", part: "text", text: source.slice(at, at + step) });
      }
      await opened.settle();
      assert.deepEqual(await drawn(), expected);
    });

  it("§9 copies a selection of whole blocks without the blank line at the end", async () => {
    await opened.show(view([answer(1, "one\n\n```js\nlet a;\n```\n\ntwo")]));
    const copied = await opened.page.evaluate(() => {
      const [pre, last] = [document.querySelector("pre"), [...document.querySelectorAll(".chunk > p")].at(-1)];
      if (pre === null || last === undefined) return null;
      document.getSelection()?.setBaseAndExtent(pre, 0, last, 0);
      const event = new ClipboardEvent("copy", { clipboardData: new DataTransfer(), bubbles: true, cancelable: true });
      pre.dispatchEvent(event);
      const selected = document.getSelection()?.toString() ?? "";
      return { selected, text: event.clipboardData?.getData("text/plain") };
    });
    assert.deepEqual(copied, { selected: "let a;\n", text: "let a;" });
  });

  it("§9 offers names with blanks after @, and says nothing about words after a mention", async () => {
    await opened.show(view([]));
    await opened.composer.fill("");
    await opened.composer.pressSequentially("see @my c");
    const asked = (await opened.posted()).filter(({ kind }) => kind === "findMentions").at(-1);
    assert.ok(asked?.kind === "findMentions");
    assert.equal(asked.query, "my c");
    const file = { mentionId: "1", kind: "file", label: "My Component.tsx", description: "src" } as const;
    await opened.say({ kind: "mentions", requestId: asked.requestId, mentions: [file] });
    await opened.page.getByRole("option", { name: "My Component.tsx" }).waitFor();
    await opened.page.keyboard.press("Enter");
    await opened.expectPosted({ kind: "attach", mentionId: "1" });
    assert.equal(await opened.composer.inputValue(), "see @My-Component.tsx ");
    await opened.composer.pressSequentially("is");
    const next = (await opened.posted()).filter(({ kind }) => kind === "findMentions").at(-1);
    assert.ok(next?.kind === "findMentions");
    await opened.say({ kind: "mentions", requestId: next.requestId, mentions: [] });
    await opened.settle();
    assert.equal(await opened.page.locator(".composer-menu").count(), 0);
  });
});

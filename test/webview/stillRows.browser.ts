/** Rows that are drawn without components, and what becomes of them when they are touched, in a real browser. */
import assert from "node:assert/strict";
import { allScenes } from "./support/allScenes.ts";
import { answer, user, view } from "./support/viewBuilders.ts";
import { useWebview } from "./support/useWebview.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

describe("webview: rows that nobody has touched", function () {
  this.timeout(60_000);
  let opened: WebviewPage;
  useWebview((page) => (opened = page));

  it("look as their components draw them, and stay the same elements", async () => {
    await opened.show(view([answer(1, "```ts\nconst a = 1;\n```")]));
    await opened.page.locator(".token-keyword").waitFor(); // from then on code is coloured as it is drawn
    let compared = 0;
    for (const [name, { view: shown }] of Object.entries(allScenes)) {
      if (shown.rows.length === 0 || shown.context !== null) continue;
      await opened.show({ ...shown, conversationId: name });
      const differences = await opened.page.evaluate(() => {
        const found: (readonly [string, string])[] = [];
        const rows = [...document.querySelectorAll("[data-key]")];
        const still = rows.filter((row) => Object.getOwnPropertyNames(row).length === 0);
        const nodesOf = (row: Element): readonly Node[] => {
          const walker = document.createTreeWalker(row, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
          const nodes: Node[] = [];
          while (walker.nextNode() !== null) nodes.push(walker.currentNode);
          return nodes;
        };
        for (const row of still) {
          const [html, nodes] = [row.outerHTML, nodesOf(row)];
          row.firstElementChild?.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, key: "Shift" }));
          const after = nodesOf(row);
          const isSame = after.length === nodes.length && after.every((node, index) => node === nodes[index]);
          if (Object.getOwnPropertyNames(row).length === 0) found.push(["not taken over", html]);
          else if (html !== row.outerHTML || !isSame) found.push([html, row.outerHTML]);
        }
        return { found, count: still.length };
      });
      assert.deepEqual(differences.found, [], name);
      compared += differences.count;
    }
    assert.ok(compared > 50, `${String(compared)} rows were compared`);
  });

  it("are given what can be done with them by the first thing that happens to them, whatever it is", async () => {
    const { page } = opened;
    await opened.show(
      view([user(1, "a"), answer(2, "```sh\nls\n```\n\n[there](https://example.com/a)"), user(3, "c")]),
    );
    await page.locator("[data-message-id='2'] a").evaluate((link) => {
      link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    });
    await opened.expectPosted({ kind: "openLink", href: "https://example.com/a" });
    await opened.show(view([user(1, "a"), answer(4, "```sh\nls\n```")], { conversationId: "another" }));
    await page.locator("[data-message-id='4'] .code-tools button").first().dispatchEvent("click");
    await opened.expectPosted({ kind: "copy", text: "ls" });
  });

  const code = answer(2, "```ts\nconst a = 1;\n```\n\n```ts\nlet b = 2;\n```");
  /** A row has its components once they have left their marks on it. */
  const hasComponents = (row: Element): boolean =>
    Object.getOwnPropertyNames(row.closest("[data-key]") ?? row).length > 0;

  it("are coloured when there is time, and still need no components", async () => {
    const { page } = opened;
    await page.reload(); // the highlighter is not there yet
    await opened.show(view([user(1, "a"), code]));
    await page.locator("code .token-keyword").nth(1).waitFor();
    assert.deepEqual(await page.locator("pre code").allTextContents(), ["const a = 1;", "let b = 2;"]);
    assert.equal(await page.locator("[data-message-id='2']").evaluate(hasComponents), false);
  });

  for (const isThere of [false, true])
    it(`are coloured once where they are touched before that, the highlighter ${isThere ? "" : "not "}being there`, async () => {
      const { page } = opened;
      await page.reload();
      if (isThere) {
        await opened.show(view([user(1, "a"), code]));
        await page.locator("code .token-keyword").nth(1).waitFor();
      }
      await page.evaluate(() => {
        window.requestIdleCallback = (): number => 0; // there is no time
        new MutationObserver((_, observer) => {
          const row = document.querySelector("[data-message-id='4']");
          if (row === null) return;
          observer.disconnect();
          document.body.dataset["before"] = String(row.querySelectorAll("[class^=token]").length);
          row.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, key: "Shift" }));
        }).observe(document.body, { childList: true, subtree: true });
      });
      // Before it stands as much code as is coloured at once.
      const many = answer(3, `\`\`\`ts\n${"x".repeat(1_333)}\n\`\`\`\n\n`.repeat(3));
      await opened.show(
        view([user(1, "a"), many, { ...code, rowId: "message-4", messageId: "4" }], { conversationId: "another" }),
      );
      const row = page.locator("[data-message-id='4']");
      await page.waitForFunction(() => document.body.dataset["before"] === "0"); // it was drawn plain
      assert.equal(await row.evaluate(hasComponents), true);
      assert.deepEqual(await row.locator("pre code").allTextContents(), ["const a = 1;", "let b = 2;"]);
      const tokens = await row.locator("[class^=token]").allTextContents();
      assert.deepEqual(tokens, isThere ? ["const", "1", "let", "2"] : []);
    });

  it("show a file as a link as soon as the host says that it is there, and open it", async () => {
    const { page } = opened;
    await opened.show(view([user(1, "a"), answer(2, "See src/main.ts and `src/other.ts`.")]));
    await opened.expectPosted({ kind: "findFiles" });
    const links = page.locator("[data-message-id='2'] .file-link");
    assert.equal(await links.count(), 0);
    await opened.say({ kind: "files", paths: ["src/main.ts"] });
    await links.first().waitFor();
    assert.deepEqual(await links.allInnerTexts(), ["src/main.ts"]);
    await opened.say({ kind: "files", paths: ["src/other.ts"] });
    await links.nth(1).waitFor();
    await links.nth(1).click();
    await opened.expectPosted({ kind: "openFile", path: "src/other.ts" });
  });

  it("change with what is said of them, and are unfolded where they are folded", async () => {
    const { page } = opened;
    const long = `\`\`\`\n${Array.from({ length: 40 }, (_, index) => `line ${String(index)}`).join("\n")}\n\`\`\``;
    await opened.show(view([user(1, "a"), answer(2, long)]));
    await opened.say({ kind: "rowChanged", rowId: "message-2", row: answer(2, long, { pinned: true }) });
    await page.locator("[data-message-id='2'] .pin-mark").waitFor();
    assert.equal(await page.locator("pre.folded").count(), 1);
    await page.locator(".code-more").dispatchEvent("click");
    await page.locator("pre:not(.folded)").waitFor();
  });
});

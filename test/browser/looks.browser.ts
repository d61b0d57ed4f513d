/** How an answer looks: the font that the user set, and narrow views in which nothing covers or breaks words. */
import assert from "node:assert/strict";
import { allScenes } from "./support/allScenes.ts";
import { showScene } from "./support/scenes.ts";
import { answer, call, status, summary, user, view } from "./support/viewBuilders.ts";
import { unfolded } from "./support/contextScenes.ts";
import { useWebview } from "./support/useWebview.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

describe("webview: how answers look", function () {
  this.timeout(60_000);
  let opened: WebviewPage;
  useWebview((page) => (opened = page));

  it("takes the font that is set for chats, and gives it back", async () => {
    await opened.show(view([answer(1, "Some `code` here.")]));
    const sizes = (): Promise<string[]> =>
      opened.page.evaluate(() =>
        [".markdown p", ".markdown p code", ".composer textarea"].map((selector) => {
          const element = document.querySelector(selector);
          return element === null ? "" : getComputedStyle(element).fontSize;
        }),
      );
    const usual = await sizes();
    await opened.show(view([answer(1, "Some `code` here.")], { font: { sizePx: 20, family: "monospace" } }));
    assert.deepEqual(await sizes(), ["20px", "19px", "20px"]);
    assert.equal(await opened.page.locator(".markdown p").evaluate((p) => getComputedStyle(p).fontFamily), "monospace");
    await opened.show(view([answer(1, "Some `code` here.")]));
    assert.deepEqual(await sizes(), usual);
  });

  it("has no line reach into another, nor out of its button, however large the font is, in any state", async () => {
    await opened.page.setViewportSize({ width: 300, height: 700 });
    for (const [name, scene] of Object.entries(allScenes)) {
      await showScene(opened, name, { ...scene, view: { ...scene.view, font: { sizePx: 24, family: null } } });
      const tight = await opened.page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>(".page *")].flatMap((element) => {
          if (element.closest(".spoken-only, math, .icon") !== null) return [];
          const { lineHeight, fontSize, webkitLineClamp } = getComputedStyle(element);
          const hasWords = [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== "");
          const isTight = hasWords && parseFloat(lineHeight) < 1.15 * parseFloat(fontSize);
          const isField = element.matches("button, input") && webkitLineClamp === "none";
          const isCut = isField && element.scrollHeight > element.clientHeight + 2;
          return isTight || isCut ? [`${element.className || element.tagName}: ${fontSize} in ${lineHeight}`] : [];
        }),
      );
      assert.deepEqual({ name, tight }, { name, tight: [] });
    }
  });

  it("has small words in lines of 16 px, and chips and calls in such of 18 px, in the usual font", async () => {
    const attachments = [{ attachmentId: "a", kind: "file", label: "a.ts", tokens: 4, isExcluded: false }] as const;
    const rows = [answer(1, "```ts\n1\n```", { meta: "3.1 s", calls: [call("a")] }), summary(2)];
    await opened.show(view(rows, { attachments }));
    const heights = await opened.page
      .locator(
        ".meta, .code-language, .text-button, .summary-line, .summary-line strong, .chip, .call-title, .call-state",
      )
      .evaluateAll((elements) =>
        elements.map((element) => `${element.getAttribute("class") ?? "-"} ${getComputedStyle(element).lineHeight}`),
      );
    assert.deepEqual(heights, [
      "code-language 16px",
      "call-title 18px",
      "call-state 18px",
      "meta marks 16px",
      "summary-line 16px",
      "- 16px",
      "chip 18px",
      "text-button model 16px",
      "text-button figure severity-0 16px",
    ]);
  });

  it("puts the bar of a message over no words, however narrow the view is", async () => {
    await opened.page.setViewportSize({ width: 260, height: 800 });
    await opened.show(
      view([user(0, "A question that is as long as its line. ".repeat(3)), answer(1, "words and words ".repeat(30))]),
    );
    await opened.page.hover('[data-row-id="message-1"] p');
    const covered = await opened.page.evaluate(() => {
      const bar = document.querySelector(".message-tools")?.getBoundingClientRect();
      const texts = [...document.querySelectorAll(".typed, [data-row-id='message-1'] p")];
      if (bar === undefined) return ["no bar"];
      return texts.flatMap((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return [...range.getClientRects()]
          .map(({ top, bottom }) => ({ top: top + 2, bottom: bottom - 2 })) // letters do not fill their line
          .filter((line) => line.top < bar.bottom && line.bottom > bar.top)
          .map(() => element.className);
      });
    });
    assert.deepEqual(covered, []);
  });

  it("breaks no word of a table, however narrow the view is", async () => {
    await opened.page.setViewportSize({ width: 260, height: 800 });
    const table =
      "| Setting | What it does |\n|---|---|\n| `forge.context.preserveRecent` | keeps the newest messages |";
    await opened.show(view([answer(1, table)]));
    const lineCounts = await opened.page.locator("td code, th:first-child").evaluateAll((cells) =>
      cells.map((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
      }),
    );
    assert.deepEqual(lineCounts, [1, 1]);
  });

  it("leaves sentences in a table a few words a line, where long names take the room", async () => {
    await opened.page.setViewportSize({ width: 260, height: 800 });
    const table =
      "| Setting | What it does |\n|---|---|\n| `forge.context.preserveRecent` | keeps so many of the newest messages as they are |";
    await opened.show(view([answer(1, table)]));
    const { words, lines } = await opened.page
      .locator("td")
      .last()
      .evaluate((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
        return { words: cell.textContent.split(" ").length, lines };
      });
    assert.ok(words / lines >= 2, `${String(words)} words in ${String(lines)} lines`); // however wide the font is
    const head = await opened.page
      .locator("th")
      .last()
      .evaluate((cell) => cell.getBoundingClientRect().height);
    assert.ok(head < 40, `a head of ${String(head)} px`);
  });

  /** On how many lines the text of each element stands. */
  const linesOf = (selector: string): Promise<readonly number[]> =>
    opened.page.locator(selector).evaluateAll((elements) =>
      elements.map((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
      }),
    );

  it("begins all lines of a task at one edge", async () => {
    await opened.page.setViewportSize({ width: 260, height: 800 });
    await opened.show(view([answer(1, "- [ ] to do, and it takes so many words that they need a second line")]));
    const lefts = await opened.page.locator("li.task").evaluate((item) => {
      const range = document.createRange();
      range.selectNodeContents(item.lastChild ?? item);
      return [...range.getClientRects()].map(({ left }) => Math.round(left));
    });
    assert.ok(lefts.length > 1);
    assert.deepEqual(new Set(lefts).size, 1, lefts.join(" "));
  });

  for (const [title, text] of [
    ["close", "- [ ] one\n- [x] two"] as const,
    ["apart", "- [ ] one\n\n- [x] two"] as const,
  ])
    it(`has the mark of a task beside its first line, where tasks stand ${title}`, async () => {
      await opened.show(view([answer(1, text)]));
      const distances = await opened.page.locator("li.task").evaluateAll((items) =>
        items.map((item) => {
          const words = document.createRange();
          words.selectNodeContents(item.lastChild ?? item);
          const [mark, line] = [item.querySelector(".icon"), words].map((each) => each?.getBoundingClientRect());
          return mark && line ? Math.abs(mark.top + mark.bottom - line.top - line.bottom) / 2 : 100;
        }),
      );
      assert.ok(distances.length === 2 && Math.max(...distances) <= 2, distances.join(" "));
    });

  it("scrolls with bars as narrow as the editor's, wherever it scrolls", async () => {
    await opened.page.setViewportSize({ width: 260, height: 500 });
    const wide = "x".repeat(100);
    const text = `| a | b |\n|---|---|\n| \`${wide}\` | b |\n\n\`\`\`\n${wide}\n\`\`\`\n\n${"words\n\n".repeat(30)}`;
    await opened.show(view([answer(1, text)]));
    const bars = await opened.page.locator(".log, .table, pre").evaluateAll((boxes) =>
      boxes.map((box) => {
        if (!(box instanceof HTMLElement)) throw new Error("no box");
        const { overflowX } = getComputedStyle(box);
        return overflowX === "hidden" ? box.offsetWidth - box.clientWidth : box.offsetHeight - box.clientHeight;
      }),
    );
    assert.deepEqual(bars, [10, 10, 10]);
  });

  const columns = [
    { width: 300, edges: [16, 284] },
    { width: 900, edges: [16, 884] },
    { width: 1500, edges: [290, 1210] },
  ];
  for (const { width, edges } of columns)
    it(`begins and ends everything at the composer's edges, also where there is a scroll bar, at ${String(width)} px`, async () => {
      await opened.page.setViewportSize({ width, height: 500 });
      const edgesOf = async (selector: string): Promise<readonly number[]> => {
        const box = await opened.page.locator(selector).first().boundingBox();
        assert.ok(box, selector);
        return [box.x, box.x + box.width];
      };
      const banner = { tone: "warning", text: "It is slow today.", actions: [] } as const;
      await opened.show(view([answer(1, "words\n\n".repeat(30))], { status: status({ banner }) }));
      assert.deepEqual(await edgesOf(".field"), edges);
      assert.deepEqual(await edgesOf(".message"), edges);
      assert.deepEqual(await edgesOf(".banner"), edges);
      await opened.page.keyboard.press("Control+f");
      assert.equal((await edgesOf(".find-box"))[0], edges[0]);
      await opened.page.keyboard.press("Escape");
      await opened.say({ kind: "context", context: unfolded({}) });
      assert.deepEqual(await edgesOf(".context-body > *"), edges);
    });

  it("keeps a time, the name of a language and what a search counts on one line each at 260 px", async () => {
    await opened.page.setViewportSize({ width: 260, height: 800 });
    const failed = call("a", { title: 'read_file {"path":"../../etc/passwd"}', state: "failed", time: "1.2 s" });
    const code = "```typescript src/net/a-path-that-is-long/policy.ts\nconst a = 1;\n```";
    await opened.show(view([answer(0, code, { calls: [failed] })]));
    assert.deepEqual(await linesOf(".call-time, .code-language"), [1, 1]);
    await opened.page.keyboard.press("Control+f");
    await opened.page.keyboard.type("words that are nowhere");
    const [box, count] = await Promise.all(
      [".find-box", ".find-count"].map((selector) => opened.page.locator(selector).boundingBox()),
    );
    assert.ok(box && count && box.width > 120, `room of ${String(box?.width)} px for what is looked for`);
    assert.ok(count.y >= box.y + box.height, "the count is below, and takes no room of it");
  });

  it("leaves a summary's words the room of its rule, and says its state next to its name", async () => {
    await opened.page.setViewportSize({ width: 260, height: 800 });
    await opened.show(view([summary(1, { isWithin: true }), summary(2, { state: "undone" }), answer(3, "Well.")]));
    const rule = await opened.page
      .locator(".summary-line")
      .first()
      .evaluate((line) => getComputedStyle(line, "::after").width);
    assert.equal(rule, "0px");
    await opened.page.setViewportSize({ width: 400, height: 800 });
    await opened.page.locator(".summary-line").last().click();
    const name = opened.page.locator(".summary.open .summary-what");
    assert.equal(await name.innerText(), "42 messages summarized · undone");
    const [what, tokens] = await Promise.all([
      name.boundingBox(),
      opened.page.locator(".open .summary-tokens").boundingBox(),
    ]);
    assert.ok(what && tokens && Math.abs(what.y + what.height / 2 - tokens.y - tokens.height / 2) < 4, "one line");
  });
});

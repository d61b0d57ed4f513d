/** The chat font setting, and narrow views in which nothing covers or breaks words. */
import assert from "node:assert/strict";
import { allScenes } from "./support/allScenes.ts";
import { showScene } from "./support/scenes.ts";
import { answer, call, status, summary, user, view } from "./support/viewBuilders.ts";
import { unfolded } from "./support/contextScenes.ts";
import { useWebview } from "./support/useWebview.ts";
import { themeNames, type WebviewPage } from "./support/webviewPage.ts";

/** Relative luminance of the words of each message on the side bar, and the look of their box. Runs in the page. */
function looksOfWords(): readonly { readonly light: number; readonly border: string; readonly hasFill: boolean }[] {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d");
  const sideBar = getComputedStyle(document.documentElement).getPropertyValue("--vscode-sideBar-background");
  return [...document.querySelectorAll(".message :is(.typed, .markdown)")].map((words) => {
    const { color, borderTopStyle: border, backgroundColor } = getComputedStyle(words);
    if (canvas === null) throw new Error("colours cannot be composited");
    for (const layer of [sideBar, color]) {
      canvas.fillStyle = layer;
      canvas.fillRect(0, 0, 1, 1);
    }
    const [red = 0, green = 0, blue = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    return { light, border, hasFill: backgroundColor !== "rgba(0, 0, 0, 0)" };
  });
}

describe("webview: layout and fonts", function () {
  this.timeout(60_000);
  let opened: WebviewPage;
  const webview = useWebview((page) => (opened = page));

  it("uses the chat font setting, and the default font again without it", async () => {
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

  it("overlaps no lines and clips no button text at a font size of 24 px, in any state", async () => {
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

  it("sets small text in lines of 16 px, chips and calls in lines of 18 px, in the default font", async () => {
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
      "meta summary-cause 16px",
      "chip 18px",
      "text-button model 16px",
      "text-button figure severity-0 16px",
    ]);
  });

  for (const theme of themeNames) {
    it(`tells in ${theme} what is not sent as it is from what is sent`, async () => {
      const unsent = { sent: "summary" } as const;
      opened = await webview.open({ theme });
      await opened.show(view([user(1, "One", unsent), answer(2, "Two", unsent), user(3, "Three"), answer(4, "Four")]));
      const looks = await opened.page.evaluate(looksOfWords);
      const [one, two, three, four] = looks.map(({ light }) => light);
      assert.ok(one !== undefined && two !== undefined && three !== undefined && four !== undefined);
      const apart = (light: number, other: number): number =>
        (Math.max(light, other) + 0.05) / (Math.min(light, other) + 0.05);
      for (const ratio of [apart(one, three), apart(two, four)]) assert.ok(ratio > 1.6, `${ratio.toFixed(2)}:1`);
      assert.deepEqual(
        looks.map(({ border, hasFill }) => [border, hasFill]),
        [
          ["dashed", false],
          ["none", false],
          ["solid", theme === "dark" || theme === "light"],
          ["none", false],
        ],
      );
    });
  }

  it("covers no words with the message toolbar in a narrow view", async () => {
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

  it("breaks no word of a table in a narrow view", async () => {
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

  it("gives sentences in a table at least two words per line beside long names", async () => {
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

  /** Number of lines of each element's text. */
  const linesOf = (selector: string): Promise<readonly number[]> =>
    opened.page.locator(selector).evaluateAll((elements) =>
      elements.map((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
      }),
    );

  it("aligns all lines of a task list item at one left edge", async () => {
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
    ["tight", "- [ ] one\n- [x] two"] as const,
    ["loose", "- [ ] one\n\n- [x] two"] as const,
  ])
    it(`aligns the check mark of a task with its first line in a ${title} list`, async () => {
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

  it("uses scroll bars of 10 px everywhere, like the editor", async () => {
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
    it(`aligns all content with the composer's edges, even beside a scroll bar, at ${String(width)} px`, async () => {
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

  it("keeps call times, language names and the find count on one line each at 260 px", async () => {
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

  it("drops the rule beside a summary's text in a narrow view, and shows its state next to its name", async () => {
    await opened.page.setViewportSize({ width: 260, height: 800 });
    await opened.show(view([summary(1, { use: "within" }), summary(2, { state: "undone" }), answer(3, "Well.")]));
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

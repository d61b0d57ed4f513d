/** Right-to-left text: each block has its own direction, and code always runs left to right. */
import assert from "node:assert/strict";
import type { AttachmentView } from "../../src/protocol/attachmentView.ts";
import { answer, call, original, streaming, summary, summaryDetail, user, view } from "./support/viewBuilders.ts";
import { useWebview } from "./support/useWebview.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

const fromRight = "at the right, goes left";
const fromLeft = "at the left, goes right";

const blocks: readonly (readonly [title: string, text: string, selector: string, ways: readonly string[]])[] = [
  ["a paragraph", "שלום, עולם.", ".markdown p", [fromRight]],
  ["a paragraph in Arabic", "مرحبا، بالعالم.", ".markdown p", [fromRight]],
  [
    "paragraphs in both directions",
    "One.\n\nשלום, עולם.\n\nTwo, שלום.",
    ".markdown p",
    [fromLeft, fromRight, fromLeft],
  ],
  ["a paragraph that begins with code", "`foo()` היא פונקציה.", ".markdown p", [fromRight]],
  ["a heading", "# כותרת, אחת.", ".heading", [fromRight]],
  ["items of a list", "- אחת, שתיים.\n- שלוש, ארבע.", "li", [fromRight, fromRight]],
  ["an item that begins with code", "- `foo()` היא פונקציה.", "li", [fromRight]],
  ["an English item among others", "- אחת, שתיים.\n- English.", "li", [fromRight, "at the right, goes right"]],
  ["an item of an English list", "- English.\n- אחת, שתיים.", "li", [fromLeft, "at the left, goes left"]],
  ["a quotation", "> ציטוט, אחד.", "blockquote p", [fromRight]],
  ["a cell of a table", "| עמודה ארוכה מאוד |\n|---|\n| א, ב. |", "td", [fromRight]],
  ["a long paragraph", "שלום, עולם. ".repeat(200), ".markdown p", [fromRight]],
  ["words after a bidi override character", "\u202eOne, two.", ".markdown p", [fromLeft]],
  ["code", "שלום.\n\n```\nx = 1; // שלום\n```", "pre code", [fromLeft]],
  ["code in a list", "- שלום.\n\n  ```\n  x = 1;\n  ```", "pre code", [fromLeft]],
  ["code in words", "שלום, `x = 1;`", "p code", ["at the left, goes right"]],
];

describe("webview: right-to-left text", function () {
  this.timeout(60_000);
  let opened: WebviewPage;
  useWebview((page) => (opened = page));

  /** The edge nearest to each element's first line, and its direction: the side of the first letter on which the last is. */
  const waysOf = (selector: string): Promise<readonly string[]> =>
    opened.page.locator(selector).evaluateAll((elements) =>
      elements.map((element) => {
        const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        const letters: DOMRect[] = [];
        const range = document.createRange();
        for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
          for (let at = 0; at < (text.nodeValue ?? "").trimEnd().length; at++) {
            range.setStart(text, at);
            range.setEnd(text, at + 1);
            letters.push(range.getBoundingClientRect());
          }
        const [first = new DOMRect()] = letters;
        const line = letters.filter(({ top }) => top < first.bottom - 4);
        const box = element.getBoundingClientRect();
        const toLeft = Math.min(...line.map(({ left }) => left)) - box.left;
        const toRight = box.right - Math.max(...line.map(({ right }) => right));
        const goesLeft = (line.at(-1) ?? first).left < first.left;
        return `at the ${toRight < toLeft ? "right" : "left"}, goes ${goesLeft ? "left" : "right"}`;
      }),
    );

  for (const [title, text, selector, ways] of blocks)
    it(`aligns ${title} by its own direction`, async () => {
      await opened.show(view([answer(1, text)]));
      assert.deepEqual(await waysOf(selector), ways);
    });

  it("puts bullets, the quotation bar and the first table column on the right", async () => {
    const text = "- אחת\n\n1. אחת\n\n> ציטוט\n\n| אחת | שתיים |\n|---|---|\n| 1 | 2 |";
    const edgesOf = (): Promise<readonly string[]> =>
      opened.page.evaluate(() => {
        const [list, numbers, quote] = [...document.querySelectorAll(".markdown :is(ul, ol, blockquote)")];
        const [first, second] = [...document.querySelectorAll("th")].map((cell) => cell.getBoundingClientRect());
        if (!list || !numbers || !quote || !first || !second) throw new Error("not drawn");
        const insets = (element: Element): string => {
          const { paddingLeft, paddingRight, borderLeftWidth, borderRightWidth } = getComputedStyle(element);
          return [borderLeftWidth, paddingLeft, paddingRight, borderRightWidth].join(" ");
        };
        return [list, numbers, quote].map(insets).concat(`first column ${first.left < second.left ? "left" : "right"}`);
      });
    await opened.show(view([answer(1, text)]));
    assert.deepEqual(await edgesOf(), [
      "0px 0px 20px 0px",
      "0px 0px 20px 0px",
      "0px 0px 12px 2px",
      "first column right",
    ]);
    await opened.show(view([answer(1, text.replace(/[א-ת]+/g, "one"))]));
    assert.deepEqual(await edgesOf(), [
      "0px 20px 0px 0px",
      "0px 20px 0px 0px",
      "2px 12px 0px 0px",
      "first column left",
    ]);
  });

  it("aligns user messages and streaming answers by their direction", async () => {
    await opened.show(view([user(0, "שלום, עולם.\nOne."), streaming("step_1", "שלום, עולם.")]));
    assert.deepEqual(await waysOf(".typed, .growing p"), [fromRight, fromRight]);
  });

  it("aligns thoughts and queued messages by their direction", async () => {
    const items = [{ queueId: "step_1", text: "שלום, עולם." }];
    await opened.show(view([answer(0, "Well.", { thinking: "שלום, עולם." })], { queue: { items, isHeld: false } }));
    await opened.page.getByRole("button", { name: "Thoughts" }).click();
    assert.deepEqual(await waysOf(".thoughts"), [fromRight]);
    assert.match((await waysOf(".queued bdi"))[0] ?? "", /goes left$/);
  });

  it("aligns a summary, its facts and its originals by their direction", async () => {
    const facts = [{ title: "Decisions", facts: ["שלום, עולם."] }];
    await opened.show(view([summary(1)]));
    await opened.page.locator(".summary-line").click();
    await opened.say({ kind: "summaryDetail", summaryId: 1, detail: summaryDetail("שלום, עולם.", { facts }) });
    await opened.page.locator(".card-body .markdown p").waitFor();
    assert.deepEqual(await waysOf(".card-body .markdown p"), [fromRight]);
    await opened.page.getByRole("tab", { name: /^Added facts/ }).click();
    assert.deepEqual(await waysOf(".facts li"), [fromRight]);
    await opened.page.getByRole("tab", { name: /^Originals/ }).click();
    const messages = [original(120, "user", "שלום, עולם."), original(121, "assistant", "שלום, עולם.")];
    await opened.say({ kind: "summaryOriginals", summaryId: 1, originals: { from: 0, messages, total: 2 } });
    await opened.page.locator(".original").first().waitFor();
    assert.deepEqual(await waysOf(".from-user > .original-text, .from-assistant p"), [fromRight, fromRight]);
  });

  it("aligns the draft and attachment names by their direction", async () => {
    const chip: AttachmentView = {
      attachmentId: "a",
      kind: "pasted",
      label: "שלום, עולם.",
      tokens: 4,
      isExcluded: false,
    };
    await opened.show(view([], { attachments: [chip] }));
    assert.match((await waysOf(".chip-label"))[0] ?? "", /goes left$/);
    /** Offset of the letter nearest to the field's right edge. */
    const atRight = (): Promise<number | undefined> =>
      opened.composer.evaluate((field) => {
        const { right, top } = field.getBoundingClientRect();
        return document.caretPositionFromPoint(right - 12, top + 16)?.offset;
      });
    await opened.composer.fill("שלום, עולם.");
    assert.equal(await atRight(), 0);
    await opened.composer.fill("Hello, world.");
    assert.equal(await atRight(), 13);
  });

  describe("E:directions what is seen is what runs", () => {
    /** The texts in the order in which they are seen, from left to right. */
    const seenOrder = (selector: string, texts: readonly string[]): Promise<readonly string[]> =>
      opened.page
        .locator(selector)
        .first()
        .evaluate((element, wanted) => {
          const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
          const places: [string, number][] = [];
          const range = document.createRange();
          for (let text = nodes.nextNode(); text !== null; text = nodes.nextNode()) {
            for (const each of wanted) {
              const at = (text.nodeValue ?? "").indexOf(each);
              if (at < 0) continue;
              range.setStart(text, at);
              range.setEnd(text, at + each.length);
              places.push([each, range.getBoundingClientRect().left]);
            }
          }
          return places.toSorted(([, one], [, other]) => one - other).map(([each]) => each);
        }, texts);
    const names = ["מקור", "יעד"];
    const question = (detail: string, look: "code" | "diff"): Parameters<typeof view>[0] => [
      streaming("step_1", "", {
        calls: [
          call("a", {
            title: 'Run mv "מקור" "יעד"',
            state: "asking",
            question: { folder: "", detail, look, scopes: ["once"] },
          }),
        ],
      }),
    ];
    for (const detail of ['mv "מקור" "יעד"', "mv מקור יעד", "mv 'מקור' יעד", "mv מקור,יעד", "mv a/מקור b/יעד"])
      it(`E:directions keeps the order of ${detail} in a question and its title`, async () => {
        await opened.show(view(question(detail, "code")));
        assert.deepEqual(await seenOrder(".question pre", names), names);
        assert.deepEqual(await seenOrder(".call-title", names), names);
      });
    it("E:directions keeps the order in the diff of an edit", async () => {
      await opened.show(view(question('-foo("מקור", 3, "יעד")', "diff")));
      assert.deepEqual(await seenOrder(".diff-line", ["-foo", "מקור", "יעד"]), ["-foo", "מקור", "יעד"]);
    });
    for (const [language, code] of [
      ["js", 'foo("מקור", 3, "יעד")'],
      ["", 'foo("מקור", 3, "יעד")'],
      ["sh", "mv מקור יעד"],
      ["js", "foo(מקור, יעד)"],
      ["js", "foo(/* מקור */ 1, /* יעד */ 2)"],
    ] as const)
      it(`E:directions keeps the order of ${code} in a code block (${language})`, async () => {
        await opened.show(view([answer(1, `\`\`\`${language}\n${code}\n\`\`\``)]));
        if (language !== "") await opened.page.locator("pre code span").first().waitFor();
        assert.deepEqual(await seenOrder("pre code", names), names);
      });
    it("E:directions keeps the order in code in words, and in the input of a call", async () => {
      await opened.show(view([answer(1, 'So: `foo("מקור", "יעד")`.', { calls: [call("a", { title: "Read it" })] })]));
      assert.deepEqual(await seenOrder("p code", names), names);
      await opened.page.getByRole("button", { name: "Read it" }).click();
      const detail = { input: '{ "a": "מקור", "b": "יעד" }', result: 'x = ["מקור", "יעד"]', isCut: false };
      await opened.say({ kind: "callDetail", rowId: "message-1", callId: "a", detail });
      await opened.page.getByRole("group", { name: "Result" }).waitFor();
      for (const part of ['[aria-label="Input"]', '[aria-label="Result"]'])
        assert.deepEqual(await seenOrder(`.call-detail ${part}`, names), names);
    });
  });
});

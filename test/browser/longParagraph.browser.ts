/** A paragraph that is parsed in pieces looks, copies and is searched like one paragraph. */
import assert from "node:assert/strict";
import { workTimeMs } from "../../bench/webview/workTime.ts";
import { answer, status, streaming, user, view } from "./support/viewBuilders.ts";
import { useWebview } from "./support/useWebview.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

const sentence = "Some words of a sentence, with **bold ones**, `code` and a [link](https://a.example/x) to src/a.ts.";
const shown = "Some words of a sentence, with bold ones, code and a link to src/a.ts.";
const count = 200;
const text = Array.from({ length: count }, () => sentence).join(" ");
const words = Array.from({ length: count }, () => shown).join(" ");

describe("webview: a very long paragraph", function () {
  this.timeout(60_000);
  let opened: WebviewPage;
  useWebview((page) => (opened = page));

  const paragraph = () => opened.page.locator(".message.assistant .chunk > *");

  /** Words that begin a line although they would have fit at the end of the line above. */
  const earlyBreaks = (): Promise<readonly string[]> =>
    paragraph()
      .first()
      .evaluate((block) => {
        const edge = block.getBoundingClientRect().right;
        const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
        const early: string[] = [];
        let above: DOMRect | undefined;
        for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
          for (const { index, 0: word } of (node.textContent ?? "").matchAll(/\S+/g)) {
            const range = document.createRange();
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            const box = range.getBoundingClientRect();
            const begins = above !== undefined && box.top - above.bottom > -4;
            // 16 px: a space, the punctuation after the word and the padding of code.
            if (begins && (above?.right ?? 0) + box.width + 16 < edge) early.push(`${String(box.top)}: ${word}`);
            above = box;
          }
        }
        return early;
      });

  const stream = async (): Promise<void> => {
    await opened.show(view([user(0, "Why?"), streaming("step_1")], { status: status({ activity: "streaming" }) }));
    for (let at = 0, turn = 0; at < text.length; at += 61, turn++) {
      await opened.say({ kind: "delta", rowId: "step_1", part: "text", text: text.slice(at, at + 61) });
      if (turn % 25 === 0) await opened.settle();
    }
    await opened.settle();
  };
  const whole = (): Promise<void> => opened.show(view([user(0, "Why?"), answer(1, text)]));

  for (const [how, draw] of [
    ["streamed", stream],
    ["complete", whole],
  ] as const) {
    it(`is a single block of text when ${how}`, async () => {
      await draw();
      assert.equal(await paragraph().count(), 1);
      assert.equal(await paragraph().innerText(), words);
      await paragraph().selectText();
      assert.equal(await opened.page.evaluate(() => document.getSelection()?.toString()), words);
      assert.deepEqual(await earlyBreaks(), []);
      assert.equal(await paragraph().locator("strong").count(), count);
      assert.equal(await paragraph().locator("a").count(), count);
    });
  }

  it("is separate from the paragraphs around it", async () => {
    await opened.show(view([answer(1, `Before.\n\n${text}\n\nAfter.`)]));
    assert.deepEqual(await paragraph().allInnerTexts(), ["Before.", words, "After."]);
  });

  it("keeps its selection while it grows", async () => {
    const begun = text.slice(0, 3000);
    await opened.show(view([streaming("step_1", begun)], { status: status({ activity: "streaming" }) }));
    await paragraph().locator("strong").first().selectText();
    await opened.say({ kind: "delta", rowId: "step_1", part: "text", text: text.slice(begun.length) });
    await opened.settle();
    assert.equal(await opened.page.evaluate(() => document.getSelection()?.toString()), "bold ones");
  });

  /** Of a sentence that is appended. */
  const appendMs = async (): Promise<number> => {
    const times: number[] = [];
    for (let turn = 0; turn < 9; turn++) {
      const more = async (): Promise<void> => {
        await opened.say({ kind: "delta", rowId: "step_1", part: "text", text: ` ${sentence}` });
        await opened.settle();
      };
      times.push(await workTimeMs(opened.page, more));
    }
    return times.sort((one, other) => one - other)[4] ?? Infinity;
  };

  it("takes less than 4.5 times as long to append a sentence as one of a twentieth", async () => {
    const begun = Array.from({ length: 10 }, () => sentence).join(" ");
    await opened.show(view([streaming("step_1", begun)], { status: status({ activity: "streaming" }) }));
    const shortMs = await appendMs();
    await stream();
    const longMs = await appendMs();
    assert.ok(longMs < 4.5 * shortMs, `${longMs.toFixed(1)} ms, ${shortMs.toFixed(1)} ms`);
    assert.equal(await paragraph().count(), 1);
  });
});

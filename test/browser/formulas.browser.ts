/** Formulas in answers: rendered as MathML, without any cost before the first one. */
import assert from "node:assert/strict";
import { answer, streaming, user, view } from "./support/viewBuilders.ts";
import { useWebview } from "./support/useWebview.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

describe("webview: formulas", function () {
  this.timeout(60_000);
  let opened: WebviewPage;
  useWebview((page) => (opened = page));

  const loaded = (): Promise<boolean> =>
    opened.page.evaluate(() =>
      performance.getEntriesByType("resource").some(({ name }) => new URL(name).pathname === "/math.js"),
    );

  it("loads the formula parser only when the first formula is shown", async () => {
    await opened.show(view([user(0, "How much?"), answer(1, "It costs $5, and `$x$` is code.")]));
    await opened.settle();
    assert.equal(await loaded(), false);
    await opened.show(view([user(0, "How much?"), answer(1, "It is $\\frac{a}{b}$.")]));
    const math = opened.page.locator("math");
    await math.waitFor();
    assert.equal(await loaded(), true);
    assert.deepEqual(
      await math.evaluate((element) => {
        const [top, bottom] = [...element.querySelectorAll("mi")].map((letter) => letter.getBoundingClientRect());
        return [
          element.namespaceURI,
          element.querySelector("mfrac")?.namespaceURI,
          top !== undefined && bottom !== undefined && top.bottom <= bottom.top,
        ];
      }),
      ["http://www.w3.org/1998/Math/MathML", "http://www.w3.org/1998/Math/MathML", true],
    );
  });

  it("shows the source of a formula that does not parse or contains hidden characters", async () => {
    await opened.show(view([answer(1, "$x$, \\(y_\\), $$\\begin{nothing}$$ and $a\u202eb$")]));
    await opened.page.locator("math").waitFor();
    const shown = await opened.page.locator(".markdown code").allInnerTexts();
    assert.deepEqual([shown[0], shown[1], shown[2]?.includes("202E")], ["\\(y_\\)", "$$\\begin{nothing}$$", true]);
  });

  it("renders a formula when it is complete, and keeps its element while the answer streams", async () => {
    await opened.show(view([streaming("step_1", "So\n\n$$\nx^2\n")]));
    await opened.page.locator(".verbatim").getByText("$$ x^2").waitFor();
    await opened.say({ kind: "delta", rowId: "step_1", part: "text", text: "$$\nand" });
    await opened.page.locator("math").evaluate((element) => element.setAttribute("data-seen", "once"));
    await opened.say({ kind: "delta", rowId: "step_1", part: "text", text: " more\n\nof it" });
    await opened.page.getByText("of it").waitFor();
    assert.equal(await opened.page.locator('math[data-seen="once"]').count(), 1);
  });

  it("shows no scroll bar on a formula that fits", async () => {
    const tall = String.raw`\int_0^1 x\,dx = \frac{\frac12}{\sqrt{x_{y_z}}}`;
    const low = String.raw`\int_0^1 x\,dx = \frac12`;
    await opened.show(view([answer(1, `$$\n${tall}\n$$\n\n$$${low}$$`)]));
    const bars = await opened.page.locator(".formula").evaluateAll((formulas) =>
      formulas.map((formula) => {
        const { overflowX, overflowY } = getComputedStyle(formula);
        const [wide, high] = [formula.scrollWidth - formula.clientWidth, formula.scrollHeight - formula.clientHeight];
        return [overflowX === "auto" && wide > 0, overflowY === "auto" && high > 0, high <= 2];
      }),
    );
    const none = [false, false, true];
    assert.deepEqual(bars, [none, none]);
  });

  it("scrolls a formula that is wider than the view", async () => {
    await opened.page.setViewportSize({ width: 260, height: 600 });
    await opened.show(view([answer(1, `$$\n${"a + ".repeat(60)}b\n$$`)]));
    const widths = await opened.page
      .locator(".formula")
      .evaluate((element) => [element.scrollWidth > element.clientWidth, document.body.scrollWidth <= innerWidth]);
    assert.deepEqual(widths, [true, true]);
  });
});

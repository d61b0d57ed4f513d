import assert from "node:assert/strict";
import type { ContextItem } from "../../src/protocol/contextView.ts";
import { item, unfolded } from "./support/contextScenes.ts";
import { showScene } from "./support/scenes.ts";
import { summaryScenes } from "./support/summaryScenes.ts";
import { useWebview } from "./support/useWebview.ts";
import { view } from "./support/viewBuilders.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

describe("webview: focus in lists, forms and tabs", function () {
  this.timeout(60_000);
  let opened: WebviewPage;
  useWebview((page) => (opened = page));

  it("moves to the same button of the next list item when an item is removed", async () => {
    const [first, second, third] = [item(4, "You: One?"), item(6, "You: Two?"), item(8, "You: Three?")];
    await opened.show(view([], { context: unfolded({ recent: [first, second, third] }) }));
    const pins = opened.page.getByRole("button", { name: "Pin: always send it as it is" });
    const goesTo = async (recent: readonly ContextItem[], line: string): Promise<void> => {
      await opened.say({ kind: "context", context: unfolded({ recent }) });
      await opened.page.waitForFunction((expected) => {
        const button = document.activeElement;
        const name = button?.getAttribute("aria-label") ?? button?.textContent ?? "";
        return `${name}, ${button?.closest("li")?.querySelector(".item-name")?.textContent ?? "no item"}` === expected;
      }, line);
    };
    await pins.nth(1).focus();
    await goesTo([first, third], "Pin: always send it as it is, You: Three?");
    await goesTo([first], "30 more, no item"); // the button below the list
  });

  it("returns to the button that opened a form when the form closes", async () => {
    const scene = summaryScenes["summary"] ?? assert.fail("an opened summary");
    await showScene(opened, "summary", scene);
    for (const name of ["Edit", "Regenerate"]) {
      await opened.page.getByRole("button", { name, exact: true }).focus();
      await opened.page.keyboard.press("Enter");
      await opened.page.getByRole("button", { name: "Cancel", exact: true }).waitFor();
      await opened.page.keyboard.press("Escape");
      await opened.page.locator(`button:focus:text-is("${name}")`).waitFor();
    }
  });

  it("moves through the tabs of a summary by arrow keys, Home and End, and selects each", async () => {
    await showScene(opened, "summary", summaryScenes["summary"] ?? assert.fail("an opened summary"));
    await opened.page.getByRole("tab", { name: "Summary" }).focus();
    for (const [key, tab] of [
      ["End", "versions"],
      ["ArrowRight", "summary"],
      ["ArrowLeft", "versions"],
      ["Home", "summary"],
      ["ArrowRight", "facts"],
    ] as const) {
      await opened.page.keyboard.press(key);
      await opened.page.locator(`[role=tab]:focus[data-tab=${tab}][aria-selected=true]`).waitFor();
      assert.equal(await opened.page.locator("[role=tab][tabindex='0']").count(), 1);
    }
    await opened.page.keyboard.press("Alt+End"); // no key of the tabs
    await opened.page.locator("[role=tab]:focus[data-tab=facts]").waitFor();
  });
});

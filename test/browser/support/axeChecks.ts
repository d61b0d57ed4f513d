/** Every state of the page: no axe violation, nothing cut off, and a picture to look at. */
import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { allScenes } from "./allScenes.ts";
import { axeViolations } from "./axeViolations.ts";
import { showScene } from "./scenes.ts";
import { useWebview } from "./useWebview.ts";
import type { ThemeName } from "./webviewPage.ts";

const pictures = path.resolve(import.meta.dirname, "../../../.vscode-test/screenshots/webview");
const widths = [260, 400, 900];

/** Looks at every state in these themes and in each width. A file of tests takes two themes: files run beside each other. */
export function describeEveryState(themes: readonly ThemeName[]): void {
  describe(`webview: every state, ${themes.join(" and ")}`, function () {
    this.timeout(120_000);
    const webview = useWebview(() => undefined);
    before(async () => {
      await mkdir(pictures, { recursive: true });
    });

    for (const theme of themes) {
      for (const width of widths) {
        it(`has no axe violation in ${theme} at ${String(width)} px`, async () => {
          const opened = await webview.open({ theme, width, height: 800 });
          for (const [name, scene] of Object.entries(allScenes)) {
            await showScene(opened, name, scene);
            // Contrast is most of the work and has nothing to do with the width; at 900 px nothing is left out.
            const found = await axeViolations(opened.page, width === 900 ? [] : ["color-contrast"]);
            assert.deepEqual({ scene: name, found }, { scene: name, found: [] });
            const wide = await opened.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            assert.ok(wide <= 0, `${name} is ${String(wide)} px too wide`);
            await opened.page.screenshot({ path: path.join(pictures, `${name}-${theme}-${String(width)}.png`) });
          }
        });
      }
    }
  });
}

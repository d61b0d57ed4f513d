import assert from "node:assert/strict";
import { allScenes } from "./allScenes.ts";
import { axeViolations } from "./axeViolations.ts";
import { arePicturesTaken } from "../../support/runOptions.ts";
import { picture } from "./picture.ts";
import { showScene } from "./scenes.ts";
import { useWebview } from "./useWebview.ts";
import type { ThemeName } from "./webviewPage.ts";

const widths = [260, 400, 900];

/** A theme whose borders are those of a dark one: at other widths only colors would differ. */
const isLight = (theme: ThemeName): boolean => theme.toLowerCase().includes("light");

/** Checks every scene in these themes, and in the dark ones at each width. A test file takes two themes, since files run in parallel. */
export function describeEveryState(themes: readonly ThemeName[]): void {
  describe(`webview: every scene, ${themes.join(" and ")}`, function () {
    this.timeout(120_000);
    const webview = useWebview(() => undefined);

    for (const theme of themes) {
      for (const width of arePicturesTaken || !isLight(theme) ? widths : [900]) {
        it(`fits and is accessible in ${theme} at ${String(width)} px`, async () => {
          const opened = await webview.open({ theme, width, height: 800 });
          for (const [name, scene] of Object.entries(allScenes)) {
            await showScene(opened, name, scene);
            // The contrast rule takes most of the time and does not depend on the width: it runs at 900 px only.
            const found = await axeViolations(opened.page, width === 900 ? [] : ["color-contrast"]);
            assert.deepEqual({ scene: name, found }, { scene: name, found: [] });
            const wide = await opened.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            assert.ok(wide <= 0, `${name} is ${String(wide)} px too wide`);
            await picture(opened.page, `${name}-${theme}-${String(width)}`);
          }
        });
      }
    }
  });
}

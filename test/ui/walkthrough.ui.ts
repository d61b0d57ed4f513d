import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import manifest from "../../package.json" with { type: "json" };
import { until } from "../../scripts/vscode/until.ts";
import { offline, openChat } from "./support/chat.ts";
import { inEachTheme, picture } from "./support/pictures.ts";
import { useSession } from "./support/session.ts";
import { pick, runCommand } from "./support/workbench.ts";

describe("the walkthrough", function () {
  this.timeout(120_000);
  const session = useSession({ name: "walkthrough-shown" });

  /** File name of the picture on show, once it is loaded. */
  async function pictureOf(page: Page, step: string): Promise<string | undefined> {
    const picture = page.locator(".getting-started-media img").first();
    return until(async () => {
      const shown = await picture
        .evaluate(
          (image) => (image instanceof HTMLImageElement && image.naturalWidth > 0 ? image.currentSrc : ""),
          undefined,
          { timeout: 1_000 },
        )
        .catch(() => ""); // another picture takes its place
      const name = /([\w-]+)\.png/.exec(decodeURIComponent(shown))?.[1];
      return name?.startsWith(`${step}-`) === true ? name : undefined;
    });
  }

  it("has a picture of each step, in the colors of the theme", async () => {
    const page = await session.openWindow();
    await page.setViewportSize({ width: 1_500, height: 900 }); // in a narrow window there are no pictures
    await openChat(page, offline);
    await runCommand(page, "Welcome: Open Walkthrough...");
    await pick(page, "Get Started with Forge");
    const steps = manifest.contributes.walkthroughs.flatMap((walkthrough) => walkthrough.steps.map(({ id }) => id));
    const shown: (string | undefined)[] = [];
    for (const step of steps) {
      await page.locator(`.gettingStartedContainer [data-step-id$="#${step}"]`).first().click();
      shown.push(await pictureOf(page, step));
    }
    assert.deepEqual(
      shown,
      steps.map((step) => `${step}-light`),
    );
    await inEachTheme(page, async (name) => {
      assert.equal(await pictureOf(page, "bring"), `bring-${name}`);
      await picture(page, `walkthrough-${name}`);
    });
  });
});

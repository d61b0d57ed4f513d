import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { until } from "../../../scripts/vscode/until.ts";
import { windowTimeoutMs } from "./browser.ts";

/** Opens the light bulb at the position that `goThere` selects. Returns the menu item called `title`. */
export async function openLightBulb(page: Page, title: string, goThere: () => Promise<void>): Promise<Locator> {
  await goThere();
  await page.locator('.editor-instance [class*="lightbulb"]').filter({ visible: true }).first().waitFor();
  const entry = page.locator(".action-widget .monaco-list-row", { hasText: title });
  const isOffered = await until(async () => {
    await goThere(); // again, since Escape below clears a selection
    await page.keyboard.press("Control+.");
    const isThere = await entry.waitFor({ timeout: 3_000 }).then(
      () => true,
      () => false, // the menu opened before all providers had answered
    );
    if (!isThere) await page.keyboard.press("Escape");
    return isThere || undefined;
  }, windowTimeoutMs);
  assert.ok(isOffered, `${title} is not offered`);
  return entry;
}

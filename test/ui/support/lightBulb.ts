/** The editor's light bulb, in the file that has the keyboard. */

import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { until } from "../../../scripts/vscode/until.ts";
import { windowTimeoutMs } from "./browser.ts";

/** Opens its menu where `goThere` brings the keyboard, and answers the entry in it that is called `title`. */
export async function openLightBulb(page: Page, title: string, goThere: () => Promise<void>): Promise<Locator> {
  await goThere();
  await page.locator('.editor-instance [class*="lightbulb"]').filter({ visible: true }).first().waitFor();
  const entry = page.locator(".action-widget .monaco-list-row", { hasText: title });
  const isOffered = await until(async () => {
    await goThere(); // Escape, below, takes a selection away
    await page.keyboard.press("Control+.");
    const isThere = await entry.waitFor({ timeout: 3_000 }).then(
      () => true,
      () => false, // the menu was asked for before all had said what they offer
    );
    if (!isThere) await page.keyboard.press("Escape");
    return isThere || undefined;
  }, windowTimeoutMs);
  assert.ok(isOffered, `${title} is not offered`);
  return entry;
}

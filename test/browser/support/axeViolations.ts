import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** One violation, with axe's failure text for each element. */
export interface AxeViolation {
  readonly id: string;
  readonly nodes: readonly string[];
}

/** Checks the current page by all rules but `leftOut`. */
export async function axeViolations(page: Page, leftOut: readonly string[] = []): Promise<readonly AxeViolation[]> {
  // Loading axe (two times half a megabyte) takes longer than the check itself: once per page is enough.
  const isLoaded = await page.evaluate(() => "axe" in window);
  const { violations } = await new AxeBuilder({ page, ...(isLoaded ? { axeSource: ";" } : {}) })
    .setLegacyMode(true)
    .options({ resultTypes: ["violations"] })
    .disableRules([...leftOut])
    .analyze();
  return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ failureSummary = "" }) => failureSummary) }));
}

/** What axe finds wrong with a page. */
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** One violation, with axe's words for each element. */
export interface AxeViolation {
  readonly id: string;
  readonly nodes: readonly string[];
}

/** Looks at the page as it is, by every rule but those that are left out. */
export async function axeViolations(page: Page, leftOut: readonly string[] = []): Promise<readonly AxeViolation[]> {
  // To load axe, half a megabyte twice for each look, takes longer than the look: once for each page is enough.
  const isLoaded = await page.evaluate(() => "axe" in window);
  const { violations } = await new AxeBuilder({ page, ...(isLoaded ? { axeSource: ";" } : {}) })
    .setLegacyMode(true)
    .options({ resultTypes: ["violations"] })
    .disableRules([...leftOut])
    .analyze();
  return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ failureSummary = "" }) => failureSummary) }));
}

import path from "node:path";
import type { Page } from "playwright-core";
import { arePicturesTaken } from "../../support/runOptions.ts";

const folder = path.resolve(import.meta.dirname, "../../../.vscode-test/screenshots/webview");

/** Saves `NAME.png` for people, if pictures are taken. */
export async function picture(page: Page, name: string): Promise<void> {
  if (arePicturesTaken) await page.screenshot({ path: path.join(folder, `${name}.png`) });
}

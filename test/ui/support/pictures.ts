/** Pictures of the editor for people who look at them. They are half the work of these tests, so a run takes none by itself. */

import type { Locator, Page } from "playwright-core";
import { arePicturesTaken } from "../../support/runOptions.ts";
import { narrowSideBar } from "./chat.ts";
import { chooseTheme, screenshot } from "./workbench.ts";

/** With the ends of the pictures' names. */
const THEMES = [
  ["dark", "Dark Modern"],
  ["light", "Light Modern"],
  ["hc", "Dark High Contrast"],
] as const;

export async function picture(page: Page, name: string): Promise<void> {
  if (arePicturesTaken) await screenshot(page, name);
}

/** Takes `NAME-THEME-WIDTH` in each theme, with a side bar of 400 and 260 px, and `place` in the middle. */
export async function picturesOfSideBar(page: Page, name: string, place?: Locator): Promise<void> {
  if (!arePicturesTaken) return;
  await inEachTheme(page, async (end) => {
    for (const widthPx of [400, 260]) {
      await narrowSideBar(page, widthPx);
      await place?.evaluate((element) => {
        element.scrollIntoView({ block: "center" });
      });
      await screenshot(page, `${name}-${end}-${String(widthPx)}`);
    }
  });
}

/** Calls `look` with the end of a picture's name: in each theme, or once in the theme of the window without pictures. */
export async function inEachPicture(page: Page, look: (end: string) => Promise<void>): Promise<void> {
  if (arePicturesTaken) await inEachTheme(page, look);
  else await look("");
}

/** For what depends on the theme, such as contrast. */
export async function inEachTheme(page: Page, look: (end: string) => Promise<void>): Promise<void> {
  for (const [end, theme] of THEMES) {
    await chooseTheme(page, theme);
    await look(end);
  }
}

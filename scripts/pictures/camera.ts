/** Takes areas of the workbench as small PNGs. */

import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Locator, Page } from "playwright-core";
import { projectDirectory } from "../command.ts";
import { smallPng } from "./smallPng.ts";

/** Captured area of the window, in CSS pixels. */
export interface Clip {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Writes `file`, and returns its size in bytes. Throws when it has more than `limitBytes`. */
export async function take(
  page: Page,
  file: string,
  limitBytes: number,
  clip?: Clip,
  colours?: number,
): Promise<number> {
  await page.mouse.move(1, 1); // so that nothing is hovered
  const taken = await page.screenshot({
    animations: "disabled",
    caret: "hide",
    ...(clip === undefined ? {} : { clip }),
  });
  const picture = smallPng(taken, colours);
  writeFileSync(file, picture);
  const size = picture.length;
  console.log(`${path.relative(projectDirectory, file)}: ${Math.round(size / 1000)} kB`);
  if (size > limitBytes) throw new Error(`${file} has ${size} bytes, and ${limitBytes} are allowed`);
  return size;
}

export async function boxOf(locator: Locator): Promise<Clip> {
  const box = await locator.boundingBox();
  if (box === null) throw new Error(`${String(locator)} is not there`);
  return box;
}

export function around({ x, y, width, height }: Clip, pixels: number): Clip {
  return { x: x - pixels, y: y - pixels, width: width + 2 * pixels, height: height + 2 * pixels };
}

/** Widens the side bar, so that a line of code fits. */
export async function widenSideBar(page: Page, widthPixels: number): Promise<void> {
  const { x, width } = await boxOf(page.locator(".part.sidebar"));
  await page.mouse.move(x + width, 400);
  await page.mouse.down();
  await page.mouse.move(x + widthPixels, 400, { steps: 8 });
  await page.mouse.up();
}

/** Words on problems, for models and on cards. */

import { onOneLine } from "../hiddenText.ts";

/** "src/a.ts:3:5", "a.ipynb, cell 2:3:5". Everything is counted from 1. */
export function problemPlace(
  path: string,
  { cell, line, column }: { readonly cell?: number | undefined; readonly line: number; readonly column: number },
): string {
  return `${path}${cell === undefined ? "" : `, cell ${cell}`}:${line}:${column}`;
}

/** The message on one line, and who says it. */
export function problemMessage(message: string, source: string): string {
  const lines = message.split("\n").map((line) => line.trim());
  const words = onOneLine(lines.filter((line) => line !== "").join(" "), 500);
  return source === "" ? words : `${words} (${onOneLine(source)})`;
}

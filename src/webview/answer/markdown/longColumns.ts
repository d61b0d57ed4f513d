import type { Inline, Table } from "./markdownTree.ts";

/** Cells with more characters should wrap onto a few lines, not onto one line per word. */
const longWords = 24;

/** Which columns contain sentences: they must stay wide enough to read where the others leave little room. */
export function longColumns({ header, rows }: Table): readonly boolean[] {
  return header.map((title, column) =>
    [title, ...rows.map((row) => row[column] ?? [])].some((cell) => lengthOf(cell) > longWords),
  );
}

function lengthOf(inlines: readonly Inline[]): number {
  let length = 0;
  for (const inline of inlines) {
    if ("inlines" in inline) length += lengthOf(inline.inlines);
    else if (inline.kind === "text" || inline.kind === "code") length += inline.text.length;
  }
  return length;
}

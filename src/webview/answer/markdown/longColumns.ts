import type { Inline, Table } from "./markdownTree.ts";

/** Words of more characters than this are to stand on a few lines, not on one for each of them. */
const longWords = 24;

/** Which columns of a table hold sentences: they must stay wide enough to be read where the others leave them no room. */
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

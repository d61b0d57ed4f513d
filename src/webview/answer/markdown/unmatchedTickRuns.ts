/** Tick runs that begin no code, as no equal run follows: for each, the lexer scans all text after it. Pure; linear. */
export function unmatchedTickRuns(text: string): number {
  const rows = [...text.matchAll(/`+/g)].map(({ 0: row, index }) => ({ index, length: row.length }));
  const last = new Map(rows.map(({ index, length }) => [length, index]));
  let count = 0;
  let codeEnd = 0;
  let place = 0;
  // After a backslash a tick is literal; in code a backslash is literal.
  for (const { 0: found, index } of rows.length === 0 ? [] : text.matchAll(/\\[^`]|\\?`+/g)) {
    const start = Math.max(codeEnd, index + (found.startsWith("\\") ? 2 : 0));
    const length = index + found.length - start;
    if (length <= 0 || index < codeEnd) continue;
    if ((last.get(length) ?? 0) <= start) {
      count++;
      continue;
    }
    let row = rows[place];
    while (row !== undefined && (row.index <= start || row.length !== length)) row = rows[++place];
    if (row !== undefined) codeEnd = row.index + length;
  }
  return count;
}

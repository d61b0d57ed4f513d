/** Label of a long pasted text: what distinguishes it from other attachments, for the program and for models. */

/** In English: it is stored, and models read it. */
export function pastedLabel(text: string): string {
  const lines = countLines(text);
  return lines === 1 ? "Pasted text, 1 line" : `Pasted text, ${String(lines)} lines`;
}

/** Number of lines in a {@link pastedLabel}; `undefined` for any other label. */
export function pastedLines(label: string): number | undefined {
  const [, lines] = /^Pasted text, (\d{1,9}) lines?$/.exec(label) ?? [];
  return lines === undefined ? undefined : Number(lines);
}

/** A trailing line break starts no new line. */
function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < text.length - 1; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

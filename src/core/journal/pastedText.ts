/** The name of a long text that the user pasted into a message: told from other attachments by it, as models are. */

/** The label of such a text, with its lines. In English: it is stored, and models read it. */
export function pastedLabel(text: string): string {
  const lines = countLines(text);
  return lines === 1 ? "Pasted text, 1 line" : `Pasted text, ${String(lines)} lines`;
}

/** The lines that {@link pastedLabel} counted; `undefined` for the label of anything else. */
export function pastedLines(label: string): number | undefined {
  const [, lines] = /^Pasted text, (\d{1,9}) lines?$/.exec(label) ?? [];
  return lines === undefined ? undefined : Number(lines);
}

/** A line break at the end begins no line. */
function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < text.length - 1; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

/** Text without the blank lines at its end, which a selection of whole blocks and most answers have. Pure; linear. */
export function withoutBlankEnd(text: string): string {
  const end = text.trimEnd().length;
  const lineEnd = end === 0 ? -1 : text.slice(end).search(/\r?\n/);
  return lineEnd < 0 ? text : text.slice(0, end + lineEnd);
}

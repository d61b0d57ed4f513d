/** Head and tail of a text that is too long to be shown whole. */

/** The text itself, or its head (two thirds) and tail with a line between that says how much is left out. */
export function excerpt(text: string, longestUnits: number): string {
  if (text.length <= longestUnits) return text;
  const headEnd = withoutHalf(text, Math.floor((longestUnits * 2) / 3));
  const tailStart = withoutHalf(text, text.length - Math.floor(longestUnits / 3));
  return `${text.slice(0, headEnd)}\n… ${tailStart - headEnd} characters left out …\n${text.slice(tailStart)}`;
}

/** The position itself, or the one before it when it would part a surrogate pair. */
function withoutHalf(text: string, position: number): number {
  const unit = text.charCodeAt(position);
  return unit >= 0xdc00 && unit < 0xe000 ? position - 1 : position;
}

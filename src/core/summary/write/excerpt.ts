/** The text or, when too long, its head (two thirds) and tail with the number of omitted characters between. */
export function excerpt(text: string, longestUnits: number): string {
  if (text.length <= longestUnits) return text;
  const headEnd = withoutHalf(text, Math.floor((longestUnits * 2) / 3));
  const tailStart = withoutHalf(text, text.length - Math.floor(longestUnits / 3));
  return `${text.slice(0, headEnd)}\n… ${tailStart - headEnd} characters left out …\n${text.slice(tailStart)}`;
}

/** Moves a position that would split a surrogate pair back by one. */
function withoutHalf(text: string, position: number): number {
  const unit = text.charCodeAt(position);
  return unit >= 0xdc00 && unit < 0xe000 ? position - 1 : position;
}

/** Writes a count of tokens the way all of Forge does: 412, 2.1k, 61k, 1.2M. Whole thousands lose the decimal. */
export function tokenFigure(tokens: number): string {
  if (tokens < 1000) return String(Math.max(0, Math.round(tokens)));
  if (tokens < 9950) return `${oneDecimal(tokens / 1000)}k`;
  if (tokens < 999_500) return `${String(Math.round(tokens / 1000))}k`;
  return `${oneDecimal(tokens / 1_000_000)}M`;
}

function oneDecimal(value: number): string {
  return value.toFixed(1).replace(/\.0$/, "");
}

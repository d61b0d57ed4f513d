import { formatDecimal } from "../../protocol/numberFormat.ts";

/** Forge's format for token counts: 412, 2.1k, 61k, 1.2M. Whole thousands have no decimal. */
export function formatTokenCount(tokens: number): string {
  if (tokens < 1000) return String(Math.max(0, Math.round(tokens)));
  if (tokens < 9950) return `${formatDecimal(tokens / 1000, 1, 0)}k`;
  if (tokens < 999_500) return `${String(Math.round(tokens / 1000))}k`;
  return `${formatDecimal(tokens / 1_000_000, 1, 0)}M`;
}

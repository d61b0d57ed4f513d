import type { UsageView } from "../../protocol/usageView.ts";
import { formatTokenCount } from "../words/formatTokenCount.ts";
import { words } from "../words/words.ts";

interface MeterProps {
  readonly usage: UsageView;
  /** Null while they are being counted. */
  readonly draftTokens: number | null;
}

/** Upper edge of the composer: what fills the window, in proportion. The colours mean the same everywhere. */
export function Meter({ usage, draftTokens }: MeterProps) {
  const budget = Math.max(usage.budgetTokens, usage.usedTokens, 1);
  const width = (tokens: number) => ({ width: `${String((100 * tokens) / budget)}%` });
  return (
    <div class="meter" aria-hidden="true">
      {usage.segments.map((segment) => (
        <div key={segment.kind} class={`segment fill-${segment.kind}`} style={width(segment.tokens)} />
      ))}
      {draftTokens === null ? null : <div class="segment fill-draft" style={width(draftTokens)} />}
    </div>
  );
}

/** The meter in words, one line per segment; tooltip of the figure. */
export function meterTooltip(usage: UsageView, draftTokens: number | null): string {
  const free = Math.max(0, usage.budgetTokens - usage.usedTokens);
  return [
    words.usage(usage.text),
    ...usage.segments.map((segment) => `${words.segments[segment.kind]} ${formatTokenCount(segment.tokens)}`),
    ...(draftTokens === null || draftTokens === 0 ? [] : [`${words.segmentDraft} ${formatTokenCount(draftTokens)}`]),
    `${words.segmentFree} ${formatTokenCount(free)}`,
    usage.measured ? words.usageMeasured : words.usageEstimated,
  ].join("\n");
}

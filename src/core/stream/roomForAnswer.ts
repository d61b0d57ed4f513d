/** What is left for an answer where the question turned out to be longer than it was counted. */

/** What a request was planned with, in tokens. */
export interface PlannedTokens {
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
}

/**
 * The longest answer, in tokens, for which a refusal says that there is room; `undefined` where it does not say it, where the
 * window is smaller than it was thought to be, or where so little is left that the conversation has to be shortened.
 */
export function roomForAnswer(message: string, planned: PlannedTokens): number | undefined {
  for (const pattern of TOLD_SIZES) {
    const { window, input, total = input, output = "0" } = pattern.exec(message)?.groups ?? {};
    const windowTokens = countOf(window);
    const room = windowTokens - (countOf(total) - countOf(output));
    const isWorthIt = room < planned.maxOutputTokens && room >= planned.maxOutputTokens / LEAST_PART;
    if (windowTokens >= planned.contextWindow && isWorthIt) return room;
  }
  return undefined;
}

/** With less than a quarter of what was to be there, an answer would often be cut. */
const LEAST_PART = 4;

/** OpenAI and many more, OpenRouter; vLLM; Anthropic. */
const TOLD_SIZES: readonly RegExp[] = [
  /maximum context length is (?<window>[\d,]+) tokens.{0,20}\byou requested (?:about )?(?<total>[\d,]+) tokens \(.{0,80}?(?<output>[\d,]+) in the (?:completion|output)/i,
  /maximum context length is (?<window>[\d,]+) tokens and your request has (?<input>[\d,]+) input tokens/i,
  /exceed context limit: (?<input>[\d,]+) \+ [\d,]+ > (?<window>[\d,]+)/i,
];

function countOf(told = ""): number {
  return told === "" ? Number.NaN : Number(told.replaceAll(",", ""));
}

/** Extracts facts of more than one word from a line: quantities, versions, dates, quotations and code spans. */

const UNITS =
  "ns|µs|us|ms|s|sec|secs|seconds?|min|mins|minutes?|h|hrs?|hours?|days?|weeks?|months?|years?|times|[KMGT]i?B|[kmgt]b|bytes?|bits?|[kM]bps|px|pt|rem|em|%|percent|°C|fps|Hz|[kMG]Hz|rpm|rps|qps|req/s|x";
const QUANTITY = new RegExp(
  String.raw`(?<![\w.,:/#@-])[$€£~≈<>≤≥+-]?\d{1,15}(?:[.,_]\d{1,9}){0,4}[kKM]?(?:\s?(?:${UNITS})(?![\w/])|\s[\p{L}][\p{L}_-]{2,24}(?:\s(?:per|a|an|each|pro)\s\p{L}{2,12}(?!\p{L}))?)`,
  "gu",
);
const MONEY = /[$€£]\s?\d{1,15}(?:[.,]\d{1,9}){0,4}[kKMB]?/g;
/** `port 8443`, `timeout: 30`, `max_retries = 7`, `limit of 120`. */
const ASSIGNED =
  /(?<![\w.])(?:[A-Za-z_][\w.-]{1,40}\s?[:=]\s?|(?:port|timeout|limit|budget|quota|threshold|maximum|minimum|max|min|line|page|row|column|issue|ticket|order|build|status|code|pid|size|level|depth|ttl|retries|workers|threads|batch size|pool size)\s(?:(?:is|of|to|at|was)\s)?)\d{1,15}(?:\.\d{1,9})?(?![\w.]*\w)/gi;
const MONTH =
  "(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)";
const DATE = new RegExp(
  String.raw`\b(?:\d{1,2}\.? ${MONTH}(?: \d{4})?|${MONTH} \d{1,2}(?:st|nd|rd|th)?(?:, ?\d{4})?)\b`,
  "g",
);
const QUOTATIONS: readonly RegExp[] = [
  /[“"„]([^"“”„]{10,240})["”“]/g,
  /(?<![\p{L}\d])['‘‚]([^'‘’‚\n]{10,240})['’](?![\p{L}\d])/gu,
  /[«»]([^«»]{10,240})[«»]/g,
  /[「『]([^「」『』]{4,240})[」』]/g,
];
/** A number more precise than usual in prose, such as a ratio. */
const EXACT = /(?<![\w.,:/#@-])\d{1,6}\.\d{2,9}(?![\w.]*\w)/g;
/** `Python 3.12`, `Node 22.4`; not when a unit follows. */
const NAMED_VERSION = new RegExp(
  String.raw`(?<![\w.])[A-Z][A-Za-z+#]{1,15} v?\d{1,3}\.\d{1,4}(?:\.\d{1,6})?(?![\w%]|\.\d|\s?(?:${UNITS})(?![\w/]))`,
  "g",
);
/** Words after a number that are no unit. */
const NO_MEASURE = /\s(?:and|but|for|from|the|then|than|was|were|are|has|have|with|will|und|oder|der|die|das)$/i;

/** Numbers with units and numbers assigned to a name, verbatim. */
export function quantitiesOf(line: string): readonly string[] {
  return [...measuresOf(line), ...matches(line, ASSIGNED), ...matches(line, EXACT)];
}

export function measuresOf(line: string): readonly string[] {
  return [...matches(line, QUANTITY).filter((text) => !NO_MEASURE.test(text)), ...matches(line, MONEY)];
}

/** Versions preceded by a name, including the name. */
export function namedVersionsOf(line: string): readonly string[] {
  return matches(line, NAMED_VERSION);
}

/** Dates with the month as a word. */
export function datesOf(line: string): readonly string[] {
  return matches(line, DATE);
}

export function quotationsOf(line: string, leastWords = 3): readonly string[] {
  if (!QUOTATION_MARK.test(line)) return [];
  const quoted = QUOTATIONS.flatMap((pattern) => matches(line, pattern, 1));
  return quoted.filter((text) => text.split(/\s+/).length >= leastWords || WITHOUT_BLANKS.test(text));
}

const QUOTATION_MARK = /[“"„”'‘‚’«»「『]/;

/** Scripts without spaces between words. */
const WITHOUT_BLANKS = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}，。、！？0-9A-Za-z ]{6,}$/u;

export function codeSpansOf(line: string): readonly string[] {
  return line.includes("`") ? matches(line, /`([^`]{1,300})`/g, 1) : [];
}

function matches(line: string, pattern: RegExp, group = 0): readonly string[] {
  return [...line.matchAll(pattern)].flatMap((match) => {
    const text = match[group]?.trim() ?? "";
    return text === "" ? [] : [text];
  });
}

/** Facts of more than one word in a line: quantities, dates in words, commands, errors, quotations, decisions. */

import type { Line } from "./lines.ts";

const UNITS =
  "ns|µs|us|ms|s|sec|secs|seconds?|min|mins|minutes?|h|hrs?|hours?|days?|weeks?|months?|years?|times|[KMGT]i?B|[kmgt]b|bytes?|bits?|[kM]bps|px|pt|rem|em|%|percent|°C|fps|Hz|[kMG]Hz|rpm|rps|qps|req/s|x";
const QUANTITY = new RegExp(
  String.raw`(?<![\w.,:/#@-])[$€£~≈<>≤≥+-]?\d{1,15}(?:[.,_]\d{1,9}){0,4}[kKM]?(?:\s?(?:${UNITS})(?![\w/])|\s[\p{L}][\p{L}_-]{2,24})`,
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
const QUOTATION = /[“"„]([^"“”„]{10,240})["”“]/g;
/** Words behind a number that it does not measure. */
const NO_MEASURE = /\s(?:and|but|for|from|the|then|than|was|were|are|has|have|with|will|und|oder|der|die|das)$/i;

/** Numbers with what they measure, and numbers that are given to something, as they stand in the line. */
export function quantitiesOf(line: string): readonly string[] {
  return [...measuresOf(line), ...matches(line, ASSIGNED)];
}

/** Numbers with what they measure, as they stand in the line. */
export function measuresOf(line: string): readonly string[] {
  return [...matches(line, QUANTITY).filter((text) => !NO_MEASURE.test(text)), ...matches(line, MONEY)];
}

/** Dates that are written with a month's name. */
export function datesOf(line: string): readonly string[] {
  return matches(line, DATE);
}

/** What stands in quotation marks and has at least three words. */
export function quotationsOf(line: string): readonly string[] {
  return matches(line, QUOTATION, 1).filter((text) => text.split(/\s+/).length >= 3);
}

/** What stands in backticks. */
export function codeSpansOf(line: string): readonly string[] {
  return matches(line, /`([^`]{1,300})`/g, 1);
}

const COMMAND_HEADS =
  /^(?:sudo |env |[A-Z_]{2,30}=\S{1,60} )?(?:npm|npx|pnpm|yarn|bun|deno|node|tsc|git|gh|docker|docker-compose|podman|kubectl|helm|terraform|aws|gcloud|az|cargo|rustc|go|python3?|pip3?|uv|poetry|pytest|make|cmake|gradle|\.\/gradlew|mvn|dotnet|ruby|bundle|rails|rake|php|composer|psql|mysql|sqlite3|redis-cli|mongosh|curl|wget|ssh|scp|rsync|ls|cd|cp|mv|rm|mkdir|chmod|chown|cat|grep|rg|sed|awk|find|tar|unzip|brew|apt|apt-get|systemctl|journalctl|code|vsce|jest|vitest|mocha|eslint|prettier|alembic|flyway|ansible(?:-playbook)?|\.\/[\w./-]{1,60})(?: |$)/;
const SHELLS = /^(?:sh|bash|shell|zsh|fish|console|powershell|ps1|terminal|cmd)\b/;
const PROMPT = /^(?:\$|>|PS>|#)\s+(?=\S)/;
const LONGEST_COMMAND_UNITS = 240;

/** Whether a text is a command line as one would type it: a known program and something more. */
export function isCommand(text: string): boolean {
  return text.length <= LONGEST_COMMAND_UNITS && COMMAND_HEADS.test(text) && text.includes(" ");
}

/** The command that a line of a shell listing holds. */
export function commandOf({ text, isCode, language }: Line): string | undefined {
  const command = text.replace(PROMPT, "");
  if (command.length > LONGEST_COMMAND_UNITS) return undefined;
  const isPrompted = command !== text && text.startsWith("$");
  const isShell = isCode && (SHELLS.test(language) || language === "");
  return (isPrompted && command !== "") || (isShell && isCommand(command)) ? command : undefined;
}

const ERROR =
  /(?:\b(?:[A-Z]\w{0,60})?(?:Error|Exception)\b(?:\s?\[[\w-]{1,40}\])?:|\b(?:error|fatal|panic|FATAL|ERROR|FAIL(?:ED|URE)?)\b(?:\s?(?:\[|TS\d|E\d|[A-Z]{1,4}\d{2,}|:)|\s+in\b|\s*$)|(?:error|warning) (?:TS|CS|E)\d{3,6}|\bE[A-Z]{4,15}\b[:,]|\bTraceback \(|npm ERR!|exit(?:ed with)? (?:code|status) [1-9]|[Ss]egmentation fault|[Cc]annot (?:find|read|resolve|open|access|import) |No such file or directory|[Pp]ermission denied|command not found|is not (?:defined|a function|assignable)|✗|✖)/;
const LONGEST_ERROR_UNITS = 200;

/** The error that a line reports: from its first telling word to the end of the line, or of the quotation that it stands in. */
export function errorOf(line: string): string | undefined {
  const match = ERROR.exec(line);
  if (match === null) return undefined;
  const rest = line.slice(match.index);
  const quote = /["`“]$/.exec(line.slice(0, match.index))?.[0];
  const end = quote === undefined ? -1 : rest.search(/["`”]/);
  const error = (end > 0 ? rest.slice(0, end) : rest).trim().slice(0, LONGEST_ERROR_UNITS).trim();
  return error.length >= 8 ? error : undefined;
}

const DECISION =
  /(?<![\p{L}])(?:decided|decision|we(?:'ll| will) (?:use|go with|keep|drop)|going with|settled on|chose|chosen|agreed|root cause|turned out|the reason is|because of this|rejected|ruled out|abandoned|does(?: not|n't) work|works now|fixed by|switched (?:from|to)|entschieden|beschlossen|décidé|decidido|решили|决定|決定|결정)(?![\p{L}])/iu;
const LONGEST_DECISION_UNITS = 300;

/** Whether a sentence tells a decision, a cause or what was given up. */
export function isDecision(sentence: string): boolean {
  return sentence.length >= 20 && sentence.length <= LONGEST_DECISION_UNITS && DECISION.test(sentence);
}

function matches(line: string, pattern: RegExp, group = 0): readonly string[] {
  return [...line.matchAll(pattern)].flatMap((match) => {
    const text = match[group]?.trim() ?? "";
    return text === "" ? [] : [text];
  });
}

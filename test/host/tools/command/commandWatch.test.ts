/** Verdicts on a command in a terminal, for every observed order of the editor's events, and for random ones. */

import assert from "node:assert/strict";
import fc from "fast-check";
import type { CommandEnd } from "../../../../src/host/tools/command/commandRun.ts";
import {
  LATE_EVENT_MS,
  CommandWatch,
  type TerminalEvent,
  type Verdict,
} from "../../../../src/host/tools/command/commandWatch.ts";

type Told = readonly [atMs: number, news: TerminalEvent];
/** Events by time in milliseconds. */
type News = Readonly<Record<number, TerminalEvent>>;

const SENT: Verdict = { kind: "sent" };
const RUNS: Verdict = { kind: "runs" };
const LINE = "npm test";

const begin = (isOurs = true): TerminalEvent => ({ kind: "started", isOurs });
const finish = (exitCode: number | undefined, { isOurs = true, line = LINE } = {}): TerminalEvent => ({
  kind: "ended",
  isOurs,
  line,
  exitCode,
});
const other = { isOurs: false };
const mark = (exitCode?: number): TerminalEvent => ({ kind: "marked", exitCode });
const closed = (exitCode?: number): TerminalEvent => ({ kind: "closed", exitCode });
const interrupted: TerminalEvent = { kind: "interrupted" };
const silent: TerminalEvent = { kind: "silent" };
const ended = (exitCode: number | undefined): CommandEnd => ({ kind: "ended", exitCode });
const over = (end: CommandEnd): Verdict => ({ kind: "over", end });

function inOrder(news: News): readonly Told[] {
  return Object.entries(news).map(([ms, one]) => [Number(ms), one]);
}

/** Replays the events and the waits between them; returns the final verdict and its time. */
function follow(told: readonly Told[]): { readonly verdict: Verdict; readonly atMs: number } {
  const watch = new CommandWatch();
  let atMs = 0;
  const waitUntil = (nextMs: number): void => {
    if (watch.verdict.kind !== "doubtful" || nextMs < atMs + LATE_EVENT_MS) return;
    atMs += LATE_EVENT_MS;
    watch.add({ kind: "waited" });
  };
  for (const [nextMs, news] of told) {
    waitUntil(nextMs);
    if (watch.verdict.kind === "over") break;
    atMs = nextMs;
    watch.add(news);
  }
  waitUntil(Number.POSITIVE_INFINITY);
  return { verdict: watch.verdict, atMs };
}

describe("CommandWatch", () => {
  /** `told`: events by time in milliseconds. `atMs`: time of the verdict; absent: not checked. */
  const follows = (
    title: string,
    told: Readonly<Record<number, TerminalEvent>>,
    verdict: Verdict,
    atMs?: number,
  ): void => {
    it(`reaches the right verdict when ${title}`, () => {
      const found = follow(inOrder(told));
      assert.deepEqual(found.verdict, verdict);
      if (atMs !== undefined) assert.equal(found.atMs, atMs);
    });
  };
  follows("no event arrives", {}, SENT);
  follows("the command has started", { 40: begin() }, RUNS);
  follows("the command started and ended", { 40: begin(), 900: finish(0) }, over(ended(0)), 900);
  follows("only the end was reported", { 900: finish(1) }, over(ended(1)), 900);
  follows(
    "the command ended without an exit code",
    { 40: begin(), 900: finish(undefined) },
    over(ended(undefined)),
    900,
  );
  follows(
    "the command was reported as foreign",
    { 40: begin(false), 900: finish(2, other) },
    over(ended(2)),
    900 + LATE_EVENT_MS,
  );
  follows(
    "leftover events of an earlier command arrived first",
    { 40: begin(false), 50: finish(130, other), 300: begin(), 90_000: finish(0) },
    over(ended(0)),
    90_000,
  );
  follows(
    "leftover events of an earlier command arrived first, and ours was reported as foreign",
    { 40: begin(false), 50: finish(130, other), 300: begin(false), 90_000: finish(0, other) },
    over(ended(0)),
    90_000 + LATE_EVENT_MS,
  );
  follows(
    "leftover events of an earlier command arrived first, and ours has not ended",
    { 40: begin(false), 50: finish(130, other), 300: begin() },
    RUNS,
  );
  follows(
    "an interrupted prompt was reported as ours, with an empty line, before our command",
    { 40: begin(), 41: finish(undefined, { line: "" }), 180: begin(false), 2000: finish(3, other) },
    over(ended(3)),
    2_000 + LATE_EVENT_MS,
  );
  follows(
    "an interrupted prompt was reported as ours, with its text",
    { 40: begin(), 41: finish(undefined, { line: "back\n^C" }), 180: begin(false) },
    RUNS,
  );
  follows(
    "an interrupted prompt was reported as ours, and nothing after it",
    { 40: begin(), 41: finish(undefined, { line: "^C" }) },
    SENT,
  );
  follows(
    "a prompt was interrupted, and our command started long after it",
    { 40: begin(false), 41: finish(undefined, { isOurs: false, line: "^C" }), 9_000: begin(), 9_900: finish(0) },
    over(ended(0)),
    9_900,
  );
  follows(
    "a prompt was interrupted, and our command was never reported",
    { 40: begin(false), 41: finish(undefined, { isOurs: false, line: "^C" }), 17_000: silent },
    over({ kind: "untold" }),
    17_000,
  );
  follows(
    "the command never started, and Ctrl+C was sent",
    { 2_000: interrupted, 2_100: begin(false), 2_110: finish(undefined, { isOurs: false, line: "echo 'open^C" }) },
    over(ended(undefined)),
    2_110 + LATE_EVENT_MS,
  );
  follows(
    "Ctrl+C was sent while the command ran",
    { 40: begin(), 2_000: interrupted, 2_100: finish(130) },
    over(ended(130)),
    2_100,
  );
  follows("Ctrl+C was sent and did not end the command", { 40: begin(), 2_000: interrupted }, RUNS);
  follows(
    "the prompt was found in the output, and then interrupted",
    { 40: begin(), 900: mark(), 1_000: finish(undefined, { line: "^C" }) },
    over(ended(undefined)),
    1_000 + LATE_EVENT_MS,
  );
  follows(
    "the command was interrupted by Ctrl+C and has an exit code",
    { 40: begin(), 2000: finish(130, { line: "sleep 60\n^C" }) },
    over(ended(130)),
    2_000,
  );
  follows(
    "the end was found in the output but not reported",
    { 40: begin(), 900: mark(7) },
    over(ended(7)),
    900 + LATE_EVENT_MS,
  );
  follows(
    "the prompt was found in the output, without a mark for the end",
    { 40: begin(), 900: mark() },
    over(ended(undefined)),
    900 + LATE_EVENT_MS,
  );
  follows(
    "the end was found in the output and reported right after",
    { 40: begin(), 900: mark(0), 950: finish(0) },
    over(ended(0)),
    950,
  );
  follows(
    "the end was found in the output, then reported without its exit code because the user typed the next command",
    { 40: begin(), 900: mark(4), 950: finish(undefined), 951: begin(false) },
    over(ended(4)),
    950,
  );
  follows("the shell ended with the command", { 40: begin(), 900: closed(3) }, over(ended(3)), 900);
  follows("the shell ended before any other event", { 900: closed(0) }, over(ended(0)), 900);
  follows("the user closed the terminal before the command started", { 20: closed() }, over({ kind: "closed" }), 20);
  follows(
    "the user closed the terminal while the command ran",
    { 40: begin(), 900: closed() },
    over({ kind: "closed" }),
    900,
  );
  follows(
    "the user closed the terminal right after an end that may have been ours",
    { 40: begin(false), 900: finish(0, other), 950: closed() },
    over(ended(0)),
    950,
  );
  follows("no event arrived, and the shell waits at its prompt", { 17_000: silent }, over({ kind: "untold" }), 17_000);
  follows(
    "the command started, and the shell waits at its prompt",
    { 40: begin(), 17_000: silent },
    over(ended(undefined)),
    17_000,
  );
  follows(
    "a foreign command started, and the shell waits at its prompt",
    { 40: begin(false), 17_000: silent },
    over(ended(undefined)),
    17_000,
  );
  follows(
    "more events follow the end",
    { 40: begin(), 900: finish(0), 901: begin(false), 950: finish(1, other), 960: closed() },
    over(ended(0)),
    900,
  );

  it("is over when the end of a command was reported last, for any order of events", () => {
    const code = fc.option(fc.nat(255), { nil: undefined });
    const anEnd = fc.tuple(code, fc.boolean(), fc.constantFrom("", LINE, "^C"));
    const anyNews = fc.oneof(
      fc.boolean().map(begin),
      anEnd.map(([exitCode, isOurs, line]) => finish(exitCode, { isOurs, line })),
      code.map(mark),
    );
    const lastNews = fc.oneof(
      fc.boolean().map((isOurs) => finish(0, { isOurs })),
      fc.constantFrom(mark(), mark(0), closed(), closed(0)),
    );
    const anOrder = fc.tuple(fc.array(anyNews, { maxLength: 8 }), lastNews).map((parts) => parts.flat());
    const check = (news: readonly TerminalEvent[], everyMs: number): void => {
      const told = news.map((one, index): Told => [index * everyMs, one]);
      assert.equal(follow(told).verdict.kind, "over");
    };
    fc.assert(fc.property(anOrder, fc.integer({ min: 1, max: 2 * LATE_EVENT_MS }), check));
  });
});

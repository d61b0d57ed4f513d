/** When a command in a terminal is over, for every order in which the editor was seen to tell it, and for others. */

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
/** By their milliseconds. */
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

/** Tells it all, with the time between; says what is known at the end of all waiting, and since when. */
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
  /** `told`: the news by their milliseconds. `atMs`: when the verdict is known; absent: nothing is awaited. */
  const follows = (
    title: string,
    told: Readonly<Record<number, TerminalEvent>>,
    verdict: Verdict,
    atMs?: number,
  ): void => {
    it(`knows what follows when ${title}`, () => {
      const found = follow(inOrder(told));
      assert.deepEqual(found.verdict, verdict);
      if (atMs !== undefined) assert.equal(found.atMs, atMs);
    });
  };
  follows("nothing is told", {}, SENT);
  follows("it has begun", { 40: begin() }, RUNS);
  follows("it began and ended", { 40: begin(), 900: finish(0) }, over(ended(0)), 900);
  follows("its end alone was told", { 900: finish(1) }, over(ended(1)), 900);
  follows(
    "it ended where the shell had no exit code",
    { 40: begin(), 900: finish(undefined) },
    over(ended(undefined)),
    900,
  );
  follows(
    "it was told as one that nobody asked for",
    { 40: begin(false), 900: finish(2, other) },
    over(ended(2)),
    900 + LATE_EVENT_MS,
  );
  follows(
    "what was left of a command before came first",
    { 40: begin(false), 50: finish(130, other), 300: begin(), 90_000: finish(0) },
    over(ended(0)),
    90_000,
  );
  follows(
    "what was left of a command before came first, and ours was told as one that nobody asked for",
    { 40: begin(false), 50: finish(130, other), 300: begin(false), 90_000: finish(0, other) },
    over(ended(0)),
    90_000 + LATE_EVENT_MS,
  );
  follows(
    "what was left of a command before came first, and ours has not ended",
    { 40: begin(false), 50: finish(130, other), 300: begin() },
    RUNS,
  );
  follows(
    "a prompt that was interrupted was told as ours, with an empty line, and then ours",
    { 40: begin(), 41: finish(undefined, { line: "" }), 180: begin(false), 2000: finish(3, other) },
    over(ended(3)),
    2_000 + LATE_EVENT_MS,
  );
  follows(
    "a prompt that was interrupted was told as ours, with what stood there",
    { 40: begin(), 41: finish(undefined, { line: "back\n^C" }), 180: begin(false) },
    RUNS,
  );
  follows(
    "a prompt that was interrupted was told as ours, and nothing after it",
    { 40: begin(), 41: finish(undefined, { line: "^C" }) },
    SENT,
  );
  follows(
    "a prompt was interrupted, and ours began long after it",
    { 40: begin(false), 41: finish(undefined, { isOurs: false, line: "^C" }), 9_000: begin(), 9_900: finish(0) },
    over(ended(0)),
    9_900,
  );
  follows(
    "a prompt was interrupted, and ours was never told",
    { 40: begin(false), 41: finish(undefined, { isOurs: false, line: "^C" }), 17_000: silent },
    over({ kind: "untold" }),
    17_000,
  );
  follows(
    "it never began, and Ctrl+C was pressed to end it",
    { 2_000: interrupted, 2_100: begin(false), 2_110: finish(undefined, { isOurs: false, line: "echo 'open^C" }) },
    over(ended(undefined)),
    2_110 + LATE_EVENT_MS,
  );
  follows(
    "Ctrl+C was pressed while it ran",
    { 40: begin(), 2_000: interrupted, 2_100: finish(130) },
    over(ended(130)),
    2_100,
  );
  follows("Ctrl+C was pressed and did not end it", { 40: begin(), 2_000: interrupted }, RUNS);
  follows(
    "its prompt was seen, and then interrupted",
    { 40: begin(), 900: mark(), 1_000: finish(undefined, { line: "^C" }) },
    over(ended(undefined)),
    1_000 + LATE_EVENT_MS,
  );
  follows(
    "ours was interrupted by Ctrl+C and has an exit code",
    { 40: begin(), 2000: finish(130, { line: "sleep 60\n^C" }) },
    over(ended(130)),
    2_000,
  );
  follows(
    "its end was not told, but seen in what the shell printed",
    { 40: begin(), 900: mark(7) },
    over(ended(7)),
    900 + LATE_EVENT_MS,
  );
  follows(
    "the prompt was seen, where the shell marks no ends any more",
    { 40: begin(), 900: mark() },
    over(ended(undefined)),
    900 + LATE_EVENT_MS,
  );
  follows("its end was seen, and told right after", { 40: begin(), 900: mark(0), 950: finish(0) }, over(ended(0)), 950);
  follows(
    "its end was seen, and then told without its exit code, because the user typed the next command",
    { 40: begin(), 900: mark(4), 950: finish(undefined), 951: begin(false) },
    over(ended(4)),
    950,
  );
  follows("the shell ended with it", { 40: begin(), 900: closed(3) }, over(ended(3)), 900);
  follows("the shell ended before anything was told", { 900: closed(0) }, over(ended(0)), 900);
  follows("the user closed the terminal before it began", { 20: closed() }, over({ kind: "closed" }), 20);
  follows("the user closed the terminal while it ran", { 40: begin(), 900: closed() }, over({ kind: "closed" }), 900);
  follows(
    "the user closed the terminal right after an end that may have been ours",
    { 40: begin(false), 900: finish(0, other), 950: closed() },
    over(ended(0)),
    950,
  );
  follows(
    "nothing was ever told, and the shell waits at its prompt",
    { 17_000: silent },
    over({ kind: "untold" }),
    17_000,
  );
  follows(
    "it began, and the shell waits at its prompt",
    { 40: begin(), 17_000: silent },
    over(ended(undefined)),
    17_000,
  );
  follows(
    "one that nobody asked for began, and the shell waits at its prompt",
    { 40: begin(false), 17_000: silent },
    over(ended(undefined)),
    17_000,
  );
  follows(
    "what comes after the end",
    { 40: begin(), 900: finish(0), 901: begin(false), 950: finish(1, other), 960: closed() },
    over(ended(0)),
    900,
  );

  it("waits for no command whose end was told last, in any order of events", () => {
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

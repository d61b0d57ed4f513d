import assert from "node:assert/strict";
import fc from "fast-check";
import { modelId, toolCallId } from "../../../src/core/ids.ts";
import { type ForgeError, unavailable } from "../../../src/core/errors.ts";
import { guardedProvider, type GuardLimits } from "../../../src/core/stream/guardedProvider.ts";
import type { StreamEvent } from "../../../src/core/stream/streamEvent.ts";
import { ManualClock, settled } from "../../support/clocks.ts";
import { NEVER, prepared } from "../../support/models/providerRequests.ts";
import { RawProvider, type Move } from "../../support/models/rawProvider.ts";

const LIMITS: GuardLimits = {
  reportedAfterMs: 90,
  firstByteMs: 300,
  noBytesMs: 300,
  noContentMs: 600,
  retries: 2,
  retryDelayMs: 10,
  maxRetryDelayMs: 100,
  listModelsMs: 50,
};
const text = (words: string): StreamEvent => ({ kind: "text", text: words });
const wait = (ms: number): Move => ({ kind: "wait", ms });
const failed = (error: ForgeError): StreamEvent => ({ kind: "failed", error });
const PING: StreamEvent = { kind: "ping" };
const DONE: StreamEvent = { kind: "done", stopReason: "endTurn" };
const CANCELLED: StreamEvent = failed({ code: "CANCELLED" });
const usage: StreamEvent = {
  kind: "usage",
  usage: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
};
const overloaded = unavailable("raw", "overloaded", "busy");
const silent = (ms: number): StreamEvent => ({ kind: "waiting", why: "silent", ms });
const loading = unavailable("raw", "loading", "Loading model");
const isLoading = (ms: number): StreamEvent => ({ kind: "waiting", why: "loading", ms });
const retry = (ms: number): StreamEvent => ({ kind: "waiting", why: "retry", ms });
const cutOff = failed(unavailable("raw", "cutOff", "The connection ended before the answer did."));

interface Run {
  readonly events: readonly StreamEvent[];
  readonly raw: RawProvider;
  readonly clock: ManualClock;
}

/** Reads a guarded stream to its end; the user aborts at `stopAtMs`. */
async function run(plays: readonly (readonly Move[])[], stopAtMs?: number, limits = LIMITS): Promise<Run> {
  const clock = new ManualClock();
  const raw = new RawProvider(clock, plays);
  const user = new AbortController();
  const events: StreamEvent[] = [];
  const reading = (async () => {
    const options = { model: modelId("any"), maxOutputTokens: 10 };
    for await (const event of guardedProvider(raw, clock, limits).stream(prepared("Hi"), options, user.signal)) {
      events.push(event);
    }
  })();
  if (stopAtMs !== undefined) {
    await clock.advance(stopAtMs);
    user.abort();
    await settled();
  } else await clock.advance(100_000);
  await reading;
  return { events, raw, clock };
}

describe("guardedProvider", () => {
  const check = async (
    plays: readonly (readonly Move[])[],
    expected: readonly StreamEvent[],
    requests = 1,
  ): Promise<void> => {
    const { events, raw, clock } = await run(plays);
    assert.deepEqual(events, expected);
    assert.equal(raw.signals.length, requests);
    assert.ok(
      raw.signals.every((signal) => signal.aborted),
      "every request is ended",
    );
    assert.equal(clock.pending, 0, "no timer is left");
  };

  it("passes on a valid stream", () =>
    check([[usage, text("a"), text("b"), usage, DONE]], [usage, text("a"), text("b"), usage, DONE]));
  describe("L1 an answer of as many tokens as were allowed", () => {
    const billed = (outputTokens: number): StreamEvent => ({
      kind: "usage",
      usage: { inputTokens: 1, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
    });
    const cut: StreamEvent = { kind: "done", stopReason: "maxTokens" };
    const refused: StreamEvent = { kind: "done", stopReason: "refusal" };
    it("was cut, whatever the server says", () => check([[text("a"), billed(10), DONE]], [text("a"), billed(10), cut]));
    it("ended by itself with fewer", () => check([[text("a"), billed(9), DONE]], [text("a"), billed(9), DONE]));
    it("is refused if the server says so", () =>
      check([[text("a"), billed(10), refused]], [text("a"), billed(10), refused]));
  });
  it("emits nothing after the end", () =>
    check([[text("a"), DONE, text("b"), DONE, failed(overloaded)]], [text("a"), DONE]));
  it("drops pings and empty text", () => check([[PING, text(""), text("a"), PING, DONE]], [text("a"), DONE]));
  it("reports a stream without an end event as cut off", () => check([[text("a")]], [text("a"), cutOff]));
  it("reports an empty stream as cut off", () => check([[]], [cutOff]));
  it("turns an exception into a failure and redacts its API key", () =>
    check(
      [[text("a"), { kind: "throw" }]],
      [text("a"), failed(unavailable("raw", "badAnswer", "TypeError: terminated with [redacted: API key]"))],
    ));

  describe("silence", () => {
    it("§6 may last longer before the first byte than after it, whenever the headers arrive", async () => {
      const limits = { ...LIMITS, firstByteMs: 2_000 };
      const stalled = (seconds: number): StreamEvent =>
        failed(unavailable("raw", "stalled", `Nothing arrived for ${String(seconds)} seconds.`));
      const answered: Move = { kind: "answered", answered: { status: 200 } };
      const after = async (...moves: Move[]): Promise<readonly StreamEvent[]> =>
        (await run([moves], undefined, limits)).events;
      assert.deepEqual(await after(wait(1_900), text("a"), DONE), [silent(90), text("a"), DONE]);
      assert.deepEqual(await after(answered, wait(1_900), PING, text("a"), DONE), [silent(90), text("a"), DONE]);
      assert.deepEqual(await after(answered, wait(9_000)), [silent(90), stalled(2)]);
      assert.deepEqual(await after(PING, wait(9_000)), [silent(90), stalled(0)]);
    });
    it("29.3 may last as long as before the first byte after each step of reading", async () => {
      const limits = { ...LIMITS, firstByteMs: 2_000 };
      const reading = (readTokens: number): StreamEvent => ({ kind: "reading", freshTokens: 4_000, readTokens });
      const [begun, half] = [reading(0), reading(2_000)];
      const moves: Move[] = [PING, begun, wait(1_900), PING, half, wait(1_900), text("a"), DONE];
      const { events } = await run([moves], undefined, limits);
      assert.deepEqual(events, [begun, silent(90), half, silent(90), text("a"), DONE]);
    });
    it("is reported once and is no failure", () =>
      check([[wait(200), text("a"), DONE]], [silent(90), text("a"), DONE]));
    it("is reported again after content", () =>
      check(
        [[wait(100), text("a"), wait(100), text("b"), DONE]],
        [silent(90), text("a"), silent(90), text("b"), DONE],
      ));
    it("is not reported while content arrives", () =>
      check([[wait(80), text("a"), wait(80), text("b"), DONE]], [text("a"), text("b"), DONE]));
    it("without a single byte fails as stalled", () =>
      check(
        [[text("a"), { kind: "hang" }]],
        [text("a"), silent(90), failed(unavailable("raw", "stalled", "Nothing arrived for 0 seconds."))],
      ));
    it("with pings lasts longer, but fails in the end", () =>
      check(
        [[text("a"), ...Array.from({ length: 9 }, () => [wait(100), PING]).flat()]],
        [text("a"), silent(90), failed(unavailable("raw", "stalled", "No part of an answer arrived for 1 seconds."))],
      ));
    it("of a thinking model that sends pings is no failure", () =>
      check([[wait(200), PING, wait(200), PING, text("a"), DONE]], [silent(90), text("a"), DONE]));
  });

  describe("retrying", () => {
    const limited = (retryAfterMs?: number): StreamEvent =>
      failed({
        code: "RATE_LIMITED",
        provider: "raw",
        detail: "slow",
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      });
    const good: readonly Move[] = [text("a"), DONE];
    it("L6 goes on as long as the model is being loaded, and counts no other failure for it", () =>
      check(
        [[failed(loading)], [failed(loading)], [failed(overloaded)], [failed(loading)], [failed(overloaded)], good],
        [isLoading(0), isLoading(10), retry(10), isLoading(20), retry(20), text("a"), DONE],
        6,
      ));
    it("L6 ends when the model is not loaded within the time for the first byte", () =>
      check(
        [[failed(loading)]],
        [...Array.from({ length: 30 }, (_, index) => isLoading(index * 10)), failed(loading)],
        31,
      ));
    it("L6 of a model that is being loaded is stopped at once", async () => {
      const { events, raw, clock } = await run([[failed(loading)]], 15);
      assert.deepEqual([events, raw.signals.length, clock.pending], [[isLoading(0), isLoading(10), CANCELLED], 2, 0]);
    });
    it("doubles the delay each time", () =>
      check([[failed(overloaded)], [failed(overloaded)], good], [retry(10), retry(20), text("a"), DONE], 3));
    it("ends after the last attempt", () =>
      check([[failed(overloaded)]], [retry(10), retry(20), failed(overloaded)], 3));
    it("waits as long as the server asks", () => check([[limited(70)], good], [retry(70), text("a"), DONE], 2));
    it("waits longer if the delay from the server was too short", () =>
      check([[limited(0)], [limited(0)], good], [retry(0), retry(10), text("a"), DONE], 3));
    it("fails if the server asks for a delay above the limit", () => check([[limited(101)], good], [limited(101)]));
    it("fails for a rate limit without a delay", () => check([[limited()], good], [limited()]));
    it("passes on the usage of the failed attempt", () =>
      check([[usage, failed(overloaded)], good], [usage, retry(10), text("a"), DONE], 2));
    it("does not happen after text", () =>
      check([[text("a"), failed(overloaded)], good], [text("a"), failed(overloaded)]));
    it("does not happen after the start of a tool call", () => {
      const call: StreamEvent = { kind: "toolCallStart", callId: toolCallId("c"), name: "f" };
      return check([[call, failed(overloaded)], good], [call, failed(overloaded)]);
    });
    it("does not happen for a permanent failure", () => check([[cutOff], good], [cutOff]));
  });

  describe("an abort", () => {
    const cases: Readonly<
      Record<string, readonly [plays: readonly (readonly Move[])[], shown: readonly StreamEvent[]]>
    > = {
      "while the stream hangs": [[[{ kind: "hang" }]], []],
      "after text": [[[text("a"), { kind: "hang" }]], [text("a")]],
      "during a retry delay": [
        [[failed(overloaded)], [failed(overloaded)]],
        [retry(10), retry(20)],
      ],
    };
    for (const [name, [plays, shown]] of Object.entries(cases)) {
      it(`${name} ends the stream at once`, async () => {
        const { events, raw, clock } = await run(plays, 25);
        assert.deepEqual(events, [...shown, CANCELLED]);
        assert.ok(raw.signals.every((signal) => signal.aborted));
        assert.equal(clock.pending, 0);
      });
    }
    it("before the start sends no request", async () => {
      const clock = new ManualClock();
      const raw = new RawProvider(clock, [[DONE]]);
      const options = { model: modelId("any"), maxOutputTokens: 10 };
      const iterator = guardedProvider(raw, clock)
        .stream(prepared("Hi"), options, AbortSignal.abort())
        [Symbol.asyncIterator]();
      assert.deepEqual(await iterator.next(), { value: CANCELLED, done: false });
      assert.equal(raw.signals.length, 0);
    });
    it("by closing the iterator of a hanging stream ends the request", async () => {
      const clock = new ManualClock();
      const raw = new RawProvider(clock, [[text("a"), { kind: "hang" }]]);
      const options = { model: modelId("any"), maxOutputTokens: 10 };
      const iterator = guardedProvider(raw, clock).stream(prepared("Hi"), options, NEVER)[Symbol.asyncIterator]();
      await iterator.next();
      const pending = iterator.next();
      await settled();
      await iterator.return?.();
      assert.equal(raw.signals[0]?.aborted, true);
      assert.equal((await pending).done, false);
      assert.equal(clock.pending, 0);
    });
  });

  it("keeps its contract for random streams and abort times", () => {
    const move = fc.oneof(
      fc.constantFrom<Move>(
        text("x"),
        text(""),
        PING,
        DONE,
        usage,
        failed(overloaded),
        cutOff,
        { kind: "throw" },
        { kind: "hang" },
      ),
      fc.integer({ min: 1, max: 400 }).map(wait),
    );
    const plays = fc.array(fc.array(move, { maxLength: 8 }), { minLength: 1, maxLength: 3 });
    const property = fc.asyncProperty(
      plays,
      fc.option(fc.integer({ min: 0, max: 1_500 }), { nil: undefined }),
      async (given, stopAtMs) => {
        const { events, raw, clock } = await run(given, stopAtMs);
        const ends = events.filter((event) => event.kind === "done" || event.kind === "failed");
        assert.equal(ends.length, 1);
        assert.equal(events.at(-1), ends[0]);
        assert.ok(raw.signals.length <= 1 + LIMITS.retries);
        assert.ok(raw.signals.every((signal) => signal.aborted));
        assert.equal(
          events.filter((event) => event.kind === "waiting" && event.why === "retry").length >= raw.signals.length - 1,
          true,
        );
        const firstText = events.findIndex((event) => event.kind === "text");
        assert.ok(
          firstText < 0 || !events.slice(firstText).some((event) => event.kind === "waiting" && event.why === "retry"),
        );
        assert.equal(clock.pending - given.flat().filter((each) => each.kind === "wait").length <= 0, true);
      },
    );
    return fc.assert(property, { seed: 20_261_121, numRuns: 300 });
  });
});

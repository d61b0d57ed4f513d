/**
 * Makes a provider's stream whole, whatever the server or the library does. What holds for every guarded stream:
 * - exactly one `done` or `failed`, and nothing after it;
 * - after an abort only `failed CANCELLED`, at once, even when the inner stream hangs;
 * - an end without a terminal event is `cutOff`, an exception is a failure, silence is named and then ended;
 * - at most one live request; it is sent again only while nothing of the answer has been shown, and as long as the
 *   server loads its model.
 */

import { type ForgeError, CANCELLED, unavailable } from "../errors.ts";
import { type CancelSignal, Cancellation, follow, raceCancel } from "../cancellation.ts";
import type { Clock } from "../clock.ts";
import type { OfferedModel, Provider, StreamOptions } from "./provider.ts";
import { err, type Result } from "../result.ts";
import { errorDetail } from "./errorDetail.ts";
import type { FailedRequest } from "./failedRequest.ts";
import { type SilenceLimits, SilenceWatch, type SilenceAlarm } from "./silenceWatch.ts";
import type { StreamEvent, ResponseInfo } from "./streamEvent.ts";
import type { PreparedContext } from "../context/request/preparedContext.ts";

export interface GuardLimits extends SilenceLimits {
  /** Most retries of a request. */
  readonly retries: number;
  /** First retry delay when the server names none; it doubles with each retry. */
  readonly retryDelayMs: number;
  /** When the server asks for a longer delay, the request fails with that delay instead of waiting. */
  readonly maxRetryDelayMs: number;
  /** Timeout of `listModels`. */
  readonly listModelsMs: number;
}

/** Some models think for minutes without a byte on the wire, so silence is reported after 90 s and ended late. */
export const DEFAULT_GUARD_LIMITS: GuardLimits = {
  reportedAfterMs: 90_000,
  firstByteMs: 900_000,
  noBytesMs: 300_000,
  noContentMs: 900_000,
  retries: 2,
  retryDelayMs: 1_000,
  maxRetryDelayMs: 30_000,
  listModelsMs: 20_000,
};

export interface GuardOptions extends Partial<GuardLimits> {
  /** Read at each request, in place of the limits that it returns. */
  readonly waits?: () => Partial<GuardLimits>;
  /** Called for every failed attempt, also one that is retried. Must not throw. */
  readonly onFailed?: (failed: FailedRequest) => void;
  /** Called when an answer ended with `done`. Must not throw. */
  readonly onAnswered?: () => void;
}

export function guardedProvider(inner: Provider, clock: Clock, given: GuardOptions = {}): Provider {
  const { onFailed = () => undefined, onAnswered = () => undefined, waits = () => ({}), ...limits } = given;
  const firstByteMs = limits.firstByteMs ?? limits.noBytesMs ?? DEFAULT_GUARD_LIMITS.firstByteMs;
  const settled: GuardLimits = { ...DEFAULT_GUARD_LIMITS, ...limits, firstByteMs };
  return {
    ...inner,
    name: inner.name,
    label: inner.label,
    stream: (prepared, options, cancel) => ({
      [Symbol.asyncIterator]: () =>
        guardedIterator(
          { inner, clock, limits: { ...settled, ...waits() }, prepared, options, onFailed, onAnswered },
          cancel,
        ),
    }),
    listModels: (cancel) => listModels(inner, clock, settled, cancel),
  };
}

interface GuardedRequest extends Attempt {
  readonly limits: GuardLimits;
  readonly onFailed: (failed: FailedRequest) => void;
  readonly onAnswered: () => void;
}

/** A reader that returns early ends the request at once: a generator alone would first wait for the next event. */
function guardedIterator(request: GuardedRequest, outer: CancelSignal): AsyncIterator<StreamEvent, void> {
  const cancel = new Cancellation();
  const unfollow = follow(outer, cancel);
  const events = attempts(request, cancel);
  return {
    async next() {
      const result = await events.next();
      if (result.done === true) unfollow();
      return result;
    },
    async return() {
      unfollow();
      cancel.abort();
      return events.return();
    },
  };
}

async function* attempts(request: GuardedRequest, cancel: CancelSignal): AsyncGenerator<StreamEvent, void> {
  let loadingMs = 0;
  for (let made = 0; !cancel.aborted;) {
    const end = yield* attempt(request, cancel);
    const { limits, clock } = request;
    if (isLoading(end) && loadingMs < limits.firstByteMs) {
      if (loadingMs === 0) noteEnd(request, end, made + 1);
      yield { kind: "waiting", why: "loading", ms: loadingMs };
      await pause(clock, limits.retryDelayMs, cancel);
      loadingMs += limits.retryDelayMs;
      continue;
    }
    noteEnd(request, end, ++made);
    const delayMs = end.shown ? undefined : retryDelay(end.event, made - 1, limits);
    if (delayMs === undefined) {
      yield end.event;
      return;
    }
    yield { kind: "waiting", why: "retry", ms: delayMs };
    await pause(clock, delayMs, cancel);
  }
  yield CANCELLED_EVENT;
}

/** A model may take minutes to load; each refusal costs its server nothing. */
function isLoading({ event, shown }: AttemptEnd): boolean {
  if (shown || event.kind !== "failed") return false;
  return event.error.code === "SERVICE_UNAVAILABLE" && event.error.reason === "loading";
}

function noteEnd(request: GuardedRequest, { event, answered }: AttemptEnd, attempt: number): void {
  const { inner, options, onFailed, onAnswered } = request;
  if (event.kind !== "failed") {
    onAnswered();
    return;
  }
  const { model, purpose = "answer" } = options;
  onFailed({ provider: inner.name, asked: purpose, model, error: event.error, answered, attempt });
}

/** Retry delay in milliseconds; `undefined` when a retry would not help or the delay is too long. */
function retryDelay(end: StreamEvent, made: number, limits: GuardLimits): number | undefined {
  if (end.kind !== "failed" || made >= limits.retries) return undefined;
  const { error } = end;
  if (error.code !== "RATE_LIMITED" && error.code !== "SERVICE_UNAVAILABLE") return undefined;
  // Without a retry time, "too many requests" may mean that the credit is used up.
  const mayPass =
    error.code === "RATE_LIMITED"
      ? error.retryAfterMs !== undefined
      : error.reason === "overloaded" || error.reason === "serverError";
  // Some servers ask for no delay at all, and then refuse again.
  const leastMs = limits.retryDelayMs * (2 ** made - 1);
  const delayMs =
    error.retryAfterMs === undefined ? limits.retryDelayMs * 2 ** made : Math.max(error.retryAfterMs, leastMs);
  return mayPass && delayMs <= limits.maxRetryDelayMs ? delayMs : undefined;
}

async function pause(clock: Clock, delayMs: number, cancel: CancelSignal): Promise<void> {
  let clear: () => void = () => undefined;
  const waited = new Promise<void>((resolve) => {
    clear = clock.after(delayMs, resolve);
  });
  await raceCancel(waited, cancel, undefined);
  clear();
}

// One attempt.

interface Attempt {
  readonly inner: Provider;
  readonly clock: Clock;
  readonly limits: SilenceLimits;
  readonly prepared: PreparedContext;
  readonly options: StreamOptions;
}

/** `shown`: content of the answer was already yielded. */
interface AttemptEnd {
  readonly event: Extract<StreamEvent, { kind: "done" | "failed" }>;
  readonly shown: boolean;
  readonly answered: ResponseInfo;
}

/** Sends the request once. Yields non-terminal events; returns the terminal one, synthesized where it is missing. */
async function* attempt(given: Attempt, cancel: CancelSignal): AsyncGenerator<StreamEvent, AttemptEnd> {
  const { inner, clock, limits } = given;
  const live = new Cancellation();
  const unfollow = follow(cancel, live);
  const watch = new SilenceWatch(clock, limits);
  let shown = false;
  let answered: ResponseInfo = {};
  let outputTokens = 0;
  const end = (event: AttemptEnd["event"]): AttemptEnd => ({ event, shown, answered });
  try {
    const iterator = inner.stream(given.prepared, given.options, live)[Symbol.asyncIterator]();
    let pending = iterator.next();
    for (;;) {
      const step = await nextStep(pending, watch, cancel);
      if (step.kind === "cancelled") return end(CANCELLED_EVENT);
      if (step.kind === "ended") return end(failed(inner, "cutOff", "The connection ended before the answer did."));
      if (step.kind === "alarm") {
        if (step.alarm !== "named") return end(stalled(inner, step.alarm, limits));
        yield { kind: "waiting", why: "silent", ms: limits.reportedAfterMs };
      } else {
        const { event } = step;
        if (event.kind === "failed") return end(event);
        if (event.kind === "done") return end(atLimit(event, outputTokens === given.options.maxOutputTokens));
        if (event.kind === "usage") ({ outputTokens } = event.usage);
        if (event.kind === "answered") ({ answered } = event);
        const content = isContent(event);
        // Many servers send headers long before the first byte of the answer.
        if (event.kind === "reading") watch.noteReading();
        else if (event.kind !== "answered" && event.kind !== "waiting") watch.noteActivity(content);
        shown ||= content;
        if (content || PASSED_ON.has(event.kind)) yield event;
        pending = iterator.next();
      }
      if (cancel.aborted) {
        pending.catch(() => undefined);
        return end(CANCELLED_EVENT);
      }
    }
  } catch (thrown) {
    return end(cancel.aborted ? CANCELLED_EVENT : failed(inner, "badAnswer", errorDetail(String(thrown))));
  } finally {
    watch.stop();
    unfollow();
    live.abort();
  }
}

/** llama.cpp's Responses, and gateways in front of it, report an answer that was cut at its limit as a complete one. */
function atLimit(done: DoneEvent, isAtLimit: boolean): DoneEvent {
  return isAtLimit && done.stopReason === "endTurn" ? { ...done, stopReason: "maxTokens" } : done;
}

type DoneEvent = Extract<StreamEvent, { readonly kind: "done" }>;

/** Besides content. */
const PASSED_ON = new Set<StreamEvent["kind"]>(["usage", "reading", "waiting"]);

const CANCELLED_EVENT: AttemptEnd["event"] = { kind: "failed", error: CANCELLED };

type Step =
  | { readonly kind: "event"; readonly event: StreamEvent }
  | { readonly kind: "ended" }
  | { readonly kind: "cancelled" }
  | { readonly kind: "alarm"; readonly alarm: SilenceAlarm };

/** The first of: event, end, abort, alarm. Rejects when the inner stream throws. */
function nextStep(
  pending: Promise<IteratorResult<StreamEvent, unknown>>,
  watch: SilenceWatch,
  cancel: CancelSignal,
): Promise<Step> {
  const step = new Promise<Step>((resolve, reject) => {
    const unlisten = watch.listen((alarm) => {
      resolve({ kind: "alarm", alarm });
    });
    pending
      .then((result) => {
        resolve(result.done === true ? { kind: "ended" } : { kind: "event", event: result.value });
      }, reject)
      .finally(unlisten);
  });
  return raceCancel<Step>(step, cancel, { kind: "cancelled" });
}

function isContent(event: StreamEvent): boolean {
  switch (event.kind) {
    case "text":
    case "thinking":
      return event.text !== "";
    case "toolCallArgs":
      return event.json !== "";
    case "textWasThinking":
    case "thinkingSignature":
    case "toolCallStart":
      return true;
    default:
      return false;
  }
}

function failed(inner: Provider, reason: "cutOff" | "badAnswer" | "stalled", detail: string): AttemptEnd["event"] {
  return { kind: "failed", error: unavailable(inner.name, reason, detail) };
}

function stalled(
  inner: Provider,
  alarm: "firstByte" | "noBytes" | "noContent",
  limits: SilenceLimits,
): AttemptEnd["event"] {
  const seconds = String(Math.round(limits[`${alarm}Ms`] / 1000));
  const what = alarm === "noContent" ? "No part of an answer arrived" : "Nothing arrived";
  return failed(inner, "stalled", `${what} for ${seconds} seconds.`);
}

// Lists of models.

async function listModels(
  inner: Provider,
  clock: Clock,
  limits: GuardLimits,
  outer: CancelSignal,
): Promise<Result<readonly OfferedModel[], ForgeError>> {
  const live = new Cancellation();
  const unfollow = follow(outer, live);
  const clear = clock.after(limits.listModelsMs, () => {
    live.abort();
  });
  try {
    const listed = live.aborted ? undefined : await raceCancel(inner.listModels(live), live, undefined);
    if (listed !== undefined && !live.aborted) return listed;
    const seconds = String(Math.round(limits.listModelsMs / 1000));
    return err(outer.aborted ? CANCELLED : unavailable(inner.name, "stalled", `No answer for ${seconds} seconds.`));
  } catch (thrown) {
    return err(unavailable(inner.name, "badAnswer", errorDetail(String(thrown))));
  } finally {
    clear();
    unfollow();
    live.abort();
  }
}

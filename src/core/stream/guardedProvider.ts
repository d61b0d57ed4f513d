/**
 * Makes a provider's stream whole, whatever the server or the library does. What holds for every guarded stream:
 * - exactly one `done` or `failed`, and nothing after it;
 * - after an abort only `failed CANCELLED`, at once, even when the inner stream hangs;
 * - an end without a terminal event is `cutOff`, an exception is a failure, silence is named and then ended;
 * - at most one live request; it is sent again only while nothing of the answer has been shown.
 */

import type { ForgeError } from "../errors.ts";
import { type CancelSignal, Cancellation, follow, raceCancel } from "../cancellation.ts";
import type { Clock } from "../clock.ts";
import type { OfferedModel, Provider } from "./provider.ts";
import { err, type Result } from "../result.ts";
import { attempt, CANCELLED_EVENT, type Attempt, type AttemptEnd } from "./attempt.ts";
import { errorDetail } from "./errorDetail.ts";
import type { FailedRequest } from "./failedRequest.ts";
import { CANCELLED, unavailable } from "./failures.ts";
import type { SilenceLimits } from "./silenceWatch.ts";
import type { StreamEvent } from "./streamEvent.ts";

/** How patient a guarded provider is. All times in milliseconds. */
export interface GuardLimits extends SilenceLimits {
  /** How often one request may be sent again. */
  readonly retries: number;
  /** The first wait before sending again when the server names none; each further one is twice as long. */
  readonly retryDelayMs: number;
  /** A server that asks for a longer wait than this is not waited for: the failure says when. */
  readonly maxRetryDelayMs: number;
  /** How long a list of models may take. */
  readonly listModelsMs: number;
}

/**
 * The limits in use unless told otherwise. Some models think for minutes without a byte on the wire, so silence is named
 * after 90 s and ended only where Node's own fetch would end it too.
 */
export const DEFAULT_GUARD_LIMITS: GuardLimits = {
  namedAfterMs: 90_000,
  noBytesMs: 300_000,
  noContentMs: 900_000,
  retries: 2,
  retryDelayMs: 1_000,
  maxRetryDelayMs: 30_000,
  listModelsMs: 20_000,
};

/** Limits that are left out have their default. */
export interface GuardOptions extends Partial<GuardLimits> {
  /** Is told of every attempt that failed, also of one that is made again. Must not throw. */
  readonly noteFailed?: (failed: FailedRequest) => void;
  /** Is told when an answer has come to its end. Must not throw. */
  readonly noteAnswered?: () => void;
}

/** Stands in front of `inner`; see the head of this file. */
export function guardedProvider(inner: Provider, clock: Clock, given: GuardOptions = {}): Provider {
  const { noteFailed = () => undefined, noteAnswered = () => undefined, ...limits } = given;
  const settled: GuardLimits = { ...DEFAULT_GUARD_LIMITS, ...limits };
  return {
    ...inner,
    name: inner.name,
    label: inner.label,
    stream: (prepared, options, cancel) => ({
      [Symbol.asyncIterator]: () =>
        guardedIterator({ inner, clock, limits: settled, prepared, options, noteFailed, noteAnswered }, cancel),
    }),
    listModels: (cancel) => listModels(inner, clock, settled, cancel),
  };
}

interface GuardedRequest extends Attempt {
  readonly limits: GuardLimits;
  readonly noteFailed: (failed: FailedRequest) => void;
  readonly noteAnswered: () => void;
}

/** A reader that leaves early ends the request at once: a generator alone would first wait for the next event. */
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
  for (let made = 0; !cancel.aborted; made++) {
    const end = yield* attempt(request, cancel);
    noteEnd(request, end, made + 1);
    const delayMs = end.shown ? undefined : retryDelay(end.event, made, request.limits);
    if (delayMs === undefined) {
      yield end.event;
      return;
    }
    yield { kind: "waiting", why: "retry", ms: delayMs };
    await pause(request.clock, delayMs, cancel);
  }
  yield CANCELLED_EVENT;
}

function noteEnd(request: GuardedRequest, { event, answered }: AttemptEnd, attempt: number): void {
  const { inner, options, noteFailed, noteAnswered } = request;
  if (event.kind !== "failed") {
    noteAnswered();
    return;
  }
  const { model, purpose = "answer" } = options;
  noteFailed({ provider: inner.name, asked: purpose, model, error: event.error, answered, attempt });
}

/** Milliseconds until the same request may be sent again; `undefined` where that would not help or takes too long. */
function retryDelay(end: StreamEvent, made: number, limits: GuardLimits): number | undefined {
  if (end.kind !== "failed" || made >= limits.retries) return undefined;
  const { error } = end;
  if (error.code !== "RATE_LIMITED" && error.code !== "SERVICE_UNAVAILABLE") return undefined;
  // Without a time, "too many requests" may as well mean that the credit is used up.
  const mayPass =
    error.code === "RATE_LIMITED"
      ? error.retryAfterMs !== undefined
      : error.reason === "overloaded" || error.reason === "serverError";
  // Some servers ask for no wait at all, and then refuse again.
  const leastMs = limits.retryDelayMs * (2 ** made - 1);
  const delayMs =
    error.retryAfterMs === undefined ? limits.retryDelayMs * 2 ** made : Math.max(error.retryAfterMs, leastMs);
  return mayPass && delayMs <= limits.maxRetryDelayMs ? delayMs : undefined;
}

/** Waits for a while, or until it is aborted. */
async function pause(clock: Clock, delayMs: number, cancel: CancelSignal): Promise<void> {
  let clear: () => void = () => undefined;
  const waited = new Promise<void>((resolve) => {
    clear = clock.after(delayMs, resolve);
  });
  await raceCancel(waited, cancel, undefined);
  clear();
}

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

/** One request to a provider, watched. It is over when the generator is: whatever still runs has been aborted. */

import type { PreparedContext } from "../context/preparedContext.ts";
import { type CancelSignal, Cancellation, follow, raceCancel } from "../cancellation.ts";
import type { Clock } from "../clock.ts";
import type { Provider, StreamOptions } from "./provider.ts";
import { errorDetail } from "./errorDetail.ts";
import type { Answered } from "./failedRequest.ts";
import { CANCELLED, unavailable } from "./failures.ts";
import { SilenceWatch, type SilenceAlarm, type SilenceLimits } from "./silenceWatch.ts";
import type { StreamEvent } from "./streamEvent.ts";

/** What an attempt needs. */
export interface Attempt {
  readonly inner: Provider;
  readonly clock: Clock;
  readonly limits: SilenceLimits;
  readonly prepared: PreparedContext;
  readonly options: StreamOptions;
}

/** How it ended, whether anything of the answer was handed on before, and what its headers said. */
export interface AttemptEnd {
  readonly event: Extract<StreamEvent, { kind: "done" | "failed" }>;
  readonly shown: boolean;
  readonly answered: Answered;
}

/** Sends the request once. Yields what is not terminal; returns the one terminal event, made up where the stream lacks it. */
export async function* attempt(given: Attempt, cancel: CancelSignal): AsyncGenerator<StreamEvent, AttemptEnd> {
  const { inner, clock, limits } = given;
  const live = new Cancellation();
  const unfollow = follow(cancel, live);
  const watch = new SilenceWatch(clock, limits);
  let shown = false;
  let answered: Answered = {};
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
        yield { kind: "waiting", why: "silent", ms: limits.namedAfterMs };
      } else {
        const { event } = step;
        if (event.kind === "done" || event.kind === "failed") return end(event);
        if (event.kind === "answered") ({ answered } = event);
        const content = isContent(event);
        watch.heard(content);
        shown ||= content;
        if (content || event.kind === "usage") yield event;
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

/** The terminal event of a request that was stopped. */
export const CANCELLED_EVENT: AttemptEnd["event"] = { kind: "failed", error: CANCELLED };

type Step =
  | { readonly kind: "event"; readonly event: StreamEvent }
  | { readonly kind: "ended" }
  | { readonly kind: "cancelled" }
  | { readonly kind: "alarm"; readonly alarm: SilenceAlarm };

/** What comes first: an event, the end, an abort or an alarm. Rejects when the inner stream throws. */
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

function stalled(inner: Provider, alarm: "noBytes" | "noContent", limits: SilenceLimits): AttemptEnd["event"] {
  const seconds = String(Math.round(limits[`${alarm}Ms`] / 1000));
  const what = alarm === "noBytes" ? "Nothing arrived" : "No part of an answer arrived";
  return failed(inner, "stalled", `${what} for ${seconds} seconds.`);
}

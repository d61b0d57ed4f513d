/**
 * Wraps a guarded provider: asks before each request whether it may be sent, and reports after it what was billed,
 * however it ended. The report settles before the terminal event is delivered.
 */

import type { PreparedContext } from "../context/request/preparedContext.ts";
import type { ForgeError } from "../errors.ts";
import type { Provider, StreamOptions } from "./provider.ts";
import type { ProviderUsage, StreamEvent } from "./streamEvent.ts";

export interface MeteredRequest {
  readonly prepared: PreparedContext;
  readonly options: StreamOptions;
}

/** Neither method may reject. */
export interface Meter {
  /** Why the request may not be sent; `undefined` when it may. */
  refusal(request: MeteredRequest): Promise<ForgeError | undefined>;
  /** Called with the usage that the provider reported, if it reported any. */
  billed(request: MeteredRequest, usage: ProviderUsage): Promise<void>;
}

export function meteredProvider(inner: Provider, meter: Meter): Provider {
  return {
    ...inner,
    stream: (prepared, options, cancel) => ({
      [Symbol.asyncIterator]: () =>
        metered(() => inner.stream(prepared, options, cancel)[Symbol.asyncIterator](), meter, { prepared, options }),
    }),
  };
}

/** No generator: a reader that returns early must end the request at once, and a generator would first wait. */
function metered(
  start: () => AsyncIterator<StreamEvent, unknown>,
  meter: Meter,
  request: MeteredRequest,
): AsyncIterator<StreamEvent, void> {
  let events: AsyncIterator<StreamEvent, unknown> | undefined;
  let usage: ProviderUsage | undefined;
  let isRefused = false;
  const settle = async (): Promise<void> => {
    const billed = usage;
    usage = undefined;
    if (billed !== undefined) await meter.billed(request, billed);
  };
  return {
    async next() {
      if (isRefused) return { done: true, value: undefined };
      if (events === undefined) {
        const error = await meter.refusal(request);
        if (error !== undefined) {
          isRefused = true;
          return { done: false, value: { kind: "failed", error } };
        }
        events = start();
      }
      const result = await events.next();
      if (result.done === true) {
        await settle();
        return { done: true, value: undefined };
      }
      const event = result.value;
      if (event.kind === "usage") ({ usage } = event);
      if (event.kind === "done" || event.kind === "failed") await settle();
      return { done: false, value: event };
    },
    async return() {
      await events?.return?.();
      await settle();
      return { done: true, value: undefined };
    },
  };
}

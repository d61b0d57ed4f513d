/** Sends a stream as its script demands: in pieces, delayed, broken, or not at all. */

import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Gate } from "./gate.ts";
import type { Fault, Framing } from "./script.ts";

/** Server-sent events, or one line of JSON per event. */
export type StreamFormat = "sse" | "ndjson";

const CONTENT_TYPES: Readonly<Record<StreamFormat, string>> = {
  sse: "text/event-stream; charset=utf-8",
  ndjson: "application/x-ndjson",
};

export interface WireEvent {
  /** Absent in protocols without event names. */
  readonly event?: string;
  readonly data: string;
  /** Whether it carries a piece of the answer. */
  readonly isContent: boolean;
}

export interface StreamPlan {
  readonly format: StreamFormat;
  readonly events: readonly WireEvent[];
  readonly framing: Framing;
  readonly fault: Fault | undefined;
  /** The protocol's event for an error in mid-stream. */
  readonly errorEvent: (type: string, message: string) => WireEvent;
  /** The gate at which an answer pauses. */
  readonly gate: Gate;
}

/** Writes the stream to its planned end. Resolves when nothing more will be written. */
export async function writeStream(response: ServerResponse, plan: StreamPlan): Promise<void> {
  const { format, fault } = plan;
  const framing = { ...plan.framing, format };
  response.writeHead(200, { "content-type": CONTENT_TYPES[format], "cache-control": "no-cache" });
  response.flushHeaders();
  await wait(response, framing, framing.firstDelayMs ?? 0);
  if (fault?.kind === "cutAtByte") {
    const bytes = Buffer.concat(plan.events.map((event) => frame(event, framing)));
    response.end(bytes.subarray(0, fault.bytes));
    return;
  }
  const whole =
    fault === undefined || !("afterPieces" in fault)
      ? plan.events.length
      : eventsBefore(plan.events, fault.afterPieces);
  await writeEvents(response, plan.events.slice(0, whole), framing);
  switch (fault?.kind) {
    case "kill":
      await flushed(response);
      response.destroy();
      return;
    case "odd": {
      const { event } = plan.events[whole] ?? plan.events.at(-1) ?? {};
      const odd = { ...(event === undefined ? {} : { event }), data: fault.data, isContent: true };
      await writeEvents(response, [odd, ...plan.events.slice(whole)], framing);
      response.end();
      return;
    }
    case "pause":
      await plan.gate.pass(response);
      await writeEvents(response, plan.events.slice(whole), framing);
      response.end();
      return;
    case "stall":
      await wait(response, framing, STALL_MS);
      return;
    case "errorEvent":
      response.end(frame(plan.errorEvent(fault.type, fault.message), framing));
      return;
    case "badJson": {
      const broken = plan.events[whole] ?? { data: "{ }", isContent: false };
      await writeEvents(
        response,
        [{ ...broken, data: broken.data.slice(0, -2) }, ...plan.events.slice(whole + 1)],
        framing,
      );
      response.end();
      return;
    }
    default:
      response.end();
  }
}

/** Longer than any test; a stall ends with the server. */
const STALL_MS = 3_600_000;

/** Number of events before content piece `pieceCount`, or before the events after the last piece. */
function eventsBefore(events: readonly WireEvent[], pieceCount: number): number {
  const positions = events.flatMap((event, index) => (event.isContent ? [index] : []));
  return positions[pieceCount] ?? (positions.at(-1) ?? -1) + 1;
}

interface Framed extends Framing {
  readonly format: StreamFormat;
}

async function writeEvents(response: ServerResponse, given: readonly WireEvent[], framing: Framed): Promise<void> {
  const events =
    framing.doubled === true ? given.flatMap((event) => (event.isContent ? [event] : [event, event])) : given;
  if (framing.pieceBytes !== undefined) {
    const bytes = Buffer.concat(events.map((event) => frame(event, framing)));
    for (let at = 0; at < bytes.length && !response.destroyed; at += framing.pieceBytes) {
      response.write(bytes.subarray(at, at + framing.pieceBytes));
      await new Promise(setImmediate);
    }
    return;
  }
  for (const event of events) {
    if (response.destroyed) return;
    response.write(frame(event, framing));
    await wait(response, framing, framing.delayMs ?? 0);
  }
}

function frame({ event, data }: WireEvent, { format, newline = "\n", comments = false, names }: Framed): Buffer {
  if (format === "ndjson") return Buffer.from(`${comments ? newline : ""}${data}${newline}`);
  const lines = [
    ...(comments ? [": keep-alive", ""] : []),
    ...(event === undefined || names === "missing" ? [] : [`event: ${event}`]),
    ...(event !== undefined && names === "parted" ? [""] : []),
    `data: ${data}`,
  ];
  return Buffer.from(lines.map((line) => line + newline).join("") + newline);
}

async function wait(response: ServerResponse, framing: Framed, delayMs: number): Promise<void> {
  if (delayMs <= 0) return;
  const gone = new AbortController();
  const onClose = (): void => {
    gone.abort();
  };
  response.once("close", onClose);
  const everyMs = framing.keepAliveMs ?? delayMs;
  for (let leftMs = delayMs; leftMs > 0 && !response.destroyed; leftMs -= everyMs) {
    const slept = await sleep(Math.min(everyMs, leftMs), true, { signal: gone.signal, ref: false }).catch(() => false);
    if (slept && framing.keepAliveMs !== undefined) response.write(signOfLife(framing));
  }
  response.off("close", onClose);
}

function signOfLife({ format, newline = "\n" }: Framed): string {
  return format === "ndjson" ? newline : `: keep-alive${newline}`;
}

function flushed(response: ServerResponse): Promise<unknown> {
  return response.writableNeedDrain ? new Promise((resolve) => response.once("drain", resolve)) : sleep(5);
}

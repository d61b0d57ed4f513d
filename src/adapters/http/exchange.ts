/**
 * One request and its answer, shared by the HTTP adapters: read the messages, send, check the response, decode. An
 * adapter supplies only its protocol. Never rejects: every end is an event.
 */

import type { PreparedContext } from "../../core/context/request/preparedContext.ts";
import { type ForgeError, unavailable } from "../../core/errors.ts";
import { tryParseJson } from "../../core/json.ts";
import type { CancelSignal } from "../../core/cancellation.ts";
import { err, ok, type Result } from "../../core/result.ts";
import type { EventQueue } from "../../core/stream/eventQueue.ts";
import { errorDetail } from "../../core/stream/errorDetail.ts";
import type { StreamEvent } from "../../core/stream/streamEvent.ts";
import { isForeignContentType, type OnBytes } from "./boundedResponse.ts";
import { bodyText, decodeUtf8, UnstreamedBody } from "./responseBody.ts";
import { readsAsEvents, tellStream, type ReadsAsStream } from "./mislabelled.ts";
import { readResponseInfo } from "./responseHeaders.ts";
import { errorInBody } from "./errorBody.ts";
import {
  failureInSuccess,
  foreignFailure,
  type RequestFacts,
  type ReportedError,
  toForgeError,
} from "./httpFailure.ts";
import { wasClosedByPeer, type RequestPhase } from "./networkFailure.ts";
import type { AnswerEnding } from "./continuation.ts";
import { restOfAnswer, type RestOfAnswer } from "./restOfAnswer.ts";
import { streamFromWork } from "./streamFromWork.ts";
import type { WireContext } from "../../core/stream/provider.ts";

/** A response whose headers have arrived. Its body is read through `read`, unless it is not a stream. */
export interface OpenResponse<Event> {
  readonly response: Response;
  /** Called with the response, or with one of the same body. */
  readonly read: (response: Response) => AsyncIterable<Event>;
}

/** A protocol, for one request. */
export interface Exchange<Event> {
  readonly facts: RequestFacts;
  /**
   * Sends the request; resolves once the headers have arrived. Must call `onBytes` with each chunk of the body. `tell`
   * takes events that come before all others: what the server will be doing first.
   */
  open(context: WireContext, onBytes: OnBytes, tell: (event: StreamEvent) => void): Promise<OpenResponse<Event>>;
  /** Returns the stream events of one wire event, in order; often none. */
  readonly decode: (event: Event) => readonly StreamEvent[];
  /** Events of an answer that was not streamed although that was asked for; `undefined` when `body` is no answer. */
  eventsOfWhole?(body: unknown): readonly Event[] | undefined;
  /** True if a body with the content type of something else is a stream; default: by the fields of events. */
  readonly readsAsStream?: ReadsAsStream;
  /** Content that was held back, once reading has ended or failed. */
  flush?(): readonly StreamEvent[];
  /** Events to emit once reading has ended or failed; empty when the protocol has its own end event. */
  end(): readonly StreamEvent[];
  /** `undefined` for a failed connection. */
  readError(thrown: unknown): ReportedError | "cancelled" | undefined;
  /** Whether to send the request again in another form after this error. Called only before the first event. */
  adjust?(reported: ReportedError): boolean;
  /** How the answer at the end of the request is continued, as it was sent. */
  readonly ending: Pick<AnswerEnding, "how" | "accepted" | "forget">;
}

/** `live` aborts the request. */
export function exchangeStream<Event>(
  prepared: PreparedContext,
  cancel: CancelSignal,
  live: { abort(): void },
  exchange: Exchange<Event>,
): AsyncIterable<StreamEvent> {
  const abort = (): void => {
    live.abort();
  };
  return streamFromWork(cancel, abort, (queue) => run(prepared, exchange, queue));
}

async function run<Event>(
  prepared: PreparedContext,
  protocol: Exchange<Event>,
  queue: EventQueue<StreamEvent>,
): Promise<void> {
  const facts = { ...protocol.facts, sentTokens: prepared.usage().usedTokens };
  const exchange = { ...protocol, facts };
  let rest: RestOfAnswer | undefined;
  const push = (events: readonly StreamEvent[]): void => {
    for (const event of rest === undefined ? events : events.flatMap((each) => rest?.events(each) ?? [])) {
      queue.push(event);
    }
  };
  let phase: RequestPhase = "connecting";
  try {
    const messages = await prepared.apiMessages();
    if (!messages.ok) {
      push([{ kind: "failed", error: messages.error }]);
      return;
    }
    const { systemPrompt, tools } = prepared;
    const ping = (): void => {
      if (queue.isEmpty) queue.push({ kind: "ping" });
    };
    const context = { systemPrompt, tools, messages: messages.value };
    const { answer, body } = await openWithRetries(exchange, context, queue, ping);
    phase = "streaming";
    protocol.ending.accepted();
    rest = restOfAnswer(messages.value, protocol.ending);
    const { status, headers } = answer.response;
    queue.push({ kind: "answered", answered: readResponseInfo(status, headers) });
    const isForeign = isForeignContentType(headers.get("content-type"));
    const told = isForeign
      ? await tellStream(answer.response, exchange.readsAsStream ?? readsAsEvents)
      : { response: answer.response, isStream: true };
    const events = told.isStream ? ok(answer.read(told.response)) : await eventsOfWholeAnswer(exchange, told.response);
    if (!events.ok) {
      push([{ kind: "failed", error: events.error }]);
      return;
    }
    let isStream = false;
    for await (const event of events.value) {
      isStream = true;
      body.drop();
      push(decodeSafely(exchange, event));
    }
    push(exchange.flush?.() ?? []);
    push(isStream ? exchange.end() : eventsWithoutStream(exchange, decodeUtf8(body.chunks)));
  } catch (thrown) {
    // A failure after a complete answer does not matter.
    push(exchange.flush?.() ?? []);
    const end = phase === "streaming" ? exchange.end() : [];
    const reported = exchange.readError(thrown);
    const error = toForgeError(thrown, reported, { ...facts, phase });
    if (phase === "connecting" && typeof reported === "object") {
      queue.push({ kind: "answered", answered: reported.responseInfo ?? {} });
    }
    push(end.length > 0 ? end : [{ kind: "failed", error }]);
  }
}

/** Servers and gateways without streaming send the whole answer at the end. */
async function eventsOfWholeAnswer<Event>(
  exchange: Exchange<Event>,
  response: Response,
): Promise<Result<readonly Event[], ForgeError>> {
  const body = await bodyText(response);
  const events = exchange.eventsOfWhole?.(tryParseJson(body));
  return events === undefined ? err(foreignFailure(exchange.facts, response.headers, body)) : ok(events);
}

/** Events of a body that contains none, whatever its content type. */
function eventsWithoutStream<Event>(exchange: Exchange<Event>, body: string): readonly StreamEvent[] {
  const events = exchange.eventsOfWhole?.(tryParseJson(body));
  if (events !== undefined) return [...events.flatMap((event) => decodeSafely(exchange, event)), ...exchange.end()];
  const reported = errorInBody(body);
  if (reported === undefined) return exchange.end();
  return [{ kind: "failed", error: failureInSuccess(exchange.facts, reported) }];
}

/** An event that cannot be decoded ends the answer: nothing after it can be trusted. */
function decodeSafely<Event>({ facts, decode }: Exchange<Event>, event: Event): readonly StreamEvent[] {
  try {
    return decode(event);
  } catch (thrown) {
    const detail = errorDetail(`A part of the answer cannot be read: ${String(thrown)}`, facts.secrets);
    return [{ kind: "failed", error: unavailable(facts.provider, "badAnswer", detail) }];
  }
}

/** Limit of attempts with a changed request. */
const MAX_ATTEMPTS = 6;

async function openWithRetries<Event>(
  exchange: Exchange<Event>,
  context: WireContext,
  queue: Pick<EventQueue<StreamEvent>, "push">,
  ping: () => void,
): Promise<{ readonly answer: OpenResponse<Event>; readonly body: UnstreamedBody }> {
  let closed = 0;
  const tell = (event: StreamEvent): void => {
    queue.push(event);
  };
  for (let form = 1; ; form++) {
    const body = new UnstreamedBody();
    const onBytes = (bytes: Uint8Array): void => {
      body.add(bytes);
      ping();
    };
    try {
      return { answer: await exchange.open(context, onBytes, tell), body };
    } catch (thrown) {
      const reported = exchange.readError(thrown);
      // A pooled connection may have been closed by the server, which shows only when it is used again: retried once.
      if (reported === undefined && wasClosedByPeer(thrown) && closed++ === 0) continue;
      const mayRetry = reported !== undefined && reported !== "cancelled" && form < MAX_ATTEMPTS;
      if (!mayRetry || exchange.adjust?.(reported) !== true) throw thrown;
    }
  }
}

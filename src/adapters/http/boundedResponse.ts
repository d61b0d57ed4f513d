/**
 * Limits of what is read of a response, counted after decompression: a few kilobytes may unpack to gigabytes. Every
 * response of a model service goes through here, whatever reads it.
 */

const MB = 1_000_000;

/** In bytes. */
export const BODY_LIMITS = {
  /** One event or line of a stream. */
  event: 16 * MB,
  /** All of a stream: more than twice what the longest answer of today's models takes. */
  answer: 64 * MB,
  /** An answer that is not streamed. */
  whole: 16 * MB,
  /** A list of models, or facts about one. */
  list: 16 * MB,
  /** The start of an error, or of a page, is enough to say what it is. */
  error: 64_000,
} as const;

/** Bytes that are passed on in one go: some hundred events at most. */
const PIECE_BYTES = 8_000;

/** Called with each received chunk of a body. */
export type OnBytes = (bytes: Uint8Array) => void;

/** `events`, `lines`: an answer as server-sent events, or as lines of JSON. */
export type BodyKind = "events" | "lines" | "list";

/** Thrown by the reader of a body that exceeds a limit; its message is for `errorDetail`. */
export class BodyTooLarge extends Error {
  constructor(limit: keyof typeof SUBJECTS) {
    super(`${SUBJECTS[limit]} has more than ${String(BODY_LIMITS[limit] / MB)} MB.`);
  }
}

const SUBJECTS = {
  event: "A part of the answer",
  answer: "The answer",
  whole: "An answer in one piece",
  list: "The list of models",
} as const;

/** The error, among the causes of `thrown`. */
export function bodyTooLargeIn(thrown: unknown): BodyTooLarge | undefined {
  if (thrown instanceof BodyTooLarge) return thrown;
  return thrown instanceof Error && thrown.cause !== undefined ? bodyTooLargeIn(thrown.cause) : undefined;
}

/**
 * The same response. Reading its body ends at a limit, with a {@link BodyTooLarge}, and cancels the request; that of an
 * error or a page just ends. `onBytes` is called with each chunk that is read.
 */
export function boundedResponse(response: Response, kind: BodyKind, onBytes: OnBytes = () => undefined): Response {
  if (response.body === null) return response;
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const bound = boundOf(response, kind);
  let over: keyof typeof BODY_LIMITS | undefined;
  /** Of the last chunk, what is not passed on yet. */
  let rest: Uint8Array = new Uint8Array();
  const bounded = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (rest.length > 0) {
          // A fast server would leave the host no time for anything else.
          await new Promise((resolve) => setImmediate(resolve));
        } else if (over === "error") {
          controller.close();
          return;
        } else if (over !== undefined) {
          controller.error(new BodyTooLarge(over));
          return;
        } else {
          const { done, value } = await reader.read();
          if (done) {
            controller.close();
            return;
          }
          const { length, exceeded } = bound.take(value);
          over = exceeded;
          if (over !== undefined) reader.cancel().catch(() => undefined);
          rest = value.subarray(0, length);
          onBytes(rest);
        }
        controller.enqueue(rest.subarray(0, PIECE_BYTES));
        rest = rest.subarray(PIECE_BYTES);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return new Response(bounded, response);
}

interface Taken {
  /** Bytes of the chunk that are within the limits. */
  readonly length: number;
  readonly exceeded: keyof typeof BODY_LIMITS | undefined;
}

interface Bound {
  take(chunk: Uint8Array): Taken;
}

function boundOf(response: Response, kind: BodyKind): Bound {
  const contentType = response.headers.get("content-type");
  const isForeign = isForeignContentType(contentType);
  if (!response.ok) return new TotalBound("error");
  if (isForeign && (kind !== "list" || !/json/i.test(contentType ?? ""))) return new ForeignBound(kind, contentType);
  return kind === "list" ? new TotalBound("list") : new StreamBound(kind);
}

/** True for a content type that cannot be an event stream: a page, a document, or a whole JSON answer. */
export function isForeignContentType(contentType: string | null): boolean {
  return (
    contentType !== null &&
    /^\s*(?:text\/html|application\/(?:xhtml\+xml|xml|json|problem\+json)|text\/xml|image\/)/i.test(contentType)
  );
}

/** White space, and what an answer or error in JSON begins with: `[` or `{`. */
const SPACES: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x20]);
const OPENINGS: ReadonlySet<number> = new Set([0x5b, 0x7b]);

/** `undefined` for white space alone. */
export function beginsAsJson(bytes: Uint8Array): boolean | undefined {
  const first = bytes.find((byte) => !SPACES.has(byte));
  return first === undefined ? undefined : OPENINGS.has(first);
}

class TotalBound implements Bound {
  readonly #limit: keyof typeof BODY_LIMITS;
  #leftBytes: number;

  constructor(limit: keyof typeof BODY_LIMITS) {
    this.#limit = limit;
    this.#leftBytes = BODY_LIMITS[limit];
  }

  take(chunk: Uint8Array): Taken {
    const length = Math.min(chunk.length, this.#leftBytes);
    this.#leftBytes -= length;
    return { length, exceeded: length < chunk.length ? this.#limit : undefined };
  }
}

/** For what calls itself a page or a whole answer: it may be a stream all the same. */
class ForeignBound implements Bound {
  readonly #kind: BodyKind;
  readonly #isJson: boolean;
  #bound: Bound | undefined;

  constructor(kind: BodyKind, contentType: string | null) {
    this.#kind = kind;
    this.#isJson = /json/i.test(contentType ?? "");
  }

  take(chunk: Uint8Array): Taken {
    this.#bound ??= this.#boundOf(chunk);
    return this.#bound.take(chunk);
  }

  #boundOf(chunk: Uint8Array): Bound {
    if (this.#kind === "events" && EVENT_FIELD.test(String.fromCharCode(...chunk.subarray(0, 20))))
      return new StreamBound("events");
    return new TotalBound(this.#isJson || beginsAsJson(chunk) === true ? "whole" : "error");
  }
}

/** The beginning of an event stream, or of its first piece. */
const EVENT_FIELD = /^\s*(?:d|da|dat|data:.*|e|ev|eve|even|event:?.*|id?|id:.*|r|re|ret|retr|retry:?.*|:.*)$/s;

const LF = 0x0a;
const CR = 0x0d;

/** An event ends with an empty line. */
class StreamBound implements Bound {
  readonly #total = new TotalBound("answer");
  readonly #endsWithLine: boolean;
  /** Bytes since the last event ended. */
  #eventBytes = 0;
  /** Bytes of the current line. */
  #lineBytes = 0;
  #isAfterCr = false;

  constructor(kind: "events" | "lines") {
    this.#endsWithLine = kind === "lines";
  }

  take(chunk: Uint8Array): Taken {
    const { length, exceeded } = this.#total.take(chunk);
    for (let at = 0; at < length; at++) {
      const byte = chunk[at];
      this.#eventBytes++;
      if (byte !== LF && byte !== CR) {
        this.#lineBytes++;
        this.#isAfterCr = false;
        if (this.#eventBytes > BODY_LIMITS.event) return { length: at, exceeded: "event" };
      } else if (byte === LF && this.#isAfterCr) {
        this.#isAfterCr = false;
      } else {
        if (this.#endsWithLine || this.#lineBytes === 0) this.#eventBytes = 0;
        this.#lineBytes = 0;
        this.#isAfterCr = byte === CR;
      }
    }
    return { length, exceeded };
  }
}

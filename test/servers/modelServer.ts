/**
 * The frame of a local model server: a port on 127.0.0.1, rules for answers, a record of requests, an end by itself.
 * The protocols are put in by `anthropicServer.ts`, `openaiServer.ts`, `responsesServer.ts` and `ollamaServer.ts`.
 */

import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { defaultAnswer } from "./defaultAnswer.ts";
import { ScriptBook, type Answer, type Script } from "./script.ts";
import { writeStream, type StreamFormat, type WireEvent } from "./streamWriter.ts";

/** A model on offer. */
export interface ServedModel {
  readonly id: string;
  readonly contextWindow: number;
  readonly maxOutput: number;
  /** Parameters that it refuses, by their paths in a request: `reasoning.effort`. */
  readonly refuses?: readonly string[];
}

/** How a server is set up. */
export interface ServerOptions {
  /** The only key that is let in; left out: nobody is asked for one. */
  readonly key?: string;
  readonly models?: readonly ServedModel[];
  /** The server ends itself after this time; 10 minutes by default. */
  readonly lifeMs?: number;
}

/** A request as it arrived. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Parsed JSON; `undefined` where there was no body. */
  readonly body: unknown;
}

/** A server that runs. */
export interface ModelServer {
  /** "http://127.0.0.1:41234" */
  readonly url: string;
  readonly port: number;
  /** Everything that was asked, oldest first; requests to `/control` are not among it. */
  readonly requests: readonly RecordedRequest[];
  /** How many requests are being answered at this moment. */
  readonly live: number;
  /** Adds rules in front of those that are there. */
  script(...scripts: readonly Script[]): void;
  /** Forgets rules and recorded requests. */
  reset(): void;
  /** Ends every connection and the server. */
  close(): Promise<void>;
}

/** An answer that is no stream. */
export interface PlainAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** What a protocol must be able to do. */
export interface Protocol {
  /** The path of requests for an answer. */
  readonly chatPath: string;
  readonly format: StreamFormat;
  /** Why a request is refused, as the real service would; `undefined` when it is fine. */
  refuse(request: RecordedRequest): PlainAnswer | undefined;
  /** The text that the user said last; for the choice of a rule and the default answer. */
  lastUserText(body: unknown): string;
  events(answer: Answer, body: unknown): readonly WireEvent[];
  errorEvent(type: string, message: string): WireEvent;
  errorBody(type: string, message: string): unknown;
  /** Other paths, such as the list of models; `undefined`: 404. */
  other(request: RecordedRequest): PlainAnswer | undefined;
}

/** Starts a server for `protocol` on a free port. */
export async function startModelServer(protocol: Protocol, options: ServerOptions): Promise<ModelServer> {
  const book = new ScriptBook();
  const requests: RecordedRequest[] = [];
  let live = 0;
  const server = createServer((incoming, response) => {
    void (async () => {
      const path = incoming.url ?? "/";
      const body = await readJson(incoming);
      const request = { method: incoming.method ?? "GET", path, headers: incoming.headers, body };
      if (path.startsWith("/control")) {
        send(response, { status: 200, body: control(path, body, book, requests) });
        return;
      }
      requests.push(request);
      live++;
      response.once("close", () => live--);
      await answer(protocol, request, response, book);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const { port } = address;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      clearTimeout(life);
      server.close(() => {
        resolve();
      });
      server.closeAllConnections();
    });
  const life = setTimeout(() => void close(), options.lifeMs ?? 600_000);
  life.unref();
  return {
    url: `http://127.0.0.1:${String(port)}`,
    port,
    requests,
    get live() {
      return live;
    },
    script: (...scripts) => {
      book.add(scripts);
    },
    reset: () => {
      book.clear();
      requests.length = 0;
    },
    close,
  };
}

/** `POST /control {reset?: true, scripts?: Script[]}` steers; `GET /control/requests` answers what was asked so far. */
function control(path: string, body: unknown, book: ScriptBook, requests: RecordedRequest[]): unknown {
  if (path.startsWith("/control/requests")) return requests;
  if (member(body, "reset") === true) {
    book.clear();
    requests.length = 0;
  }
  const scripts = member(body, "scripts");
  if (isScripts(scripts)) book.add(scripts);
  return { ok: true };
}

/** Trusts the test that says it: only the outer shape is looked at. */
function isScripts(value: unknown): value is readonly Script[] {
  return Array.isArray(value) && value.every((script) => typeof script === "object" && script !== null);
}

async function answer(
  protocol: Protocol,
  request: RecordedRequest,
  response: ServerResponse,
  book: ScriptBook,
): Promise<void> {
  const [path] = request.path.split("?");
  const script = path === protocol.chatPath ? book.take(protocol.lastUserText(request.body)) : {};
  const { fault } = script;
  if (fault?.kind === "noHeaders") return;
  if (fault?.kind === "raw") {
    response.writeHead(fault.status, fault.contentType === null ? {} : { "content-type": fault.contentType });
    response.end(fault.body);
    return;
  }
  if (fault?.kind === "status") {
    const { status, headers = {}, type = "api_error", message = `status ${String(status)}` } = fault;
    send(response, { status, body: protocol.errorBody(type, message) }, headers);
    return;
  }
  const other = path === protocol.chatPath ? undefined : protocol.other(request);
  if (path !== protocol.chatPath && other === undefined) {
    send(response, { status: 404, body: protocol.errorBody("not_found_error", "Not Found") });
    return;
  }
  const plain = protocol.refuse(request) ?? other;
  if (plain !== undefined) {
    send(response, plain);
  } else if (fault?.kind === "html") {
    response.writeHead(200, { "content-type": "text/html" });
    response.end(
      "<!doctype html><html><head><title>Sign in</title></head><body><h1>Sign in to the network</h1></body></html>",
    );
  } else if (fault?.kind === "jsonError") {
    send(response, { status: 200, body: protocol.errorBody(fault.type, fault.message) });
  } else {
    const said = script.answer ?? defaultAnswer(protocol.lastUserText(request.body));
    const events = protocol.events(said, request.body);
    const errorEvent = protocol.errorEvent.bind(protocol);
    await writeStream(response, { format: protocol.format, events, framing: script.framing ?? {}, fault, errorEvent });
  }
}

function send(
  response: ServerResponse,
  { status, body }: PlainAnswer,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

async function readJson(incoming: IncomingMessage): Promise<unknown> {
  let text = "";
  incoming.setEncoding("utf8");
  for await (const chunk of incoming) text += String(chunk);
  const body: unknown = text === "" ? undefined : JSON.parse(text);
  return body;
}

/** A field of a value of any kind. */
export function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** A field that is a list; empty where it is none. */
export function list(value: unknown, name: string): readonly unknown[] {
  const found = member(value, name);
  return Array.isArray(found) ? found : [];
}

/** A field that is text; empty where it is none. */
export function text(value: unknown, name: string): string {
  const found = member(value, name);
  return typeof found === "string" ? found : "";
}

/** Splits as an answer wants it, never inside a character. */
export function pieces(text: string, { chunkChars = 12, emptyPieces = false }: Answer): readonly string[] {
  const characters = Array.from(text);
  const count = Math.ceil(characters.length / chunkChars);
  const filled = Array.from({ length: count }, (_, index) =>
    characters.slice(index * chunkChars, (index + 1) * chunkChars).join(""),
  );
  return emptyPieces ? ["", ...filled.flatMap((piece) => [piece, ""])] : filled;
}

/** A rough count, good enough to refuse what is far too large and to bill the rest. */
export function estimateTokens(value: unknown): number {
  return Math.ceil((typeof value === "string" ? value : JSON.stringify(value)).length / 4);
}

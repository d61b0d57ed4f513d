/**
 * The protocol-independent part of a local model server on 127.0.0.1: scripts, recorded requests, a limited lifetime.
 * `anthropicServer.ts`, `openaiServer.ts`, `responsesServer.ts` and `ollamaServer.ts` supply the protocols.
 */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { defaultAnswer } from "./defaultAnswer.ts";
import { Gate } from "./gate.ts";
import type { ModelServer, PlainAnswer, Protocol, RecordedRequest, ServerOptions } from "./protocol.ts";
import { ScriptBook, type Script } from "./script.ts";
import { writeStream } from "./streamWriter.ts";
import { member } from "./wireJson.ts";

export async function startModelServer(protocol: Protocol, options: ServerOptions): Promise<ModelServer> {
  const book = new ScriptBook();
  const gate = new Gate();
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
      await answer({ protocol, request, response, gate, script: scriptFor(protocol, request, book) });
    })();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
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
      if (scripts.some(({ fault }) => fault?.kind === "pause")) gate.shut();
      book.add(scripts);
    },
    goOn: () => {
      gate.open();
    },
    reset: () => {
      gate.shut();
      book.clear();
      requests.length = 0;
    },
    close,
  };
}

/** `POST /control {reset?: true, scripts?: Script[]}` adds scripts; `GET /control/requests` returns requests. */
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

/** Checks the outer shape only: tests are trusted. */
function isScripts(value: unknown): value is readonly Script[] {
  return Array.isArray(value) && value.every((script) => typeof script === "object" && script !== null);
}

/** The script for a request; empty if it does not ask for an answer. */
function scriptFor(protocol: Protocol, { path, body }: RecordedRequest, book: ScriptBook): Script {
  return path.split("?")[0] === protocol.chatPath ? book.take(protocol.lastUserText(body)) : {};
}

interface Asked {
  readonly protocol: Protocol;
  readonly request: RecordedRequest;
  readonly response: ServerResponse;
  readonly script: Script;
  readonly gate: Gate;
}

async function answer({ protocol, request, response, script, gate }: Asked): Promise<void> {
  const [path] = request.path.split("?");
  const { fault } = script;
  if (fault?.kind === "noHeaders") return;
  if (fault?.kind === "closed") {
    response.destroy();
    return;
  }
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
    const { format } = protocol;
    await writeStream(response, { format, events, framing: script.framing ?? {}, fault, errorEvent, gate });
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

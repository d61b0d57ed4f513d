/** Servers that send without an end, packed so that a few bytes on the wire become megabytes. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline, Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { createAnthropicProvider } from "../../../src/adapters/anthropic/client.ts";
import { BODY_LIMITS } from "../../../src/adapters/http/boundedResponse.ts";
import { createOllamaProvider } from "../../../src/adapters/ollama/client.ts";
import { createOpenAiProvider } from "../../../src/adapters/openai/client.ts";
import { modelId } from "../../../src/core/ids.ts";
import { guardedProvider } from "../../../src/core/stream/guardedProvider.ts";
import type { Provider } from "../../../src/core/stream/provider.ts";
import { realClock } from "../../support/clocks.ts";
import { ask, nameOf, NEVER } from "../../support/models/providerRequests.ts";

/** What the server sends, in order; the last part without an end. */
interface Body {
  readonly status?: number;
  readonly type: string;
  readonly first?: string;
  readonly forever: string;
}

/** Bytes that may have been read beyond a limit: chunks on their way. */
const SLACK_BYTES = 1_000_000;

const LONG = "x".repeat(50_000);

describe("S8 a response without an end", () => {
  let server: Server;
  let body: Body;
  /** Of the body of which most was read. */
  let readBytes = 0;
  let url = "";

  before(async () => {
    server = createServer((request, response) => {
      request.resume().on("end", () => {
        send(response, body);
      });
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    readBytes = 0;
  });

  /** Counts the bytes that are taken from each body. */
  const countingFetch: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    let bytes = 0;
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.length;
        readBytes = Math.max(readBytes, bytes);
        controller.enqueue(chunk);
      },
    });
    return response.body === null ? response : new Response(response.body.pipeThrough(counter), response);
  };

  const providers: Readonly<Record<string, () => Provider>> = {
    anthropic: () => createAnthropicProvider({ apiKey: "k", baseUrl: url, fetch: countingFetch }),
    responses: () =>
      createOpenAiProvider({
        name: "openai",
        label: "",
        apiKey: "k",
        baseUrl: url,
        wire: "responses",
        fetch: countingFetch,
      }),
    chat: () => createOpenAiProvider({ name: "openaiCompatible", label: "", baseUrl: url, fetch: countingFetch }),
    ollama: () => createOllamaProvider({ baseUrl: url, fetch: countingFetch }),
  };
  const guarded = (name: string): Provider => {
    const make = providers[name];
    assert.ok(make);
    return guardedProvider(make(), realClock, { retries: 0 });
  };
  /** One piece of text, and what comes before the first. */
  const streams: Readonly<Record<string, readonly [first: string, piece: string]>> = {
    anthropic: [
      event({ type: "message_start", message: { content: [] } }) +
        event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
      event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: LONG } }),
    ],
    responses: ["", event({ type: "response.output_text.delta", output_index: 0, delta: LONG })],
    chat: ["", event({ choices: [{ delta: { content: LONG } }] })],
    ollama: ["", `${JSON.stringify({ message: { content: LONG } })}\n`],
  };

  for (const [name, [first, piece]] of Object.entries(streams)) {
    const type = name === "ollama" ? "application/x-ndjson" : "text/event-stream";
    it(`is read up to the limit of an answer, which is kept: ${name}`, async () => {
      body = { type, first, forever: piece };
      const { text, end } = await ask(guarded(name), modelId("m"));
      const pieces = Math.floor((BODY_LIMITS.answer - first.length) / piece.length);
      assert.deepEqual([text.length, errorOf(end)], [pieces * LONG.length, "tooLarge The answer has more than 64 MB."]);
      assertReadUpTo(BODY_LIMITS.answer);
    });

    for (const [what, forever] of [
      ["in one line", "x"],
      ["in lines of one event", ": x\n"],
    ] as const) {
      if (name === "ollama" && forever.includes("\n")) continue;
      it(`is read up to the limit of an event, ${what}, and what came before is kept: ${name}`, async () => {
        body = { type, first: first + piece, forever: forever.repeat(100_000) };
        const { text, end } = await ask(guarded(name), modelId("m"));
        assert.deepEqual([text === LONG, errorOf(end)], [true, "tooLarge A part of the answer has more than 16 MB."]);
        assertReadUpTo(BODY_LIMITS.event + first.length + piece.length);
      });
    }

    it(`is read up to the limit of an answer in one piece: ${name}`, async () => {
      body = { type: "application/json", first: '{"a":"', forever: LONG };
      const { end } = await ask(guarded(name), modelId("m"));
      assert.equal(errorOf(end), "tooLarge An answer in one piece has more than 16 MB.");
      assertReadUpTo(BODY_LIMITS.whole);
    });

    for (const [what, page, expected] of [
      ["an error", { status: 500, type: "application/json", first: '{"error":{"message":"' }, "serverError"],
      ["a refusal", { status: 400, type: "text/plain" }, "badRequest"],
      ["a page", { type: "text/html", first: "<html>" }, "notAStream"],
    ] as const) {
      it(`is read as far as ${what} is: ${name}`, async () => {
        body = { ...page, forever: LONG };
        const { end } = await ask(guarded(name), modelId("m"));
        assert.equal(nameOf(end), expected);
        assertReadUpTo(BODY_LIMITS.error);
      });
    }

    for (const [what, list, limit, expected] of [
      ["a list", { type: "application/json", first: '{"data":[{"id":"' }, BODY_LIMITS.list, "tooLarge"],
      ["an error", { status: 500, type: "application/json" }, BODY_LIMITS.error, "serverError"],
      ["a page", { type: "text/html" }, BODY_LIMITS.error, "notAStream"],
    ] as const) {
      it(`is read as far as ${what} is, where models are listed: ${name}`, async () => {
        body = { ...list, forever: LONG };
        const listed = await guarded(name).listModels(NEVER);
        assert.equal(listed.ok || listed.error.code !== "SERVICE_UNAVAILABLE" ? "" : listed.error.reason, expected);
        assertReadUpTo(limit);
      });
    }
  }

  function assertReadUpTo(limit: number): void {
    assert.ok(readBytes <= limit + SLACK_BYTES, `${String(readBytes)} bytes were read`);
  }
});

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

function errorOf(end: Parameters<typeof nameOf>[0]): string {
  if (end === undefined || !("error" in end) || end.error.code !== "SERVICE_UNAVAILABLE") return nameOf(end);
  return `${end.error.reason} ${end.error.detail}`;
}

/** Each part is packed by itself: packed parts one after the other are packed data, too. */
function send(response: ServerResponse, { status = 200, type, first = "", forever }: Body): void {
  response.writeHead(status, { "content-type": type, "content-encoding": "gzip" });
  const [start, rest] = [gzipSync(first), gzipSync(forever)];
  function* parts(): Generator<Buffer> {
    yield start;
    for (;;) yield rest;
  }
  pipeline(Readable.from(parts()), response, () => undefined);
}

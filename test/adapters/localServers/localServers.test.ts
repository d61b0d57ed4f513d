import assert from "node:assert/strict";
import { createServer, type Server, type ServerResponse } from "node:http";
import {
  findLocalServers,
  LOCAL_SERVER_KINDS,
  type LocalPort,
  type LocalServerKind,
} from "../../../src/adapters/localServers/localServers.ts";
import type { ModelServer } from "../../servers/protocol.ts";
import { startOllamaServer } from "../../servers/ollamaServer.ts";
import { startOpenAiServer } from "../../servers/openaiServer.ts";

describe("findLocalServers", () => {
  const models: ModelServer[] = [];
  const others: Server[] = [];
  afterEach(async () => {
    await Promise.all(models.splice(0).map((server) => server.close()));
    for (const server of others.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  const check = async (ports: readonly LocalPort[], expected: readonly object[]): Promise<void> => {
    const startedMs = performance.now();
    assert.deepEqual(await findLocalServers(ports), expected);
    assert.ok(performance.now() - startedMs < 1_500, "it takes no time that anybody notices");
  };
  const keep = async (starting: Promise<ModelServer>): Promise<ModelServer> => {
    const server = await starting;
    models.push(server);
    return server;
  };
  const other = async (answer: (response: ServerResponse) => unknown): Promise<number> => {
    const server = createServer((_, response) => answer(response));
    others.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    return typeof address === "object" && address !== null ? address.port : 9;
  };

  it("finds nothing when no server listens", () =>
    check(
      [
        { kind: "ollama", port: 9 },
        { kind: "vllm", port: 9 },
      ],
      [],
    ));
  it("recognizes each kind of server by its answer", async () => {
    const ollama = await keep(startOllamaServer());
    const studio = await keep(startOpenAiServer({ dialect: "lmStudio" }));
    const llama = await keep(startOpenAiServer({ dialect: "llamaCpp" }));
    const vllm = await keep(startOpenAiServer({ dialect: "vllm" }));
    const found = (kind: LocalServerKind, { url }: ModelServer, modelCount: number): object => {
      return { kind, baseUrl: kind === "ollama" ? url : `${url}/v1`, modelCount };
    };
    const ports: readonly LocalPort[] = [
      { kind: "vllm", port: vllm.port },
      { kind: "ollama", port: ollama.port },
      { kind: "lmStudio", port: studio.port },
      { kind: "llamaCpp", port: llama.port },
    ];
    const all = [
      found("ollama", ollama, 5),
      found("lmStudio", studio, 4),
      found("llamaCpp", llama, 4),
      found("vllm", vllm, 4),
    ];
    await check(ports, all);
    for (const { requests } of models) {
      assert.deepEqual(
        requests.map(({ method, headers }) => [method, headers.authorization]),
        [["GET", undefined]],
      );
    }
  });
  it("L6 recognizes a server that names itself at the port of another kind, once", async () => {
    const llama = await keep(startOpenAiServer({ dialect: "llamaCpp" }));
    const vllm = await keep(startOpenAiServer({ dialect: "vllm" }));
    const ports = [llama, vllm].flatMap(({ port }) =>
      (["vllm", "lmStudio", "llamaCpp"] as const).map((kind) => ({ kind, port })),
    );
    await check(ports, [
      { kind: "llamaCpp", baseUrl: `${llama.url}/v1`, modelCount: 4 },
      { kind: "vllm", baseUrl: `${vllm.url}/v1`, modelCount: 4 },
    ]);
  });
  it("L6 finds two servers of one kind at their two usual ports, and one that loads its model", async () => {
    const llama = await keep(startOpenAiServer({ dialect: "llamaCpp" }));
    const body = JSON.stringify({ error: { message: "Loading model", type: "unavailable_error", code: 503 } });
    const loading = await other((response) =>
      response.writeHead(503, { "content-type": "application/json" }).end(body),
    );
    const overloaded = await other((response) =>
      response.writeHead(503, { "content-type": "application/json" }).end('{"error":{"message":"Overloaded"}}'),
    );
    await check(
      [loading, llama.port, overloaded].map((port) => ({ kind: "llamaCpp" as const, port })),
      [
        { kind: "llamaCpp", baseUrl: `http://127.0.0.1:${loading}/v1`, modelCount: 0 },
        { kind: "llamaCpp", baseUrl: `${llama.url}/v1`, modelCount: 4 },
      ],
    );
  });
  it("ignores other services on the same ports", async () => {
    const page = await other((response) => response.end("<h1>It works</h1>"));
    const json = await other((response) => response.writeHead(200, { "content-type": "application/json" }).end("{}"));
    const broken = await other((response) => response.socket?.destroy());
    for (const port of [page, json, broken]) {
      await check(
        LOCAL_SERVER_KINDS.map((kind) => ({ kind, port })),
        [],
      );
    }
  });
  it("does not follow redirects", async () => {
    const ollama = await keep(startOllamaServer());
    const elsewhere = await other((response) => response.writeHead(307, { location: `${ollama.url}/api/tags` }).end());
    await check([{ kind: "ollama", port: elsewhere }], []);
    assert.equal(ollama.requests.length, 0);
  });
  it("does not wait for a silent server", async () => {
    const silent = await other(() => undefined);
    await check(
      [
        { kind: "ollama", port: silent },
        { kind: "vllm", port: silent },
      ],
      [],
    );
  });
});

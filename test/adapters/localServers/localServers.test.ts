import assert from "node:assert/strict";
import { createServer, type Server, type ServerResponse } from "node:http";
import {
  findLocalServers,
  LOCAL_SERVER_KINDS,
  type LocalServerKind,
} from "../../../src/adapters/localServers/localServers.ts";
import type { ModelServer } from "../../servers/protocol.ts";
import { startOllamaServer } from "../../servers/ollamaServer.ts";
import { startOpenAiServer } from "../../servers/openaiServer.ts";

/** Port 9 (discard) on this machine: nothing listens there, and the system never assigns it. */
const NOBODY = 9;

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

  const check = async (ports: Partial<Record<LocalServerKind, number>>, expected: readonly object[]): Promise<void> => {
    const nowhere = { ollama: NOBODY, lmStudio: NOBODY, llamaCpp: NOBODY, vllm: NOBODY };
    const startedMs = performance.now();
    assert.deepEqual(await findLocalServers({ ...nowhere, ...ports }), expected);
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
    return typeof address === "object" && address !== null ? address.port : NOBODY;
  };

  it("finds nothing when no server listens", () => check({}, []));
  it("recognizes each kind of server by its answer", async () => {
    const ollama = await keep(startOllamaServer());
    const studio = await keep(startOpenAiServer({ dialect: "lmStudio" }));
    const llama = await keep(startOpenAiServer({ dialect: "llamaCpp" }));
    const vllm = await keep(startOpenAiServer({ dialect: "vllm" }));
    const found = (kind: LocalServerKind, { url }: ModelServer, modelCount: number): object => {
      return { kind, baseUrl: kind === "ollama" ? url : `${url}/v1`, modelCount };
    };
    await check({ ollama: ollama.port, lmStudio: studio.port, llamaCpp: llama.port, vllm: vllm.port }, [
      found("ollama", ollama, 5),
      found("lmStudio", studio, 4),
      found("llamaCpp", llama, 4),
      found("vllm", vllm, 4),
    ]);
    for (const { requests } of models) {
      assert.deepEqual(
        requests.map(({ method, headers }) => [method, headers.authorization]),
        [["GET", undefined]],
      );
    }
  });
  it("ignores other services on the same ports", async () => {
    const page = await other((response) => response.end("<h1>It works</h1>"));
    const json = await other((response) => response.writeHead(200, { "content-type": "application/json" }).end("{}"));
    const broken = await other((response) => response.socket?.destroy());
    for (const port of [page, json, broken]) {
      await check(Object.fromEntries(LOCAL_SERVER_KINDS.map((kind) => [kind, port])), []);
    }
  });
  it("does not follow redirects", async () => {
    const ollama = await keep(startOllamaServer());
    const elsewhere = await other((response) => response.writeHead(307, { location: `${ollama.url}/api/tags` }).end());
    await check({ ollama: elsewhere }, []);
    assert.equal(ollama.requests.length, 0);
  });
  it("does not wait for a silent server", async () => {
    const silent = await other(() => undefined);
    await check({ ollama: silent, vllm: silent }, []);
  });
});

import assert from "node:assert/strict";
import { USUAL_PORTS, type LocalPort } from "../../../src/adapters/localServers/localServers.ts";
import { FoundServers, usualPorts } from "../../../src/host/connections/foundServers.ts";
import { startOpenAiServer } from "../../servers/openaiServer.ts";

const clock = { nowMs: () => 0 };

describe("FoundServers", () => {
  for (const [given, expected] of [
    [undefined, USUAL_PORTS],
    ["", []],
    ["ollama:4711", [{ kind: "ollama", port: 4711 }]],
    [
      "llamaCpp:9000 vllm:9001",
      [
        { kind: "llamaCpp", port: 9000 },
        { kind: "vllm", port: 9001 },
      ],
    ],
    ["llamaCpp:0 vllm:65536 tides:80 ollama ollama:x ollama:http://gw.example", []],
  ] as const) {
    it(`L7 looks at ${expected.length} ports for ${JSON.stringify(given)} in the environment`, () => {
      assert.deepEqual(usualPorts(given === undefined ? {} : { FORGE_LOCAL_PORTS: given }), expected);
    });
  }

  it("L7 finds nothing but what listens at the ports that it was given", async () => {
    const llama = await startOpenAiServer({ dialect: "llamaCpp" });
    try {
      const looking = async (ports: readonly LocalPort[]) => new FoundServers(clock, storage(), ports).search();
      assert.deepEqual(await looking([]), []);
      assert.deepEqual(await looking([{ kind: "llamaCpp", port: llama.port }]), [
        { kind: "llamaCpp", baseUrl: `${llama.url}/v1`, modelCount: 4 },
      ]);
    } finally {
      await llama.close();
    }
  });

  it("L6 remembers where a server of this machine was used, in another window, too", async () => {
    const llama = await startOpenAiServer({ dialect: "llamaCpp" });
    try {
      const stored = storage();
      const first = new FoundServers(clock, stored, [{ kind: "vllm", port: 9 }]);
      for (const address of [
        "https://gw.example/v1",
        "http://192.168.1.7:8000/v1",
        "http://127.0.0.1/v1",
        "http://127.0.0.1:9/v1",
        `${llama.url}/v1`,
        `${llama.url}/v1`,
      ])
        first.remember("vllm", address);
      assert.deepEqual(stored.get("forge.localPorts"), [{ kind: "vllm", port: llama.port }]);
      const second = new FoundServers(clock, stored, []);
      assert.deepEqual(await second.search(), [{ kind: "llamaCpp", baseUrl: `${llama.url}/v1`, modelCount: 4 }]);
      assert.deepEqual(second.views, [{ label: "llama.cpp", command: "useLlamaCpp", modelCount: 4 }]);
    } finally {
      await llama.close();
    }
  });

  it("L6 offers two servers of one kind as one, and ignores what else the storage holds", async () => {
    const servers = [
      await startOpenAiServer({ dialect: "llamaCpp" }),
      await startOpenAiServer({ dialect: "llamaCpp" }),
    ];
    try {
      const odd = storage([{ kind: "llamaCpp", port: "x" }, null, "tides", { kind: "oddities", port: 80 }]);
      const ports = servers.map(({ port }) => ({ kind: "llamaCpp" as const, port }));
      const found = new FoundServers(clock, odd, ports);
      assert.deepEqual(
        (await found.search()).map(({ baseUrl }) => baseUrl),
        servers.map(({ url }) => `${url}/v1`),
      );
      assert.deepEqual(found.views, [{ label: "llama.cpp", command: "useLlamaCpp", modelCount: 8 }]);
    } finally {
      for (const server of servers) await server.close();
    }
  });
});

function storage(ports?: unknown) {
  const values = new Map<string, unknown>(ports === undefined ? [] : [["forge.localPorts", ports]]);
  return {
    get: (key: string) => values.get(key),
    update: (key: string, value: unknown) => {
      values.set(key, value);
      return Promise.resolve();
    },
  };
}

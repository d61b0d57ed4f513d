import assert from "node:assert/strict";
import { deleteModel, pullModel, storedModels, type PullProgress } from "../../../src/adapters/ollama/modelStore.ts";
import { startOllamaStore, type OllamaStore, type OllamaStoreOptions } from "../../servers/ollamaStore.ts";
import { whenTrue } from "../../support/whenTrue.ts";

const GB = 1_000_000_000;
const never = (): AbortSignal => new AbortController().signal;

describe("29.3 models on an Ollama server's disk", () => {
  let store: OllamaStore | undefined;
  afterEach(() => store?.close());
  const start = async (options: OllamaStoreOptions): Promise<OllamaStore> => (store = await startOllamaStore(options));

  async function pulled(
    baseUrl: string,
    model: string,
    onProgress: (progress: PullProgress) => void = () => undefined,
    signal = never(),
  ) {
    const progress: PullProgress[] = [];
    const result = await pullModel({ baseUrl }, model, signal, (now) => {
      progress.push(now);
      onProgress(now);
    });
    return { result, progress };
  }

  it("are listed with their sizes", async () => {
    const { url } = await start({ stored: { "qwen3:8b": 5 * GB, "tiny:latest": 90_000_000 } });
    assert.deepEqual(await storedModels({ baseUrl: `${url}/v1` }, never()), {
      ok: true,
      value: [
        { name: "qwen3:8b", sizeBytes: 5 * GB },
        { name: "tiny:latest", sizeBytes: 90_000_000 },
      ],
    });
  });

  it("are fetched with the progress of all their parts, which never goes back", async () => {
    const { url, stored, requests } = await start({ offered: { qwen3: { parts: [4 * GB, GB, 400] } } });
    const { result, progress } = await pulled(url, "qwen3");
    assert.deepEqual(result, { ok: true, value: undefined });
    assert.deepEqual([...stored], [["qwen3:latest", 5 * GB + 400]]);
    assert.deepEqual(requests, [["POST /api/pull", { model: "qwen3", name: "qwen3", stream: true }]]);
    const fetched = progress.map(({ fetchedBytes }) => fetchedBytes);
    assert.deepEqual(
      fetched.toSorted((one, other) => one - other),
      fetched,
    );
    assert.deepEqual(
      [progress[0], progress[1], progress.at(-1)],
      [
        { totalBytes: 0, fetchedBytes: 0, isChecking: false },
        { totalBytes: 4 * GB, fetchedBytes: 0, isChecking: false },
        { totalBytes: 5 * GB + 400, fetchedBytes: 5 * GB + 400, isChecking: true },
      ],
    );
  });

  it("are no longer fetched once that is cancelled, and go on from there", async () => {
    const server = await start({ offered: { m: { parts: [10 * GB] } }, paceMs: 1 });
    const ended = new AbortController();
    const cancelAtHalf = ({ fetchedBytes }: PullProgress): void => {
      if (fetchedBytes >= 5 * GB) ended.abort();
    };
    const first = await pulled(server.url, "m", cancelAtHalf, ended.signal);
    assert.deepEqual(first.result, { ok: false, error: { kind: "cancelled" } });
    await whenTrue(() => server.live === 0);
    const stopped = server.fetched.get("m") ?? 0;
    assert.ok(stopped < 10 * GB, "the server stops");
    const { result, progress } = await pulled(server.url, "m");
    assert.deepEqual([result.ok, progress[1]?.fetchedBytes], [true, stopped]);
  });

  it("are not fetched when that is cancelled before the server answers", async () => {
    const { url, requests } = await start({});
    const { result } = await pulled(url, "m", undefined, AbortSignal.abort());
    assert.deepEqual([result, requests], [{ ok: false, error: { kind: "cancelled" } }, []]);
  });

  it("go on after a pull that broke in the middle, whose progress is told", async () => {
    for (const kind of ["cut", "reset"] as const) {
      const { url, close } = await start({
        offered: { m: { parts: [GB, GB], fault: { afterBytes: 1.5 * GB, kind } } },
      });
      const first = await pulled(url, "m");
      assert.deepEqual(first.result, { ok: false, error: { kind: "cutOff" } }, kind);
      assert.equal((await pulled(url, "m")).result.ok, true);
      await close();
    }
  });

  const messages: readonly (readonly [message: string, kind: string])[] = [
    ["write /root/.ollama/models/blobs/sha256-00e1-partial: no space left on device", "diskFull"],
    ["max retries exceeded: write D:\\models\\sha256-1-partial: There is not enough space on the disk.", "diskFull"],
    ["write /srv/models/blobs/sha256-1: disk quota exceeded", "diskFull"],
    ["pull model manifest: file does not exist", "unknownModel"],
    ["pull model manifest: 404: 404 page not found", "unknownModel"],
    ['pull model manifest: 401: {"error":"Invalid username or password."}', "unknownModel"],
    ["invalid model name", "badName"],
    [
      "pull model manifest: 412: \n\nThe model you are attempting to pull requires a newer version of Ollama.",
      "outdated",
    ],
    ["pull model manifest: 403: Access to this model is restricted", "notAllowed"],
    ["unauthorized", "notAllowed"],
    [
      'pull model manifest: Get "https://registry.ollama.ai/v2/library/m/manifests/latest": dial tcp: lookup registry.ollama.ai: no such host',
      "registry",
    ],
    ["max retries exceeded: EOF", "registry"],
    ["Head https://r2.example/blob: net/http: TLS handshake timeout", "registry"],
    ["tls: failed to verify certificate: x509: certificate signed by unknown authority", "registry"],
    ["pull model manifest: 503: upstream connect error", "registry"],
  ];
  for (const [message, kind] of messages) {
    it(`are not fetched, ${kind}: ${message.slice(0, 60).trim()}`, async () => {
      const { url, stored } = await start({
        offered: { m: { parts: [GB], fault: { afterBytes: GB / 2, kind: "error", message } } },
      });
      const { result } = await pulled(url, "m");
      assert.deepEqual([result, stored.size], [{ ok: false, error: { kind } }, 0]);
    });
  }

  it("are not fetched for a reason of its own, which is told without keys", async () => {
    const message = "digest mismatch, file must be downloaded again: want sha256:aa, got sk-secret-1";
    const { url } = await start({ offered: { m: { parts: [9], fault: { afterBytes: 0, kind: "error", message } } } });
    const result = await pullModel({ baseUrl: url, apiKey: "sk-secret-1" }, "m", never(), () => undefined);
    assert.ok(!result.ok && result.error.kind === "other");
    assert.match(result.error.detail, /^digest mismatch, file must be downloaded again: want sha256:aa, got (?!sk-)/);
  });

  it("that nobody offers, or on a server that is not there, are told as that", async () => {
    const { url, close } = await start({});
    assert.deepEqual((await pulled(url, "nothing")).result, { ok: false, error: { kind: "unknownModel" } });
    await close();
    const gone = { ok: false, error: { kind: "unreachable" } };
    assert.deepEqual((await pulled(url, "m")).result, gone);
    assert.deepEqual(await storedModels({ baseUrl: url }, never()), gone);
    assert.deepEqual(await deleteModel({ baseUrl: url }, "m", never()), gone);
  });

  it("are deleted, once", async () => {
    const { url, stored, requests } = await start({ stored: { a: GB, b: GB } });
    assert.deepEqual(await deleteModel({ baseUrl: url }, "a", never()), { ok: true, value: undefined });
    assert.deepEqual(await deleteModel({ baseUrl: url }, "a", never()), { ok: false, error: { kind: "unknownModel" } });
    assert.deepEqual([...stored.keys()], ["b"]);
    assert.deepEqual(requests[0], ["DELETE /api/delete", { model: "a", name: "a" }]);
  });
});

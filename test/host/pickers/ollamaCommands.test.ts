import assert from "node:assert/strict";
import type { ModelServices } from "../../../src/host/connections/modelServices.ts";
import type { OllamaCommands } from "../../../src/host/pickers/ollamaCommands.ts";
import { startOllamaStore, type OllamaStore, type OllamaStoreOptions } from "../../servers/ollamaStore.ts";
import {
  beginAnew,
  cancel,
  give,
  happened,
  optionsOf,
  take,
  withQuestions,
} from "../../support/editor/fakeQuestions.ts";
import { whenTrue } from "../../support/whenTrue.ts";

const load = () => withQuestions(async () => import("../../../src/host/pickers/ollamaCommands.ts"));
const FETCH = "Forge: Fetch a Model for Ollama";
const DELETE = "Forge: Delete a Model of Ollama";
const GB = 1_000_000_000;

describe("29.3 the models of Ollama", () => {
  let store: OllamaStore;
  /** Models that the conversation was switched to. */
  let switched: unknown[];
  beforeEach(() => {
    beginAnew();
    switched = [];
  });
  afterEach(() => store.close());

  async function start(options: OllamaStoreOptions, current = "other"): Promise<OllamaCommands> {
    store = await startOllamaStore(options);
    const { OllamaCommands } = await load();
    let found: readonly object[] = [];
    const given: unknown = {
      settings: { current: { addresses: { ollama: "http://127.0.0.1:11434" } } },
      providers: { isSetUp: () => false, addressOf: () => "http://127.0.0.1:11434" },
      foundServers: {
        get found() {
          return found;
        },
        search: () => {
          found = [{ kind: "ollama", baseUrl: store.url, modelCount: store.stored.size }];
          return Promise.resolve(found);
        },
      },
      secrets: { keyFor: () => Promise.resolve(undefined) },
      connections: {
        reset: () => undefined,
        models: () => Promise.resolve(undefined),
        resolve: (choice: object) => Promise.resolve(choice),
      },
    };
    const session: unknown = {
      connection: { providerName: current === "other" ? "offline" : "ollama", model: current },
      switchModel: (connection: unknown) => void switched.push(connection),
    };
    const keyboard = {
      afterPrompt: () => void happened.push("keyboard back"),
      focusComposer: () => void happened.push("composer"),
    };
    // The address of one that is in use is that of the settings.
    if (current !== "other") Object.assign((given as ModelServices).providers, { addressOf: () => store.url });
    return new OllamaCommands(given as ModelServices, { session } as never, keyboard);
  }

  it("are fetched after their size is told and agreed to, with progress, and used if that is wanted", async () => {
    const ollama = await start({ offered: { qwen3: { parts: [4 * GB, 1.2 * GB, 400] } } });
    const done = ollama.fetch();
    await give(FETCH, "ollama run qwen3");
    assert.deepEqual(await optionsOf("Fetch qwen3?"), {
      modal: true,
      detail:
        "At least 4 GB are downloaded. Ollama keeps the model on its disk until you delete it. The download can be cancelled.",
    });
    assert.deepEqual([...store.stored.keys()], [], "nothing is fetched before");
    await whenTrue(() => store.live === 0);
    await give("Fetch qwen3?", "Fetch");
    await give("qwen3 is there.", "Use it");
    await done;
    assert.deepEqual(switched, [{ provider: "ollama", model: "qwen3:latest" }]);
    const shown = happened.filter((text) => text.startsWith("Fetching"));
    assert.deepEqual(
      [shown[0], shown.at(-1)],
      ["Fetching qwen3: Asking how large it is…", "Fetching qwen3: Checking what was fetched…"],
    );
    assert.ok(shown.includes("Fetching qwen3: 2 GB of 4 GB (50%)"));
    assert.ok(shown.includes("Fetching qwen3: 5.2 GB of 5.2 GB (100%)"));
    assert.deepEqual(
      happened.filter((text) => !text.startsWith("Fetching")),
      [
        `asked ${FETCH}`,
        `closed ${FETCH}`,
        "asked Fetch qwen3?",
        "closed Fetch qwen3?",
        "keyboard back",
        "asked qwen3 is there.",
        "closed qwen3 is there.",
        "composer",
      ],
    );
  });

  it("are not fetched without consent", async () => {
    const ollama = await start({ offered: { m: { parts: [4 * GB] } }, paceMs: 1 });
    const done = ollama.fetch();
    await give(FETCH, "m");
    await give("Fetch m?");
    await done;
    assert.deepEqual([...store.stored.keys()], []);
    assert.equal(store.requests.filter(([path]) => path === "POST /api/pull").length, 1, "only its size was asked for");
  });

  it("may be misspelt: the box says so and stays open", async () => {
    const ollama = await start({ offered: { "tiny:1b": { parts: [400] } } });
    const done = ollama.fetch();
    for (const wrong of ["two words", "qwen9"]) await give(FETCH, wrong);
    await whenTrue(() => store.requests.length === 1 && store.live === 0);
    assert.deepEqual(happened, [`asked ${FETCH}`]);
    await whenTrue(() => store.requests.length === 1);
    await give(FETCH, "tiny:1b");
    await give("tiny:1b is there.");
    await done;
    assert.deepEqual([...store.stored.keys()], ["tiny:1b"], "one so small needs no question");
  });

  it("are no longer fetched once Cancel is pressed, and go on when fetched again", async () => {
    const ollama = await start({ offered: { m: { parts: [4 * GB] } }, paceMs: 2 });
    const done = ollama.fetch();
    await give(FETCH, "m");
    await give("Fetch m?", "Fetch");
    await whenTrue(() => happened.some((text) => text.endsWith("(40%)")));
    cancel();
    const said = "m was not fetched. Ollama keeps what it has of it for a while and goes on from there.";
    await whenTrue(() => happened.at(-1) === `asked ${said}`);
    assert.deepEqual([...store.stored.keys()], []);
    await give(said, "Fetch it again");
    await give("m is there.");
    await done;
    assert.equal(
      happened.findLast((text) => /\(\d/.test(text)),
      "Fetching m: 4 GB of 4 GB (100%)",
    );
  });

  it("do not fit on a full disk: that is said, and one can be deleted", async () => {
    const fault = { afterBytes: 3 * GB, kind: "error", message: "write /blobs/1: no space left on device" } as const;
    const ollama = await start({ stored: { old: 2 * GB }, offered: { m: { parts: [4 * GB], fault } } });
    const done = ollama.fetch();
    await give(FETCH, "m");
    await give("Fetch m?", "Fetch");
    await give(
      "The disk on which Ollama keeps its models is full, so m was not fetched. Make room or delete a model, then fetch it again: Ollama goes on from there.",
      "Delete a model",
    );
    await take(DELETE, "old");
    await give("Delete old (2 GB) from Ollama?", "Delete");
    await give("old was deleted. 2 GB are free again.");
    await done;
    assert.deepEqual([...store.stored.keys()], []);
  });

  it("are deleted after a question that says whether they are in use", async () => {
    const ollama = await start({ stored: { "a:1b": 500_000_000, "b:8b": 5.2 * GB } }, "b:8b");
    const first = ollama.delete();
    await take(DELETE, "b:8b");
    assert.deepEqual(await optionsOf("Delete b:8b (5.2 GB) from Ollama?"), {
      modal: true,
      detail: "It answers in this conversation, which stays; choose another model afterwards. It can be fetched again.",
    });
    await give("Delete b:8b (5.2 GB) from Ollama?");
    await first;
    assert.deepEqual([...store.stored.keys()], ["a:1b", "b:8b"], "the question was dismissed");
    const second = ollama.delete();
    await take(DELETE, "a:1b");
    await optionsOf("Delete a:1b (500 MB) from Ollama?");
    store.stored.delete("a:1b");
    await give("Delete a:1b (500 MB) from Ollama?", "Delete");
    await give("a:1b is not there any more.");
    await second;
    assert.deepEqual([...store.stored.keys()], ["b:8b"]);
  });

  it("have names, also in pasted commands and addresses", async () => {
    const { modelNameIn } = await load();
    store = await startOllamaStore();
    const names: readonly (readonly [entered: string, name: string | undefined])[] = [
      ["qwen3:8b", "qwen3:8b"],
      ["  ollama pull qwen3:8b ", "qwen3:8b"],
      ["$ ollama run gemma3", "gemma3"],
      ["https://ollama.com/library/qwen3", "qwen3"],
      ["ollama.com/library/qwen3:8b", "qwen3:8b"],
      ["https://ollama.com/jane/model", "jane/model"],
      ["https://huggingface.co/bartowski/Llama-3.2-1B-Instruct-GGUF", "hf.co/bartowski/Llama-3.2-1B-Instruct-GGUF"],
      ["hf.co/a/b:Q4_K_M", "hf.co/a/b:Q4_K_M"],
      ["registry.example:5000/team/model:tag", "registry.example:5000/team/model:tag"],
      ["two words", undefined],
      ["", undefined],
      ["-flag", undefined],
      ["a$(rm)", undefined],
      ["[a](command:b)", undefined],
      ["a".repeat(300), undefined],
    ];
    assert.deepEqual(
      names.map(([entered]) => [entered, modelNameIn(entered)]),
      names,
    );
  });
});

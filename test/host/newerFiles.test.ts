/**
 * Going back to the version before: what a newer Forge has written is refused in words or read as far as it is known, and
 * no byte of it changes. Caches are made anew.
 */

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { CheckpointFolder } from "../../src/adapters/node/checkpoints/checkpointFolder.ts";
import { readMeta, writeMeta, type ConversationMeta } from "../../src/adapters/node/conversationMeta.ts";
import { ListingCache } from "../../src/adapters/node/listingCache.ts";
import { SegmentFolder } from "../../src/adapters/node/segments/segmentFolder.ts";
import { nodeFileCalls } from "../../src/adapters/sqlite/engine/shim/fileCalls.ts";
import { loadSqlJs } from "../../src/adapters/sqlite/engine/sqlJsShim.ts";
import { knownContent, setKnownContent } from "../../src/adapters/sqlite/knownContent.ts";
import { SCHEMA_VERSION } from "../../src/adapters/sqlite/schema.ts";
import { rescueConversation } from "../../src/adapters/sqlite/rescueConversation.ts";
import { contentOf } from "../../src/core/replica/segmentContent.ts";
import type { Result } from "../../src/core/result.ts";
import { type ConversationId, messageId, modelId } from "../../src/core/ids.ts";
import { NO_CONTENT } from "../../src/core/tokens/contentClass.ts";
import { FileStates } from "../../src/host/checkpoints/fileStates.ts";
import { CalibrationFile } from "../../src/host/connections/calibrationFile.ts";
import { changeKeptPlaces, readKeptPlaces } from "../../src/host/conversations/import/keptPlaces.ts";
import { ReplicaSetupFile } from "../../src/host/replica/replicaSetup.ts";
import { ManualClock } from "../support/clocks.ts";
import { contentLines } from "../support/replica/contentLines.ts";
import { makeVersion } from "../support/storage/schemaVersions.ts";
import { SQL_JS_FILE, storeOptions } from "../support/storage/sqliteStore.ts";
import { temporaryFolder } from "../support/storage/storeBuilders.ts";

const meta: ConversationMeta = {
  version: 1,
  title: "Tides",
  createdAtMs: 1,
  lastUsedAtMs: 2,
  messageCount: 3,
  recordCount: 4,
  provider: "ollama",
  model: "house-model",
  usage: { usedTokens: 1, budgetTokens: 2, summarizedSegments: 0 },
  undecided: 0,
};
const ID = "00000000-0000-4000-8000-000000000001" as ConversationId;
const workspace = { read: () => Promise.resolve(undefined), write: () => Promise.resolve(true) };
const tool = { tool: "Aider", folder: "/projects", pattern: "**/.aider.chat.history.md" };

/** A set of a newer Forge, which names the content that the known set 1 has, too. */
const newerSet = (text: string): object => ({
  ...(JSON.parse(text) as object),
  version: 2,
  id: 2,
  cause: { kind: "x" },
});

interface NewerFile {
  /** Relative to the folder of a conversation, or of the extension. */
  readonly file: string;
  /** Source that writes it. */
  readonly source: string;
  /** As the newer Forge leaves it. */
  readonly make: (folder: string) => unknown;
  /** All that this Forge does with it; what is told of that. */
  readonly use: (folder: string) => Promise<unknown>;
  readonly told: unknown;
}

const NEWER: readonly NewerFile[] = [
  {
    file: "conversation.sqlite",
    source: "src/adapters/sqlite/schema.ts",
    make: async (folder) => {
      makeVersion(await loadSqlJs(SQL_JS_FILE, nodeFileCalls), folder, SCHEMA_VERSION + 1, 3);
    },
    use: async (folder) => reasonOf(await rescueConversation(storeOptions(folder))),
    told: "newerVersion",
  },
  {
    file: "damaged-1.sqlite",
    source: "src/adapters/sqlite/schema.ts",
    make: async (folder) => {
      makeVersion(await loadSqlJs(SQL_JS_FILE, nodeFileCalls), folder, SCHEMA_VERSION + 1, 3);
      writeFileSync(path.join(folder, "damaged-1.sqlite"), readFileSync(path.join(folder, "conversation.sqlite")));
      writeFileSync(path.join(folder, "rescue.json"), "damaged-1.sqlite\n3\n"); // begun by the newer Forge
    },
    use: async (folder) => reasonOf(await rescueConversation(storeOptions(folder))),
    told: "newerVersion",
  },
  {
    file: "meta.json",
    source: "src/adapters/node/conversationMeta.ts",
    make: (folder) => {
      writeFileSync(path.join(folder, "meta.json"), JSON.stringify({ ...meta, version: 2, title: { text: "Tides" } }));
    },
    use: async (folder) => [await readMeta(folder), reasonOf(await writeMeta(folder, meta))],
    told: [undefined, "newerVersion"],
  },
  {
    file: "meta.json",
    source: "src/adapters/sqlite/knownContent.ts",
    make: (folder) => {
      writeFileSync(path.join(folder, "meta.json"), JSON.stringify({ ...meta, version: 2 }));
    },
    use: (folder) => {
      setKnownContent(folder, nodeFileCalls, { messages: 1, records: 1 });
      return Promise.resolve(knownContent(folder, nodeFileCalls));
    },
    told: { messages: 0, records: 0 },
  },
  {
    file: "checkpoints/2.json",
    source: "src/core/checkpoints/parseChangeSet.ts",
    make: async (folder) => {
      const states = statesIn(folder);
      const changed = { file: "file:///tides.ts", before: Buffer.from("high"), after: Buffer.from("low") };
      assert.ok((await states.keep(messageId(0), { kind: "edit", title: "Edit" }, [changed])).ok);
      const first = readFileSync(path.join(folder, "checkpoints/1.json"), "utf8");
      writeFileSync(path.join(folder, "checkpoints/2.json"), JSON.stringify(newerSet(first)));
      writeFileSync(path.join(folder, "checkpoints/restoring.json"), '{"id":2}'); // killed in the newer Forge
    },
    use: async (folder) => {
      const states = statesIn(folder);
      const kept = await states.keep(messageId(1), { kind: "edit", title: "Edit" }, []);
      const finished = await states.finishInterrupted(workspace);
      await states.remove(new Set([1, 3]));
      const listed = await states.list();
      return [kept.ok && kept.value.id, finished, await states.isInterrupted(), listed];
    },
    told: [3, { ok: true, value: undefined }, true, { ok: true, value: [] }],
  },
  {
    file: "counting.json",
    source: "src/core/context/usage/usageCalibrations.ts",
    make: (folder) => {
      writeFileSync(path.join(folder, "counting.json"), '{"version":2,"models":{}}');
    },
    use: async (folder) => {
      const notes: string[] = [];
      const counting = new CalibrationFile(folder, { info: (text) => notes.push(text) });
      await counting.load();
      counting.calibrations.learn(
        modelId("m"),
        { content: { ...NO_CONTENT, prose: 1_000 }, messages: 0, fixedTokens: 0 },
        1_300,
      );
      await counting.settled();
      return [...new Set(notes)];
    },
    told: ["counting.json: calibrations.version: expected 1 to 1"],
  },
  {
    file: "importing/kept.json",
    source: "src/host/conversations/import/keptPlaces.ts",
    make: (folder) => {
      mkdirSync(path.join(folder, "importing"));
      writeFileSync(path.join(folder, "importing/kept.json"), '{"version":2,"places":[]}');
    },
    use: async (storage) => [await readKeptPlaces({ storage }), await changeKeptPlaces({ storage }, [tool], [], 1)],
    told: [[], false],
  },
  {
    file: "replica/setup.json",
    source: "src/host/replica/replicaSetup.ts",
    make: (folder) => {
      mkdirSync(path.join(folder, "replica"));
      writeFileSync(path.join(folder, "replica/setup.json"), '{"version":2}');
    },
    use: async (folder) => reasonOf(await new ReplicaSetupFile(folder).read()),
    told: "newerVersion",
  },
  {
    file: "search/segments.json",
    source: "src/adapters/node/segments/segmentFolder.ts",
    make: (folder) => {
      mkdirSync(path.join(folder, "search"));
      writeFileSync(path.join(folder, "search/segments.json"), '{"version":2,"segments":["a.segment"]}');
    },
    use: (folder) => Promise.resolve(new SegmentFolder(path.join(folder, "search")).list()),
    told: [], // an index: made anew
  },
  {
    file: "listings.jsonl",
    source: "src/adapters/node/listingCache.ts",
    make: (folder) => {
      writeFileSync(path.join(folder, "listings.jsonl"), '{"version":2,"crc":0}\n{}\n');
    },
    use: async (folder) => (await ListingCache.read(folder)).isOutdated,
    told: false, // a cache: made anew
  },
];

/** Sources whose newer files other tests meet, with a title there. */
const ELSEWHERE: Readonly<Record<string, readonly [test: string, title: string]>> = {
  "src/core/documents/savedConversation.ts": ["test/core/documents/loadConversation.test.ts", '"a newer version"'],
  "src/core/replica/replicaRoot.ts": ["test/core/replica/replicaKeys.test.ts", '"a newer Forge\'s"'],
  "src/core/replica/segmentContent.ts": ["test/host/newerFiles.test.ts", "reads no object of a replica"],
};

describe("what a newer Forge has written", function () {
  this.timeout(60_000);
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => (folder = temporaryFolder()));
  afterEach(() => {
    folder.remove();
  });

  for (const { file, source, make, use, told } of NEWER) {
    it(`stays as it is: ${file}, as ${path.basename(source)} writes it`, async () => {
      await make(folder.path);
      const before = contentIn(folder.path);
      assert.ok(before.has(file));
      assert.deepEqual(await use(folder.path), told);
      const after = contentIn(folder.path);
      const isGoneAtWord = (name: string): boolean => name === "checkpoints/1.json";
      for (const [name, bytes] of before) if (!isGoneAtWord(name)) assert.deepEqual(after.get(name), bytes, name);
    });
  }

  it("keeps entries of the kept folders that are unknown here", async () => {
    const storage = folder.path;
    assert.ok(await changeKeptPlaces({ storage }, [tool], [], 1));
    const file = path.join(storage, "importing/kept.json");
    const unknown = { machine: "shed", places: 2 };
    writeFileSync(file, JSON.stringify([unknown, ...(JSON.parse(readFileSync(file, "utf8")) as readonly object[])]));
    assert.ok(await changeKeptPlaces({ storage }, [], [tool], 2));
    assert.deepEqual(JSON.parse(readFileSync(file, "utf8")), [unknown]);
  });

  it("reads no object of a replica that has another form", () => {
    const pack = { segments: [], replaces: [], without: [] };
    const lines = contentLines({ kind: "pack", conversation: ID, pack });
    assert.ok(contentOf(lines).ok);
    const newer = contentOf([(lines[0] ?? "").replace('"version":1', '"version":2')]);
    assert.deepEqual(newer.ok ? "read" : [newer.error.field, newer.error.found], ["version", "2"]);
  });

  it("is met by a test for each form that has a version", () => {
    const versioned = sourcesBelow("src").filter((source) =>
      /^(?:export )?const \w*VERSION = (?:\d+|\w+\.length);|^const HEADER = .*version/m.test(
        readFileSync(source, "utf8"),
      ),
    );
    const met = new Set([...NEWER.map(({ source }) => source), ...Object.keys(ELSEWHERE)]);
    assert.deepEqual(
      versioned.filter((source) => !met.has(source)),
      [],
    );
    for (const [test, title] of Object.values(ELSEWHERE)) assert.ok(readFileSync(test, "utf8").includes(title), test);
  });
});

function sourcesBelow(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  return names.map((name) => `${folder}/${name.replaceAll(path.sep, "/")}`);
}

function statesIn(folder: string): FileStates {
  return new FileStates(new CheckpointFolder(path.join(folder, "checkpoints")), new ManualClock());
}

function reasonOf(result: Result<unknown, { readonly reason?: string }>): string | undefined {
  return result.ok ? "accepted" : result.error.reason;
}

function contentIn(folder: string): ReadonlyMap<string, Uint8Array> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(path.join(folder, name)).isFile(),
  );
  return new Map(names.map((name) => [name.replaceAll(path.sep, "/"), readFileSync(path.join(folder, name))]));
}

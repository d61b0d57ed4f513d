import assert from "node:assert/strict";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FolderSearch } from "../../../src/adapters/sqlite/search/folderSearch.ts";
import { openStore, storeOptions } from "../../support/storage/sqliteStore.ts";
import { STORY_QUERIES, storyText } from "../../support/session/searchStories.ts";
import { addMessage, temporaryFolder } from "../../support/storage/storeBuilders.ts";

describe("search in closed conversations", function () {
  this.timeout(60_000);
  let root: ReturnType<typeof temporaryFolder>;
  let search: FolderSearch;
  beforeEach(() => {
    root = temporaryFolder();
    search = new FolderSearch(storeOptions(root.path));
  });
  afterEach(async () => {
    await search.end();
    root.remove();
  });

  async function make(name: string, texts: readonly string[]): Promise<string> {
    const folder = join(root.path, name);
    mkdirSync(folder);
    const store = await openStore(folder);
    assert.ok((await store.commit(texts.map((text, id) => addMessage(id, text)))).ok);
    assert.ok((await store.close()).ok);
    return folder;
  }

  async function find(query: string, folders: readonly string[]) {
    const found = new Map<string, readonly number[] | undefined>();
    const isWhole = await search.search(
      { query, limit: 100, folders },
      {
        cancel: new AbortController().signal,
        found: (folder, hits) =>
          found.set(
            folder,
            hits?.map(({ id }) => id),
          ),
      },
    );
    return { isWhole, found };
  }

  const bytesOf = (folder: string) =>
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "hex")]);

  it("finds what each open store finds, in every script, and changes no file", async () => {
    const folders = await Promise.all(
      ["a", "b", "c"].map((name, place) =>
        make(
          name,
          Array.from({ length: 60 }, (_, id) => storyText(id * 3 + place)),
        ),
      ),
    );
    const own = new Map<string, (readonly number[])[]>();
    for (const folder of folders) {
      const store = await openStore(folder);
      const found = await Promise.all(STORY_QUERIES.map((query) => store.search(query, { limit: 100 })));
      own.set(
        folder,
        found.map((hits) => (hits.ok ? hits.value.map(({ id }) => id) : [])),
      );
      assert.ok((await store.close()).ok);
    }
    const before = folders.map(bytesOf);
    for (const [index, query] of STORY_QUERIES.entries()) {
      const { isWhole, found } = await find(query, folders);
      assert.ok(isWhole);
      assert.deepEqual(
        [...found],
        [...own].map(([folder, all]) => [folder, all[index]]),
        query,
      );
    }
    assert.ok([...own.values()].flat().filter((hits) => hits.length > 0).length > 30, "most queries find something");
    assert.deepEqual(folders.map(bytesOf), before);
  });

  it("reads a log left by a crash without changing it", async () => {
    const folder = join(root.path, "a");
    mkdirSync(folder);
    const store = await openStore(folder);
    assert.ok((await store.commit([addMessage(0, "hay"), addMessage(1, "a needle")])).ok);
    const crashed = join(root.path, "crashed");
    cpSync(folder, crashed, { recursive: true }); // the files as they are before closing
    assert.ok((await store.close()).ok);
    const before = bytesOf(crashed);
    assert.ok(before.some(([name, hex]) => name === "conversation.sqlite-wal" && hex !== ""));
    assert.deepEqual((await find("needle", [crashed])).found.get(crashed), [1]);
    assert.deepEqual(bytesOf(crashed), before);
  });

  it("reports unreadable conversations and searches the others", async () => {
    const good = await make("good", ["a needle"]);
    const broken = await make("broken", ["a needle"]);
    writeFileSync(join(broken, "conversation.sqlite"), "no database at all, but long enough to be looked at");
    const gone = join(root.path, "gone");
    const { isWhole, found } = await find("needle", [broken, gone, good]);
    assert.ok(isWhole);
    assert.deepEqual(
      [...found],
      [
        [broken, undefined],
        [gone, undefined],
        [good, [0]],
      ],
    );
  });

  it("reports nothing more of a search after it was cancelled or replaced", async () => {
    const folders = await Promise.all(["a", "b"].map((name) => make(name, ["a needle", "a pin"])));
    const told: string[] = [];
    const watch = (query: string, cancel: AbortSignal) =>
      search.search({ query, limit: 1, folders }, { cancel, found: () => told.push(query) });
    const cancelled = new AbortController();
    const first = watch("needle", cancelled.signal);
    const second = watch("pin", cancelled.signal);
    assert.equal(await first, false);
    assert.equal(await second, true);
    const third = watch("needle", cancelled.signal);
    cancelled.abort();
    assert.equal(await third, false);
    assert.equal(await watch("needle", cancelled.signal), false, "what is cancelled before does not begin");
    assert.deepEqual(told, ["pin", "pin"]);
  });
});

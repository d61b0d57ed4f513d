/** Keeping what other tools write, on real files; time and the editor's watching are made. */

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Conversations } from "../../../../src/host/conversations/conversations.ts";
import { Importing } from "../../../../src/host/conversations/import/importing.ts";
import { Keeping } from "../../../../src/host/conversations/import/keeping.ts";
import { changeKeptPlaces, readKeptPlaces } from "../../../../src/host/conversations/import/keptPlaces.ts";
import { buildDist, openWindow } from "../../../support/session/openConversations.ts";
import { temporaryFolder } from "../../../support/storage/storeBuilders.ts";
import { ManualClock } from "../../../support/clocks.ts";
import { writeToolFile } from "../../../support/toolFiles.ts";

describe("keeping what another tool writes", function () {
  this.timeout(60_000);
  const shipped = temporaryFolder();
  let disk: ReturnType<typeof temporaryFolder>;
  let folders: { readonly storage: string; readonly dist: string };
  let windows: Window[];
  before(() => buildDist(shipped.path));
  after(() => {
    shipped.remove();
  });
  beforeEach(() => {
    disk = temporaryFolder();
    folders = { storage: path.join(disk.path, "storage"), dist: shipped.path };
    mkdirSync(folders.storage);
    windows = [];
  });
  afterEach(async () => {
    for (const { keeping, conversations } of windows) {
      await keeping.dispose();
      await conversations.close();
    }
    disk.remove();
  });

  interface Window {
    readonly conversations: Conversations;
    readonly keeping: Keeping;
    readonly clock: ManualClock;
    readonly logged: string[];
    /** Folders of each look. */
    readonly looks: (readonly string[])[];
    /** Told of changes, by what is watched. */
    readonly watched: Map<string, () => void>;
  }

  function newWindow(): Window {
    const { conversations } = openWindow(folders);
    const importing = new Importing(conversations, folders);
    const [clock, logged, watched] = [new ManualClock(), [] as string[], new Map<string, () => void>()];
    const looks: (readonly string[])[] = [];
    const keeping = new Keeping({
      ...{ folders, clock },
      importing: {
        find: (places, ...rest) => {
          looks.push(places.map(({ folder }) => folder));
          return importing.find(places, ...rest);
        },
        importAll: (...given) => importing.importAll(...given),
      },
      watch: (folder, pattern, onChange) => {
        const name = `${path.basename(folder)} ${pattern}`;
        watched.set(name, onChange);
        return { dispose: () => watched.delete(name) };
      },
      log: { info: (text) => logged.push(text) },
      reportBug: (error) => {
        throw error;
      },
    });
    const window = { conversations, keeping, clock, logged, looks, watched };
    windows.push(window);
    return window;
  }

  const tools = (): string => path.join(disk.path, "tools");
  const place = () => ({ tool: "Claude Code", folder: tools(), pattern: "**/*.jsonl" });
  const write = (name: string, ...texts: readonly string[]): void => {
    writeToolFile(path.join(tools(), name), "claudeCode", name, ...texts);
  };
  const titles = async ({ conversations }: Window): Promise<readonly (string | undefined)[]> =>
    (await conversations.list()).map(({ meta }) => meta && `${meta.title} ${meta.messageCount}`).toSorted();

  /** Waits for the look that the clock has begun; one more finds nothing. */
  async function looked(window: Window, count: number): Promise<void> {
    const before = window.looks.length;
    await window.keeping.start();
    assert.deepEqual([window.looks.length - before, window.logged.length], [2, count]);
  }

  it("does nothing, and watches nothing, before the user has said so", async () => {
    write("a.jsonl", "High?");
    const window = newWindow();
    await window.keeping.start();
    assert.deepEqual([await titles(window), window.watched.size, window.clock.pending], [[], 0, 0]);
  });

  it("imports what is there, what appears and what grows, and no more when it is stopped", async () => {
    write("a.jsonl", "High?");
    writeFileSync(path.join(tools(), "broken.jsonl"), '{"type":"user","message":{"role":"robot"}}');
    const window = newWindow();
    await changeKeptPlaces(folders, [place()], [], 1_000);
    await window.keeping.start();
    assert.deepEqual(await titles(window), ["High? 1"]);
    assert.deepEqual([...window.watched.keys()], ["tools **/*.jsonl", "importing kept.json"]);

    write("a.jsonl", "High?", "At noon.");
    write("b.jsonl", "Low?");
    const before = ["a.jsonl", "b.jsonl"].map((name) => readFileSync(path.join(tools(), name), "utf8"));
    window.watched.get("tools **/*.jsonl")?.();
    await window.clock.advance(9_000);
    window.watched.get("tools **/*.jsonl")?.();
    await window.clock.advance(9_000);
    assert.deepEqual(await titles(window), ["High? 1"]);
    await window.clock.advance(1_000);
    await looked(window, 2);
    assert.deepEqual(await titles(window), ["High? 2", "Low? 1"]);
    assert.deepEqual(window.logged, [
      "kept 1 new, 0 grown, 0 in use, 0 failed",
      "kept 1 new, 1 grown, 0 in use, 0 failed",
    ]);
    const after = ["a.jsonl", "b.jsonl"].map((name) => readFileSync(path.join(tools(), name), "utf8"));
    assert.deepEqual(after, before);

    await changeKeptPlaces(folders, [], [place()], 2_000);
    await window.keeping.start();
    assert.deepEqual([await readKeptPlaces(folders), [...window.watched.keys()]], [[], ["importing kept.json"]]);
    write("c.jsonl", "Deep?");
    await window.keeping.start();
    assert.deepEqual(await titles(window), ["High? 2", "Low? 1"]);
  });

  it("looks again once it is watched, though a change was told and looked at before", async () => {
    write("a.jsonl", "High?");
    const window = newWindow();
    await changeKeptPlaces(folders, [place()], [], 1_000);
    await window.keeping.start();
    window.watched.get("importing kept.json")?.();
    await window.clock.advance(10_000);
    await looked(window, 1);
    write("b.jsonl", "Low?"); // of which the editor tells nothing
    await window.clock.advance(30_000);
    await looked(window, 2);
    assert.deepEqual(await titles(window), ["High? 1", "Low? 1"]);
  });

  it("does not wait for the end of changes that never end", async () => {
    write("a.jsonl", "High?");
    const window = newWindow();
    await changeKeptPlaces(folders, [place()], [], 1_000);
    await window.keeping.start();
    write("b.jsonl", "Low?");
    for (let second = 0; second < 120; second += 5) {
      window.watched.get("tools **/*.jsonl")?.();
      await window.clock.advance(5_000);
    }
    await looked(window, 2);
    assert.equal((await titles(window)).length, 2);
  });

  it("is done by one window, and by another when that is closed", async () => {
    write("a.jsonl", "High?");
    await changeKeptPlaces(folders, [place()], [], 1_000);
    const [first, second] = [newWindow(), newWindow()];
    await first.keeping.start();
    await second.keeping.start();
    assert.deepEqual([first.watched.size, second.watched.size, second.clock.pending], [2, 0, 1]);
    await first.keeping.dispose();
    write("b.jsonl", "Low?");
    await second.clock.advance(60_000);
    await looked(second, 1);
    assert.deepEqual(await titles(second), ["High? 1", "Low? 1"]);
  });

  it("does not bring back what was deleted here, nor lose what the tool deletes", async () => {
    write("a.jsonl", "High?");
    write("b.jsonl", "Low?");
    await changeKeptPlaces(folders, [place()], [], 1_000);
    const window = newWindow();
    await window.keeping.start();
    rmSync(path.join(tools(), "a.jsonl"));
    const deleted = (await window.conversations.list()).find(({ meta }) => meta?.title === "Low?");
    assert.ok(deleted !== undefined);
    rmSync(deleted.folder, { recursive: true });
    await window.keeping.start();
    assert.deepEqual(await titles(window), ["High? 1"]);
  });
});

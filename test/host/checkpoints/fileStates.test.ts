import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { CHECKPOINTS, CheckpointFolder } from "../../../src/adapters/node/checkpoints/checkpointFolder.ts";
import type { ContentHash } from "../../../src/core/checkpoints/changeSet.ts";
import { messageId } from "../../../src/core/ids.ts";
import { KeptSpace } from "../../../src/host/checkpoints/keptSpace.ts";
import { FileStates, type WorkspaceContents } from "../../../src/host/checkpoints/fileStates.ts";
import { faultyFiles } from "../../support/storage/faultyFiles.ts";

const clock = { nowMs: () => Date.now(), after: () => () => undefined };
const bytes = (text: string): Uint8Array => Buffer.from(text);
const lines = (...all: readonly string[]): string => all.map((line) => `${line}\n`).join("");

class Killed extends Error {}

/** Files in memory; a kill comes in the middle of write number `killAt`. */
class FakeWorkspace implements WorkspaceContents {
  readonly files = new Map<string, string>();
  readonly unsaved = new Set<string>();
  killAt = Infinity;
  #writes = 0;

  read(file: string): ReturnType<WorkspaceContents["read"]> {
    if (this.unsaved.has(file)) return Promise.resolve("unsaved");
    const text = this.files.get(file);
    return Promise.resolve(text === undefined ? undefined : bytes(text));
  }

  write(file: string, content: Uint8Array | undefined): Promise<boolean> {
    const text = content === undefined ? undefined : Buffer.from(content).toString();
    const before = this.files.get(file) ?? "";
    if (this.#writes++ === this.killAt) {
      if (text !== undefined) this.files.set(file, text.slice(0, text.length >> 1) + before.slice(text.length >> 1));
      return Promise.reject(new Killed());
    }
    if (text === undefined) this.files.delete(file);
    else this.files.set(file, text);
    return Promise.resolve(true);
  }
}

describe("FileStates", () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), "forge-states-"))));
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });
  const states = (): FileStates => new FileStates(new CheckpointFolder(folder), clock);
  const edit = async (
    workspace: FakeWorkspace,
    turn: number,
    file: string,
    after: string | undefined,
  ): Promise<void> => {
    const before = workspace.files.get(file);
    const changed = {
      file,
      before: before === undefined ? undefined : bytes(before),
      after: after === undefined ? undefined : bytes(after),
    };
    const kept = await states().keep(messageId(turn), { kind: "edit", title: "Edit" }, [changed]);
    assert.ok(kept.ok, JSON.stringify(kept));
    if (after === undefined) workspace.files.delete(file);
    else workspace.files.set(file, after);
  };
  const start = lines("a", "b", "c", "d", "e");
  const edited = async (): Promise<FakeWorkspace> => {
    const workspace = new FakeWorkspace();
    for (const name of ["x", "y", "z"]) workspace.files.set(name, start);
    await edit(workspace, 2, "x", start.replace("b", "B"));
    await edit(workspace, 4, "y", undefined);
    await edit(workspace, 4, "new", "new\n");
    await edit(workspace, 6, "z", start.replace("d", "D and more"));
    workspace.files.set("x", workspace.files.get("x")?.replace("e", "mine") ?? "");
    return workspace;
  };
  const original = new Map([
    ["x", start.replace("e", "mine")],
    ["y", start],
    ["z", start],
  ]);
  const restoreAll = async (workspace: FakeWorkspace): Promise<void> => {
    const prepared = await states().prepareRestore(messageId(2), workspace);
    assert.ok(prepared.ok);
    await states().restore(prepared.value, messageId(6), workspace);
  };

  it("restores to before a question, also after a restart, and undoes that", async () => {
    const workspace = await edited();
    const before = new Map(workspace.files);
    const half = await states().prepareRestore(messageId(4), workspace);
    assert.ok(half.ok);
    assert.deepEqual(
      half.value.files.map(({ file }) => file),
      ["new", "y", "z"],
    );
    await restoreAll(workspace);
    assert.deepEqual(new Map([...workspace.files].sort()), original);
    const sets = await states().list();
    const last = sets.ok ? sets.value.at(-1) : undefined;
    const undo = await states().prepareUndo(last?.id ?? 0, workspace);
    assert.ok(undo.ok);
    await states().restore(undo.value, messageId(6), workspace);
    assert.deepEqual(new Map([...workspace.files].sort()), new Map([...before].sort()));
  });

  it("leaves files with unsaved or conflicting changes, those that changed meanwhile, and says why", async () => {
    const workspace = await edited();
    workspace.unsaved.add("y");
    workspace.files.set("z", start.replace("d", "mine"));
    const prepared = await states().prepareRestore(messageId(2), workspace);
    assert.ok(prepared.ok);
    assert.deepEqual(prepared.value.left, [
      { file: "y", why: "unsaved" },
      { file: "z", why: "edited", compared: { current: bytes(start.replace("d", "mine")), before: bytes(start) } },
    ]);
    workspace.files.set("x", "changed meanwhile\n");
    const made = await states().restore(prepared.value, messageId(6), workspace);
    assert.deepEqual(made, { ok: true, value: { id: 5, restored: ["new"], failed: [{ file: "x", why: "edited" }] } });
    assert.equal(workspace.files.get("x"), "changed meanwhile\n");
  });

  it("finishes a restore that a kill interrupted in the middle of any file", async () => {
    for (let killAt = 0; killAt < 4; killAt++) {
      rmSync(folder, { recursive: true });
      const workspace = await edited();
      workspace.killAt = killAt;
      await assert.rejects(restoreAll(workspace), Killed);
      assert.equal(await states().isInterrupted(), true);
      const finished = await states().finishInterrupted(workspace);
      assert.deepEqual(finished.ok && finished.value?.failed, [], `killed at ${String(killAt)}`);
      assert.deepEqual(new Map([...workspace.files].sort()), original, `killed at ${String(killAt)}`);
      assert.equal(await states().isInterrupted(), false);
    }
  });

  it("leaves nothing half done whichever call of the disk fails", async () => {
    for (let failAt = 0; ; failAt++) {
      rmSync(folder, { recursive: true });
      const workspace = await edited();
      const before = new Map(workspace.files);
      const files = faultyFiles(({ index }) => (index >= failAt ? "EIO" : undefined));
      const failing = new FileStates(new CheckpointFolder(folder, files), clock);
      const prepared = await failing.prepareRestore(messageId(2), workspace);
      const made = prepared.ok ? await failing.restore(prepared.value, messageId(6), workspace) : prepared;
      if (made.ok && made.value.restored.length === 4) break;
      if (await states().isInterrupted()) await states().finishInterrupted(workspace);
      const all = new Map([...workspace.files].sort());
      const isOneOfBoth = [before, original].some((each) => isDeepStrictEqual(all, new Map([...each].sort())));
      assert.ok(isOneOfBoth, `failed from call ${String(failAt)}`);
    }
  });

  it("names what is not kept, as there was no room, or as it was too large", async () => {
    const workspace = await edited();
    const large = { file: "large", before: new Uint8Array(64 * 1024 * 1024 + 1), after: undefined };
    const uncovered = [{ file: "none", why: "full" }] as const;
    await states().keep(messageId(6), { kind: "edit", title: "" }, [large], uncovered);
    const prepared = await states().prepareRestore(messageId(6), workspace);
    assert.ok(prepared.ok);
    assert.deepEqual(prepared.value.uncovered, [
      { file: "large", why: "tooLarge" },
      { file: "none", why: "full" },
    ]);
    const earlier = await states().prepareRestore(messageId(7), workspace);
    assert.deepEqual(earlier.ok && earlier.value.uncovered, []);
  });

  it("has room as long as all conversations keep less than the limit", async () => {
    const root = path.join(folder, "conversations");
    let limitBytes = 100;
    let nowMs = 0;
    const space = new KeptSpace(root, () => limitBytes, { nowMs: () => nowMs, after: clock.after });
    assert.equal(space.hasRoom(), true);
    for (const name of ["one", "two"]) {
      const store = new CheckpointFolder(path.join(root, name, CHECKPOINTS));
      await store.keep(randomBytes(60));
    }
    await space.measure();
    assert.equal(space.hasRoom(), false);
    limitBytes = 1_000;
    nowMs = 100_000;
    assert.equal(space.hasRoom(), true);
  });

  it("keeps each content once, drops those that no state names, and knows damage", async () => {
    const workspace = await edited();
    const objects = (): readonly string[] => readdirSync(path.join(folder, "objects"));
    assert.equal(objects().length, 4); // three files began alike
    const sets = await states().list();
    assert.ok(sets.ok);
    assert.deepEqual(
      sets.value.map(({ id, turn, cause, changes }) => [id, turn, cause.kind, changes.map(({ file }) => file)]),
      [
        [1, 2, "edit", ["x"]],
        [2, 4, "edit", ["y"]],
        [3, 4, "edit", ["new"]],
        [4, 6, "edit", ["z"]],
      ],
    );
    await states().remove(new Set([3, 4]));
    assert.equal(objects().length, 2);
    const [first] = sets.value;
    const hash = first?.changes[0]?.before?.hash ?? ("" as ContentHash);
    writeFileSync(path.join(folder, "objects", hash), "damaged");
    const prepared = await states().prepareRestore(messageId(2), workspace);
    assert.ok(prepared.ok);
    assert.deepEqual(prepared.value.left, [
      { file: "x", why: "lost" },
      { file: "y", why: "lost" },
    ]);
  });
});

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { CheckpointFolder } from "../../../src/adapters/node/checkpoints/checkpointFolder.ts";
import { beginCommand, endCommand } from "../../../src/adapters/node/checkpoints/commandFiles.ts";
import { messageId } from "../../../src/core/ids.ts";
import { ok } from "../../../src/core/result.ts";
import { ChangedMeanwhile } from "../../../src/host/checkpoints/changedMeanwhile.ts";
import { type CommandFiles, CommandStates } from "../../../src/host/checkpoints/commandStates.ts";
import { FileStates, type WorkspaceContents } from "../../../src/host/checkpoints/fileStates.ts";
import { faultyFiles } from "../../support/storage/faultyFiles.ts";

const clock = { nowMs: () => Date.now(), after: () => () => undefined };

class Killed extends Error {}

/** A folder with files, and a conversation beside it whose commands change them. Files are known by their names. */
class Project {
  readonly root = mkdtempSync(path.join(tmpdir(), "forge-commands-"));
  readonly folder = path.join(this.root, "work");
  readonly meanwhile = new ChangedMeanwhile();
  readonly #git: string | undefined;
  turn = 0;

  constructor(git?: "git") {
    this.#git = git;
    mkdirSync(this.folder);
  }

  /** New ones each time, as after a restart. */
  open(store = this.store): { states: FileStates; commands: CommandStates } {
    const states = new FileStates(store, clock);
    return {
      states,
      commands: new CommandStates(states, this.filesOf(store), this.meanwhile, (_, relative) => relative),
    };
  }

  get store(): CheckpointFolder {
    return new CheckpointFolder(path.join(this.root, "kept"));
  }

  filesOf(store: CheckpointFolder): CommandFiles {
    const services = { store, ...(this.#git === undefined ? {} : { git: this.#git }) };
    return {
      begin: async (command, folders) => {
        const begun = await beginCommand(command, folders, services);
        return begun.ok ? ok(undefined) : begun;
      },
      end: () => endCommand(services, clock.nowMs()),
    };
  }

  /** A command in a new turn; it is killed where `change` throws. */
  async command(change: () => void): Promise<void> {
    const { commands } = this.open();
    const turn = messageId(++this.turn);
    try {
      const done = await commands.around(turn, "Run it", [this.folder], () => {
        change();
        return Promise.resolve();
      });
      assert.ok(done.ok && done.value.kept.ok, JSON.stringify(done));
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
  }

  async restoreTo(turn: number): Promise<readonly (readonly [string, string])[]> {
    const { states } = this.open();
    const prepared = await states.prepareRestore(messageId(turn), this.contents);
    assert.ok(prepared.ok);
    const made = await states.restore(prepared.value, messageId(this.turn), this.contents);
    assert.ok(made.ok);
    return [...prepared.value.left, ...prepared.value.uncovered].map(({ file, why }) => [file, why]);
  }

  async undo(): Promise<void> {
    const { states } = this.open();
    const sets = await states.list();
    const last = sets.ok ? sets.value.findLast(({ cause }) => cause.kind === "restore") : undefined;
    if (last === undefined) return;
    const prepared = await states.prepareUndo(last.id, this.contents);
    assert.ok(prepared.ok);
    assert.ok((await states.restore(prepared.value, messageId(this.turn), this.contents)).ok);
  }

  read(name: string): string | undefined {
    const file = path.join(this.folder, name);
    return existsSync(file) ? readFileSync(file, "latin1") : undefined;
  }

  write(name: string, text: string | undefined): void {
    const file = path.join(this.folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    if (text === undefined) rmSync(file, { force: true });
    else writeFileSync(file, text, "latin1");
  }

  get all(): Readonly<Record<string, string | undefined>> {
    const names = readdirSync(this.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(this.folder, path.join(entry.parentPath, entry.name)))
      .filter((name) => !name.startsWith(".git"));
    return Object.fromEntries(names.sort().map((name) => [name, this.read(name)]));
  }

  git(...words: readonly string[]): void {
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...words], {
      cwd: this.folder,
      stdio: "ignore",
    });
  }

  readonly contents: WorkspaceContents = {
    read: (file) => {
      const text = this.read(file);
      return Promise.resolve(text === undefined ? undefined : Buffer.from(text, "latin1"));
    },
    write: (file, bytes) => {
      this.write(file, bytes === undefined ? undefined : Buffer.from(bytes).toString("latin1"));
      return Promise.resolve(true);
    },
  };

  remove(): void {
    rmSync(this.root, { recursive: true });
  }
}

const START = Array.from({ length: 8 }, (_, index) => `line ${String(index)}\n`).join("");

describe("the files around a command", () => {
  let project: Project;
  const open = (git?: "git"): Project => {
    project = new Project(git);
    for (const name of ["x", "y", "sub/z"]) project.write(name, START);
    if (git !== undefined) {
      project.git("init", "-q");
      project.git("add", "x", "sub");
      project.git("commit", "-qm", "first");
    }
    return project;
  };
  afterEach(() => {
    project.remove();
  });

  for (const git of [undefined, "git"] as const) {
    const where = git === undefined ? "without git" : "with git";

    it(`are restored, and that is undone, ${where}`, async () => {
      const { all } = open(git);
      await project.command(() => {
        project.write("x", START.replace("line 1", "command"));
        project.write("y", undefined);
        project.write("new", "new\n");
      });
      project.write("x", project.read("x")?.replace("line 6", "mine"));
      const after = project.all;
      assert.deepEqual(await project.restoreTo(1), []);
      assert.deepEqual(project.all, { ...all, x: START.replace("line 6", "mine") });
      await project.undo();
      assert.deepEqual(project.all, after);
    });

    it(`are restored where they are many, and that is undone, ${where}`, async () => {
      open(git);
      const names = Array.from({ length: 30 }, (_, index) => `many/${String(index)}`);
      for (const name of names) project.write(name, `${name}\n`);
      const { all } = project;
      await project.command(() => {
        for (const name of names) project.write(name, `changed ${name}\n`);
      });
      const after = project.all;
      assert.deepEqual(await project.restoreTo(1), []);
      assert.deepEqual(project.all, all);
      await project.undo();
      assert.deepEqual(project.all, after);
      const packs = readdirSync(path.join(project.root, "kept", "objects")).filter((name) => name.startsWith("pack."));
      assert.equal(packs.length, 2);
    });

    it(`lose nothing of the person's in any order of what happens, ${where}`, async function () {
      this.timeout(120_000);
      const file = fc.constantFrom("x", "y", "sub/z", "w");
      const change = fc.record({ file, place: fc.nat({ max: 9 }), deletes: fc.boolean() });
      const acts = fc.oneof(
        {
          weight: 3,
          arbitrary: fc.record({
            kind: fc.constant("command" as const),
            changes: fc.array(change, { maxLength: 3 }),
            meanwhile: fc.option(change, { nil: undefined }),
            isKilled: fc.boolean(),
          }),
        },
        { weight: 3, arbitrary: fc.record({ kind: fc.constant("person" as const), change }) },
        { weight: 2, arbitrary: fc.record({ kind: fc.constant("restore" as const), place: fc.nat({ max: 9 }) }) },
      );
      const runs = git === undefined ? 60 : 12;
      await fc.assert(
        fc.asyncProperty(fc.array(acts, { maxLength: 8 }), async (all) => {
          open(git);
          let number = 0;
          const make = (
            { file: name, place, deletes }: { file: string; place: number; deletes: boolean },
            who: string,
          ) => {
            const lines = project.read(name)?.split("\n") ?? [""];
            lines.splice(Math.min(place, lines.length - 1), 0, `${who} ${String(number++)}`);
            project.write(name, deletes && who === "command" ? undefined : lines.join("\n"));
          };
          const mine = (): readonly string[] =>
            Object.values(project.all).flatMap((text) => text?.match(/^mine .*/gm) ?? []);
          try {
            for (const act of all) {
              switch (act.kind) {
                case "person":
                  make(act.change, "mine");
                  break;
                case "command":
                  await project.command(() => {
                    for (const each of act.changes) make(each, "command");
                    if (act.meanwhile !== undefined) {
                      make(act.meanwhile, "mine");
                      project.meanwhile.note(act.meanwhile.file);
                    }
                    if (act.isKilled) throw new Killed();
                  });
                  if (act.isKilled && act.meanwhile !== undefined) make(act.meanwhile, "mine");
                  assert.ok((await project.open().commands.settle()).ok);
                  break;
                case "restore": {
                  const [before, own] = [project.all, mine()];
                  await project.restoreTo(1 + (act.place % Math.max(1, project.turn)));
                  const now = new Set(mine());
                  assert.deepEqual(
                    own.filter((line) => !now.has(line)),
                    [],
                  );
                  await project.undo();
                  assert.deepEqual(project.all, before);
                }
              }
            }
          } finally {
            project.remove();
          }
        }),
        { numRuns: runs },
      );
      open();
    });
  }

  it("are restored, too, where nothing had to be kept before it, as in a clean repository", async () => {
    const { all } = open("git");
    project.git("add", "-A");
    project.git("commit", "-qm", "all of it");
    await project.command(() => {
      project.write("x", "command\n");
    });
    assert.deepEqual(await project.restoreTo(1), []);
    assert.deepEqual(project.all, all);
  });

  it("that the person or another conversation changed meanwhile stay, and are named", async () => {
    open();
    await project.command(() => {
      project.write("x", "command\n");
      project.write("y", "mine\n");
      project.meanwhile.note("y");
    });
    assert.deepEqual(await project.restoreTo(1), [["y", "meanwhile"]]);
    assert.deepEqual([project.read("x"), project.read("y")], [START, "mine\n"]);
  });

  it("of two commands at a time belong to the one that ends first", async () => {
    open();
    const { commands } = project.open(new CheckpointFolder(path.join(project.root, "other")));
    const first = await commands.around(messageId(1), "Run it, too", [project.folder], async () => {
      await project.command(() => {
        project.write("x", "command\n");
      });
      project.write("y", "other\n");
    });
    assert.ok(first.ok && first.value.kept.ok);
    const { changes = [], uncovered = [] } = first.value.kept.value ?? {};
    assert.deepEqual([changes.map(({ file }) => file), uncovered], [["y"], [{ file: "x", why: "meanwhile" }]]);
  });

  it("of several folders, one in another, are kept once", async () => {
    open();
    const { states, commands } = project.open();
    const uris = new CommandStates(states, project.filesOf(project.store), project.meanwhile, (folder, relative) =>
      path.relative(project.folder, path.join(folder, relative)),
    );
    assert.ok((await commands.settle()).ok);
    const folders = [project.folder, path.join(project.folder, "sub")];
    await uris.around(messageId(1), "Run it", folders, () => {
      for (const name of ["x", "sub/z"]) project.write(name, "command\n");
      return Promise.resolve();
    });
    const sets = await states.list();
    const changes = sets.ok ? sets.value.flatMap((set) => set.changes) : [];
    assert.deepEqual(changes.map(({ file }) => file).sort(), ["sub/z", "x"]);
  });

  it("that a crash interrupted are left, and can be compared", async () => {
    open();
    await project.command(() => {
      project.write("x", "command\n");
      throw new Killed();
    });
    const { states, commands } = project.open();
    assert.deepEqual(await states.hasCommand(), ok(true));
    const finished = await commands.settle();
    assert.deepEqual(finished.ok && finished.value?.cause, { kind: "command", title: "Run it", isInterrupted: true });
    assert.deepEqual(await states.hasCommand(), ok(false));
    const prepared = await states.prepareRestore(messageId(1), project.contents);
    assert.ok(prepared.ok);
    const compared = { current: Buffer.from("command\n"), before: Buffer.from(START) };
    assert.deepEqual(prepared.value.left, [{ file: "x", why: "interrupted", compared }]);
  });

  it("are not read again while they are the same, and are, once what was kept of them is gone", async () => {
    open();
    const old = new Date(Date.now() - 60 * 60 * 24 * 1_000);
    for (const name of ["x", "y", "sub/z"]) utimesSync(path.join(project.folder, name), old, old);
    await project.command(() => undefined);
    const objects = path.join(project.root, "kept", "objects");
    const [object = ""] = readdirSync(objects);
    writeFileSync(path.join(objects, object), "not read");
    await project.command(() => undefined);
    assert.equal(readFileSync(path.join(objects, object), "utf8"), "not read");
    rmSync(objects, { recursive: true });
    await project.command(() => {
      project.write("x", "command\n");
    });
    assert.deepEqual(await project.restoreTo(1), []);
    assert.equal(project.read("x"), START);
  });

  it("are no longer kept once they are old and nothing names them", async () => {
    open();
    await project.command(() => undefined);
    const objects = path.join(project.root, "kept", "objects");
    const old = new Date(Date.now() - 60 * 60 * 24 * 1_000);
    for (const name of readdirSync(objects)) utimesSync(path.join(objects, name), old, old);
    for (const name of ["x", "y", "sub/z"]) project.write(name, "mine\n");
    await project.command(() => undefined);
    assert.deepEqual(readdirSync(objects).length, 1);
  });

  it("are kept before anything is run: else it is not run, whichever call of the disk fails", async () => {
    for (let failAt = 0; ; failAt++) {
      open();
      const files = faultyFiles(({ index }) => (index >= failAt ? "EIO" : undefined));
      const { commands } = project.open(new CheckpointFolder(path.join(project.root, "kept"), files));
      let hasRun = false;
      const done = await commands.around(messageId(1), "Run it", [project.folder], () => {
        hasRun = true;
        project.write("x", "command\n");
        return Promise.resolve();
      });
      assert.equal(hasRun, done.ok, `failed from call ${String(failAt)}`);
      if (done.ok) {
        assert.ok((await project.open().commands.settle()).ok);
        const left = await project.restoreTo(1);
        const isKept = done.value.kept.ok;
        const isInterrupted = left.length === 1 && left[0]?.[1] === "interrupted";
        assert.equal(project.read("x") === START || isInterrupted, true, `failed from call ${String(failAt)}`);
        if (isKept) break;
      }
      project.remove();
    }
  });
});

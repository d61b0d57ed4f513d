import assert from "node:assert/strict";
import fc from "fast-check";
import { compareLines } from "../../../src/adapters/diff/compareLines.ts";
import type { ChangeSet, ContentHash, FileChange, FileState } from "../../../src/core/checkpoints/changeSet.ts";
import { planRestore, planUndo, type RestorePlan } from "../../../src/core/checkpoints/restorePlan.ts";
import { type Content, revertContent } from "../../../src/core/checkpoints/revertContent.ts";
import { messageId } from "../../../src/core/ids.ts";

/** Files with a conversation that changes them; a content is its own hash. */
class Workspace {
  readonly files = new Map<string, string>();
  readonly sets: ChangeSet[] = [];
  #turn = 0;

  read(file: string): Content {
    return this.files.get(file) ?? null;
  }

  write(file: string, content: Content): void {
    if (content === null) this.files.delete(file);
    else this.files.set(file, content);
  }

  /** A model changes `file` in a new turn; `crashes`: after what was there was kept, before the change was made. */
  edit(file: string, content: Content, crashes = false): void {
    const before = this.read(file);
    if (before === content) return;
    this.#add({ kind: "edit", title: "" }, [{ file, before: stateOf(before), after: stateOf(content) }], ++this.#turn);
    if (!crashes) this.write(file, content);
  }

  restore(plan: RestorePlan): void {
    const left: string[] = [];
    const changes: FileChange[] = [];
    for (const { file, changes: its } of plan.files) {
      const current = this.read(file);
      const contents = its.map(({ before, after }) => ({ before: contentOf(before), after: contentOf(after) }));
      const reverted = revertContent(current, contents, compareLines);
      if (reverted.kind === "conflict") left.push(file);
      else if (reverted.content !== current)
        changes.push({ file, before: stateOf(current), after: stateOf(reverted.content) });
    }
    this.#add({ kind: "restore", reverts: plan.reverts, left }, changes, this.#turn);
    for (const { file, after } of changes) this.write(file, contentOf(after));
  }

  restoreTo(turn: number): void {
    this.restore(planRestore(this.sets, messageId(turn)));
  }

  undoLast(): void {
    const last = this.sets.findLast(({ cause }) => cause.kind === "restore");
    if (last !== undefined) this.restore(planUndo(this.sets, last.id));
  }

  get turns(): number {
    return this.#turn;
  }

  #add(cause: ChangeSet["cause"], changes: readonly FileChange[], turn: number): void {
    const set = { id: this.sets.length, turn: messageId(turn), atMs: 0, cause, changes, uncovered: [] };
    this.sets.push(set);
  }
}

function stateOf(content: Content): FileState {
  return content === null ? null : { hash: content as ContentHash, bytes: content.length };
}

function contentOf(state: FileState): Content {
  return state?.hash ?? null;
}

const lines = (...all: readonly string[]): string => all.map((line) => `${line}\n`).join("");

describe("restoring files", () => {
  const start = lines("a", "b", "c", "d", "e", "f", "g");

  it("leaves what the person changed elsewhere in the file", () => {
    const workspace = new Workspace();
    workspace.write("x", start);
    workspace.edit("x", start.replace("b\n", "B\n"));
    workspace.write("x", workspace.read("x")?.replace("f\n", "f\nmine\n") ?? null);
    workspace.edit("x", workspace.read("x")?.replace("d\n", "") ?? null);
    workspace.restoreTo(1);
    assert.equal(workspace.read("x"), start.replace("f\n", "f\nmine\n"));
    workspace.undoLast();
    assert.equal(workspace.read("x"), lines("a", "B", "c", "e", "f", "mine", "g"));
  });

  const conflicts: readonly [string, Content, Content, Content, string][] = [
    ["its person changed the same line", start, start.replace("b\n", "B\n"), start.replace("b\n", "mine\n"), "edited"],
    ["its person deleted it", start, start.replace("b\n", "B\n"), null, "deleted"],
    ["it was new, and its person went on with it", null, start, `${start}mine\n`, "edited"],
    ["it was deleted, and its person made a new one", start, null, lines("mine"), "created"],
    ["it is no text", "\0one", "\0two", "\0three", "edited"],
  ];
  for (const [when, before, after, current, why] of conflicts)
    it(`is a conflict if ${when}`, () => {
      assert.deepEqual(revertContent(current, [{ before, after }], compareLines), { kind: "conflict", why });
    });

  it("keeps line ends, missing ones too, and bytes that are no characters", () => {
    const [before, after] = ["a\r\nb\n\xe9\xff\nend", "a\r\nB\n\xe9\xff\nend"];
    assert.deepEqual(revertContent(after.replace("end", "end\n"), [{ before, after }], compareLines), {
      kind: "content",
      content: before.replace("end", "end\n"),
    });
  });

  it("takes back in one file what a conflict kept in it, once that is gone", () => {
    const workspace = new Workspace();
    workspace.write("x", start);
    workspace.write("y", start);
    workspace.edit("x", start.replace("b\n", "B\n"));
    workspace.edit("y", start.replace("b\n", "B\n"));
    workspace.write("x", start.replace("b\n", "mine\n"));
    workspace.restoreTo(1);
    assert.deepEqual([workspace.read("x"), workspace.read("y")], [start.replace("b\n", "mine\n"), start]);
    workspace.write("x", start.replace("b\n", "B\n"));
    workspace.restoreTo(1);
    assert.deepEqual([workspace.read("x"), workspace.read("y")], [start, start]);
  });

  it("loses nothing of the person's, and is taken back whole, in any order of what happens", () => {
    const file = fc.constantFrom("x", "y", "z");
    const place = fc.nat({ max: 30 });
    const acts = fc.oneof(
      { weight: 4, arbitrary: fc.record({ kind: fc.constant("model" as const), file, place, crashes: fc.boolean() }) },
      { weight: 4, arbitrary: fc.record({ kind: fc.constant("person" as const), file, place, removes: fc.boolean() }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("deletes" as const, "creates" as const), file }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant("restore" as const), place }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant("undo" as const) }) },
    );
    fc.assert(
      fc.property(fc.array(acts, { maxLength: 40 }), (all) => {
        const workspace = new Workspace();
        for (const name of ["x", "y"]) workspace.write(name, start);
        const added = new Set<string>();
        /** Since the last restore: an undo may bring back a change that a person's line was lost by. */
        const addedSince = new Set<string>();
        let number = 0;
        for (const act of all) {
          const own = new Map([...workspace.files].map(([name, text]) => [name, text.split("\n")]));
          switch (act.kind) {
            case "model":
              workspace.edit(act.file, withLine(workspace.read(act.file), act.place, `model ${number++}`), act.crashes);
              break;
            case "deletes":
              workspace.edit(act.file, null);
              break;
            case "creates":
              workspace.edit(act.file, lines(`model ${number++}`));
              break;
            case "person": {
              const before = workspace.read(act.file);
              if (before === null) break;
              const line = before.split("\n")[act.place];
              if (act.removes && line !== undefined && line !== "" && !line.startsWith("mine")) {
                workspace.write(act.file, before.replace(`${line}\n`, ""));
              } else {
                for (const lines of [added, addedSince]) lines.add(`mine ${number}`);
                workspace.write(act.file, withLine(before, act.place, `mine ${number++}`));
              }
              break;
            }
            case "restore":
            case "undo": {
              const before = new Map(workspace.files);
              if (act.kind === "restore") workspace.restoreTo(act.place % (workspace.turns + 1));
              else workspace.undoLast();
              for (const [name, its] of own)
                for (const line of its.filter((each) => (act.kind === "restore" ? added : addedSince).has(each)))
                  assert.ok(workspace.read(name)?.split("\n").includes(line), `${line} is lost in ${name}`);
              workspace.undoLast();
              assert.deepEqual(new Map(workspace.files), before, "undone");
              workspace.undoLast();
              addedSince.clear();
            }
          }
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

function withLine(text: Content, place: number, line: string): string {
  const all = text?.split("\n") ?? [""];
  all.splice(Math.min(place, all.length - 1), 0, line);
  return all.join("\n");
}

/** Problems that an edit adds, told once the services of the editor have looked at it. */

import assert from "node:assert/strict";
import { Cancellation } from "../../../../src/core/cancellation.ts";
import { EditProblems, type ProblemsBefore } from "../../../../src/host/tools/problems/editProblems.ts";
import { problemPlace } from "../../../../src/host/tools/problems/problemLine.ts";
import { ManualClock } from "../../../support/clocks.ts";
import { FakeProblems } from "../../../support/editor/fakeProblems.ts";

const A = "file:///a.ts";
const B = "file:///b.ts";

/** Actions of the editor, each so many milliseconds after the edit is shown. */
type Later = readonly (readonly [afterMs: number, (editor: FakeProblems) => void])[];

interface Case {
  readonly title: string;
  /** Lines of files that are open and looked at before the window's tools are made. */
  readonly open?: Readonly<Record<string, readonly string[]>>;
  /** After that. */
  readonly opened?: (editor: FakeProblems) => void;
  /** Likewise, after the edit has asked for the problems before it. */
  readonly meanwhile?: Later;
  readonly isNew?: true;
  readonly edited: readonly string[];
  readonly later: Later;
  readonly told: readonly string[];
  readonly more?: number;
  /** From the call on, and from the shown edit on. */
  readonly waitedMs: readonly [number, number];
}

const cases: readonly Case[] = [
  {
    title: "the new ones alone, as soon as the service is silent",
    open: { [A]: ["a //! E bad", "b"] },
    edited: ["new", "a //! E bad", "b //! W odd, E worse"],
    later: [[100, (editor) => editor.report(A)]],
    told: ["a.ts:3:1 error worse", "a.ts:3:1 warning odd"],
    waitedMs: [0, 400],
  },
  {
    title: "those of all steps in which a service reports",
    open: { [A]: ["a"], [B]: ["b"] },
    edited: ["a //! E bad"],
    later: [
      [100, (editor) => editor.report(A)],
      [300, (editor) => editor.report(B)],
      [
        500,
        (editor) => {
          editor.check(B, "b //! E no a");
          editor.report(B);
        },
      ],
    ],
    told: ["a.ts:1:1 error bad", "b.ts:1:1 error no a"],
    waitedMs: [0, 800],
  },
  {
    title: "none when the service finds none",
    open: { [A]: ["a //! E bad"] },
    edited: ["b"],
    later: [[50, (editor) => editor.report(A)]],
    told: [],
    waitedMs: [0, 350],
  },
  {
    title: "none when the service, having nothing new to say, reports nothing",
    open: { [A]: ["a"] },
    edited: ["b"],
    later: [],
    told: [],
    waitedMs: [0, 2_000],
  },
  {
    title: "what is known when a service reports without an end",
    open: { [A]: ["a"], [B]: ["b"] },
    edited: ["a //! E bad"],
    later: Array.from({ length: 12 }, (_, index) => [index * 200, (editor) => editor.report(index === 0 ? A : B)]),
    told: ["a.ts:1:1 error bad"],
    waitedMs: [0, 2_000],
  },
  {
    title: "those that a file which was just opened does not have yet",
    opened: (editor) => editor.open(A, "a //! E bad", "b"),
    meanwhile: [[700, (editor) => editor.report(A)]],
    edited: ["a //! E bad", "b //! E worse"],
    later: [[0, (editor) => editor.report(A)]],
    told: ["a.ts:2:1 error worse"],
    waitedMs: [1_000, 300],
  },
  {
    title: "none where nobody knows those before it",
    opened: (editor) => editor.open(A, "a //! E bad"),
    edited: ["b //! E bad"],
    later: [[0, (editor) => editor.report(A)]],
    told: [],
    waitedMs: [2_000, 0],
  },
  {
    title: "those that a service withdrew when the diff was closed, and reports again, no more",
    opened: (editor) => {
      editor.open(A, "a //! E bad", "b");
      editor.report(A);
      editor.hide(A, true);
    },
    edited: ["a //! E bad", "b //! E worse"],
    later: [
      [0, (editor) => editor.show(A)],
      [400, (editor) => editor.report(A)],
    ],
    told: ["a.ts:2:1 error worse"],
    waitedMs: [0, 700],
  },
  {
    title: "those after a withdrawal that comes late",
    open: { [A]: ["a"] },
    edited: ["a //! E bad"],
    later: [
      [50, (editor) => editor.hide(A, true)],
      [60, (editor) => editor.show(A)],
      [700, (editor) => editor.report(A)],
    ],
    told: ["a.ts:1:1 error bad"],
    waitedMs: [0, 1_000],
  },
  {
    title: "those of a file that was changed out of sight once that was reported",
    opened: (editor) => {
      editor.open(A, "a");
      editor.report(A);
      editor.hide(A, true);
      editor.edit(A, "a //! E bad");
    },
    meanwhile: [[500, (editor) => editor.report(A)]],
    edited: ["a //! E bad", "b //! E worse"],
    later: [[0, (editor) => editor.report(A)]],
    told: ["a.ts:2:1 error worse"],
    waitedMs: [800, 300],
  },
  {
    title: "those of a service that reports nothing on a clean file",
    opened: (editor) => {
      editor.open(A, "a");
      editor.open(B, "b //! E bad");
      editor.report(B);
    },
    edited: ["a //! E bad"],
    later: [[0, (editor) => editor.report(A)]],
    told: ["a.ts:1:1 error bad"],
    waitedMs: [2_000, 300],
  },
  {
    title: "those of a service that reports once, out of sight, and finds problems",
    opened: (editor) => {
      editor.open(A, "a //! E bad");
      editor.hide(A);
      editor.report(A);
    },
    edited: ["a //! E bad", "b //! E worse"],
    later: [[0, (editor) => editor.report(A)]],
    told: ["a.ts:2:1 error worse"],
    waitedMs: [0, 300],
  },
  {
    title: "all of a new file",
    opened: (editor) => editor.open(A, ""),
    isNew: true,
    edited: ["a //! E bad", "b //! W odd"],
    later: [[500, (editor) => editor.report(A)]],
    told: ["a.ts:1:1 error bad", "a.ts:2:1 warning odd"],
    waitedMs: [0, 800],
  },
  {
    title: "none of a file in which the person types meanwhile, and those of others",
    open: { [A]: ["a"], [B]: ["b"] },
    edited: ["a //! E bad"],
    later: [
      [10, (editor) => editor.edit(A, "a //! E bad", "b //! E half")],
      [
        100,
        (editor) => {
          editor.check(B, "b //! E no a");
          editor.report(A, B);
        },
      ],
    ],
    told: ["b.ts:1:1 error no a"],
    waitedMs: [0, 400],
  },
  {
    title: "none of another file that is changed, opened or first looked at meanwhile",
    open: { [A]: ["a"], [B]: ["b"] },
    opened: (editor) => editor.open("file:///c.ts", "c //! E bad"),
    edited: ["a"],
    later: [
      [10, (editor) => editor.edit(B, "b", "c //! E half")],
      [20, (editor) => editor.open("file:///d.ts", "d //! E bad")],
      [30, (editor) => editor.report(A, B, "file:///c.ts", "file:///d.ts")],
    ],
    told: [],
    waitedMs: [0, 330],
  },
  {
    title: "no more than can be read, those of the edited file first",
    open: { [A]: ["a"], [B]: ["b"] },
    edited: Array.from({ length: 25 }, (_, line) => `a //! W odd ${line}`),
    later: [
      [
        0,
        (editor) => {
          editor.check(B, `b //! ${Array.from({ length: 12 }, () => "E no a").join(", ")}`);
          editor.report(A, B);
        },
      ],
    ],
    told: [
      ...Array.from({ length: 20 }, (_, line) => `a.ts:${line + 1}:1 warning odd ${line}`),
      ...Array.from({ length: 10 }, () => "b.ts:1:1 error no a"),
    ],
    more: 5 + 2,
    waitedMs: [0, 300],
  },
  {
    title: "their messages on one line, without secrets and hidden characters, and not too long",
    open: { [A]: ["a"] },
    edited: [`a //! E no\n  token sk-ant-api03-${"a1B2".repeat(24)}\u202e ${"x".repeat(600)}`],
    later: [[0, (editor) => editor.report(A)]],
    told: [`a.ts:1:1 error no token [redacted: API key][U+202E] ${"x".repeat(500 - 37)}…`],
    waitedMs: [0, 300],
  },
];

describe("problems that an edit adds", () => {
  const never = new Cancellation();
  let clock: ManualClock;
  let editor: FakeProblems;
  beforeEach(() => {
    clock = new ManualClock();
    editor = new FakeProblems();
  });

  const schedule = (later: Later): void => {
    for (const [afterMs, act] of later) clock.after(afterMs, () => act(editor));
  };
  /** The result, and how long it took. */
  const timed = async <T>(work: Promise<T>): Promise<readonly [T, number]> => {
    const startMs = clock.nowMs();
    let endMs = 0;
    void work.then(() => (endMs = clock.nowMs()));
    await clock.advance(5_000);
    return [await work, endMs - startMs];
  };
  const shownFirst: string[] = [];
  const begin = (problems: EditProblems, isNew = false, cancel = never): Promise<ProblemsBefore> => {
    const before = isNew ? "" : (editor.openFile(A)?.text() ?? "");
    const show = (): Promise<void> => {
      shownFirst.push(A);
      editor.show(A);
      return Promise.resolve();
    };
    return problems.before({ file: A, isNew, before, show }, cancel);
  };

  for (const { title, open = {}, opened, meanwhile = [], isNew, edited, later, told, more = 0, waitedMs } of cases)
    it(`are told: ${title}`, async () => {
      for (const [file, lines] of Object.entries(open)) {
        editor.open(file, ...lines);
        editor.report(file);
      }
      const problems = new EditProblems(editor, clock);
      opened?.(editor);
      schedule(meanwhile);
      const [before, firstMs] = await timed(begin(problems, isNew));
      editor.edit(A, ...edited);
      schedule(later);
      const [added, thenMs] = await timed(before.added(never));
      const lines = added?.listed.map((each) => `${problemPlace(each.path, each)} ${each.severity} ${each.message}`);
      assert.deepEqual([lines ?? [], added?.more ?? 0, [firstMs, thenMs]], [told, more, waitedMs]);
      before.dispose();
      problems.dispose();
      assert.deepEqual([editor.listening, clock.pending], [0, 0]);
    });

  it("are no longer waited for where no service speaks the language, until one does", async () => {
    const problems = new EditProblems(editor, clock);
    const waits = async (): Promise<readonly number[]> => {
      const [before, firstMs] = await timed(begin(problems));
      editor.edit(A, "a");
      const [, thenMs] = await timed(before.added(never));
      before.dispose();
      return [firstMs, thenMs];
    };
    editor.open(A, "a");
    editor.open(B, "b");
    assert.deepEqual(await waits(), [2_000, 0]);
    assert.deepEqual(await waits(), [0, 0]);
    editor.close(A);
    editor.open(A, "a");
    assert.deepEqual(await waits(), [0, 0], "the language is known by now");
    editor.report(B);
    assert.deepEqual(await waits(), [2_000, 2_000], "a service speaks it, and has nothing to say of this file");
    assert.deepEqual(await waits(), [0, 2_000], "it may have the next time");
    problems.dispose();
  });

  it("are no longer waited for in a file that was open all along, once a service should have spoken", async () => {
    editor.open(A, "a");
    const problems = new EditProblems(editor, clock);
    for (const waitedMs of [2_000, 0]) {
      const before = await begin(problems);
      editor.edit(A, "a //! E bad");
      assert.deepEqual(await timed(before.added(never)), [undefined, waitedMs]);
      before.dispose();
    }
    problems.dispose();
  });

  it("are awaited with the file in sight where it was just opened, and never in one that is not open", async () => {
    const problems = new EditProblems(editor, clock);
    shownFirst.length = 0;
    const [before, waitedMs] = await timed(begin(problems));
    assert.deepEqual([shownFirst, waitedMs, await before.added(never)], [[], 0, undefined]);
    editor.open(A, "a");
    schedule([[100, () => editor.report(A)]]);
    await timed(begin(problems));
    await timed(begin(problems));
    assert.deepEqual(shownFirst, [A]);
  });

  it("are awaited until the turn is stopped", async () => {
    const problems = new EditProblems(editor, clock);
    editor.open(A, "a");
    const cancel = new Cancellation();
    clock.after(100, () => {
      cancel.abort();
    });
    assert.equal((await timed(begin(problems, false, cancel)))[1], 100);
    editor.report(A);
    const later = new Cancellation();
    const before = await begin(problems);
    editor.edit(A, "a //! E bad");
    clock.after(100, () => {
      later.abort();
    });
    assert.deepEqual(await timed(before.added(later)), [undefined, 100]);
    assert.equal(clock.pending, 0);
  });

  it("are not those of a report on the text before the edit", async () => {
    editor.open(A, "a");
    const problems = new EditProblems(editor, clock);
    const before = await begin(problems);
    editor.report(A);
    editor.edit(A, "a //! E bad");
    schedule([[1_000, () => editor.report(A)]]);
    const [added, waitedMs] = await timed(before.added(never));
    assert.deepEqual([added?.listed.length, waitedMs], [1, 1_300]);
  });
});

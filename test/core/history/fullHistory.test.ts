import assert from "node:assert/strict";
import { FullHistory } from "../../../src/core/history/fullHistory.ts";
import type { Summary, SummaryState } from "../../../src/core/history/summaries/summary.ts";
import type { SummaryNode } from "../../../src/core/history/summaries/summaryForest.ts";
import { messageId, modelId, stepId, summaryId } from "../../../src/core/ids.ts";
import type { HistoryEntry } from "../../../src/core/message.ts";
import { counts, range } from "../../support/session/conversation.ts";

/** Letters of a script: `u` begins a turn, `a` answers, `t` is a tool call and `r` its result. */
function history(script: string): FullHistory {
  const made = new FullHistory();
  let turn = 0;
  let batch: number | undefined;
  Array.from(script).forEach((letter, id) => {
    if (letter === "u") turn = id;
    if (letter === "t") batch = id;
    else if (letter !== "r") batch = undefined;
    made.apply({ kind: "entry", entry: entry(id, turn, batch) });
  });
  return made;
}

function entry(id: number, turn: number, batch?: number): HistoryEntry {
  const role = id === turn ? "user" : "assistant";
  const base = {
    id: messageId(id),
    role,
    turn: messageId(turn),
    state: "complete",
    createdAtMs: id,
    tokens: counts(10),
  } as const;
  return batch === undefined ? base : { ...base, batch: messageId(batch) };
}

function addSummary(to: FullHistory, start: number, end: number, level = 1, hash?: string): void {
  const covers = range(start, end);
  const summary: Summary = {
    id: summaryId(to.summaryCount),
    covers,
    level,
    kind: "conversation",
    content: "text",
    tokenCount: counts(1),
    originalTokens: counts(10),
    createdAtMs: 0,
    generatedBy: "test",
    sourceHash: hash ?? to.sourceHash(covers),
    factsKept: 0,
    factsTotal: 0,
    state: "active",
  };
  to.apply({ kind: "summary", summary });
}

function setState(of: FullHistory, id: number, state: SummaryState): void {
  of.apply({ kind: "summaryState", id: summaryId(id), state, atMs: 0 });
}

/** `1(0)` is summary 1 with summary 0 inside. */
function shape(nodes: readonly SummaryNode[]): string {
  return nodes
    .map(({ summary, children }) => `${String(summary.id)}${children.length > 0 ? `(${shape(children)})` : ""}`)
    .join(" ");
}

describe("FullHistory", () => {
  describe("keeps tool batches whole", () => {
    const check = (script: string, id: number, expected: readonly [number, number]): void => {
      it(`${script} at ${String(id)}`, () => {
        const { start, end } = history(script).atomOf(messageId(id));
        assert.deepEqual([start, end], expected);
      });
    };
    check("uaua", 1, [1, 2]);
    check("utrrau", 1, [1, 4]);
    check("utrrau", 3, [1, 4]);
    check("utrrau", 4, [4, 5]);
    check("utrtr", 2, [1, 3]);
    check("utrtr", 4, [3, 5]);
    check("ut", 1, [1, 2]);
  });

  it("numbers its turns", () => {
    const made = history("auaatru");
    assert.deepEqual(
      [0, 1, 6].map((turn) => made.turnNumber(messageId(turn))),
      [0, 1, 2],
    );
  });

  describe("arranges summaries", () => {
    const check = (title: string, script: string, expected: string): void => {
      it(title, () => {
        const made = history("uauauauauaua");
        for (const word of script.split(" ")) {
          const [first = 0, second = 0, level = 1] = word.match(/\d+/g)?.map(Number) ?? [];
          if (word.startsWith("undo")) setState(made, first, "undone");
          else if (word.startsWith("redo")) setState(made, first, "active");
          else addSummary(made, first, second, level);
        }
        assert.equal(shape(made.usableSummaries()), expected);
      });
    };
    check("side by side", "4-8 0-4", "1 0");
    check("inside larger ones", "0-4 4-6 0-8^2", "2(0 1)");
    check("inside larger ones that were added first", "0-8^2 2-4", "0(1)");
    check("of the same range by level", "0-4 0-4^2", "1(0)");
    check("of the same range by level, if the higher was added first", "0-4^2 0-4", "0(1)");
    check("of the same range and level by recency", "0-4 0-4", "1");
    check("without undone ones", "0-4 0-8^2 undo1", "0");
    check("with redone ones", "0-4 undo0 redo0", "0");
    check("without an older one that overlaps a newer one partially", "0-6 4-8", "1");
  });

  it("uses a summary only while its source is unchanged", () => {
    const made = history("uauauaua");
    addSummary(made, 0, 4);
    const usable = [made.isUsable(summaryId(0))];
    for (const hidden of [true, false]) {
      made.apply({ kind: "visibility", range: range(3, 5), hidden, atMs: 0 });
      usable.push(made.isUsable(summaryId(0)));
    }
    assert.deepEqual(usable, [true, false, true]);
  });

  it("hashes a range alike, whatever was hashed before", () => {
    const made = history("uaua");
    const ranges = [range(0, 1), range(0, 3), range(0, 2), range(1, 3), range(1, 3), range(1, 4)];
    assert.deepEqual(
      ranges.map((part) => made.sourceHash(part)),
      ranges.map((part) => history("uaua").sourceHash(part)),
    );
  });

  it("hashes ids, states and visibility, and nothing else", () => {
    const one = history("uaua");
    const other = new FullHistory();
    for (const id of [0, 1, 2])
      other.apply({ kind: "entry", entry: { ...entry(id, 0), createdAtMs: 77, tokens: counts(5) } });
    assert.equal(one.sourceHash(range(0, 3)), other.sourceHash(range(0, 3)));
    const failed = new FullHistory();
    for (const id of [0, 1, 2])
      failed.apply({ kind: "entry", entry: { ...entry(id, 0), state: id === 1 ? "failed" : "complete" } });
    const whole = one.sourceHash(range(0, 3));
    one.apply({ kind: "visibility", range: range(1, 2), hidden: true, atMs: 0 });
    const hashes = [
      whole,
      failed.sourceHash(range(0, 3)),
      one.sourceHash(range(0, 3)),
      one.sourceHash(range(1, 4)),
      one.sourceHash(range(0, 2)),
    ];
    assert.equal(new Set(hashes).size, hashes.length);
  });

  it("applies titles, settings, models and pins", () => {
    const made = history("ua");
    const { revision } = made;
    made.apply({ kind: "title", title: "First", by: "automatic", atMs: 1 });
    made.apply({ kind: "title", title: "Second", by: "user", atMs: 2 });
    assert.equal(made.revision, revision, "a title changes nothing that is sent");
    made.apply({ kind: "setting", name: "strategy", value: "tree", atMs: 3 });
    made.apply({ kind: "model", provider: "p", model: modelId("m"), atMs: 4 });
    made.apply({ kind: "pin", id: messageId(1), pinned: true, atMs: 5 });
    made.apply({ kind: "pin", id: messageId(0), pinned: true, atMs: 5 });
    made.apply({ kind: "pin", id: messageId(0), pinned: false, atMs: 6 });
    assert.deepEqual(
      [made.title?.title, made.setting("strategy"), made.setting("other"), made.model?.model, [...made.pins]],
      ["Second", "tree", undefined, "m", [1]],
    );
    assert.equal(made.revision, revision + 5);
  });

  describe("throws for an invalid record:", () => {
    const check = (title: string, apply: (to: FullHistory) => void, message: RegExp): void => {
      it(title, () => {
        const made = history("uatr");
        assert.throws(() => {
          apply(made);
        }, message);
      });
    };
    const step = stepId("00000000-0000-0000-0000-000000000000");
    check(
      "a message out of order",
      (to) => {
        to.apply({ kind: "entry", entry: entry(7, 0) });
      },
      /message 7 is number 4/,
    );
    check(
      "a message of a later turn",
      (to) => {
        to.apply({ kind: "entry", entry: { ...entry(4, 4), turn: messageId(5) } });
      },
      /what came before/,
    );
    check(
      "a result apart from its batch",
      (to) => {
        to.apply({ kind: "entry", entry: entry(4, 0, 1) });
      },
      /right behind the tool batch/,
    );
    check(
      "a second message of the same step",
      (to) => {
        for (const id of [4, 5]) to.apply({ kind: "entry", entry: { ...entry(id, 0), step } });
      },
      /is added once/,
    );
    check(
      "a summary out of order",
      (to) => {
        addSummary(to, 0, 1);
        const [summary] = to.summaries;
        if (summary !== undefined) to.apply({ kind: "summary", summary });
      },
      /summary 0 is number 1/,
    );
    check(
      "a summary of missing messages",
      (to) => {
        addSummary(to, 0, 9);
      },
      /covers what is in the history/,
    );
    check(
      "a pin on a missing message",
      (to) => {
        to.apply({ kind: "pin", id: messageId(9), pinned: true, atMs: 0 });
      },
      /message 9 is in the history/,
    );
    check(
      "a state of a missing summary",
      (to) => {
        setState(to, 0, "undone");
      },
      /summary 0 is in the history/,
    );
    check(
      "hiding missing messages",
      (to) => {
        to.apply({ kind: "visibility", range: range(0, 9), hidden: true, atMs: 0 });
      },
      /what is hidden/,
    );
  });
});

import assert from "node:assert/strict";
import type { ReadOutView } from "../../../src/protocol/readOutView.ts";
import type { ToolCallCard } from "../../../src/protocol/toolCallView.ts";
import type { ToViewBody } from "../../../src/protocol/toView.ts";
import { ReadOut } from "../../../src/webview/a11y/readOut.ts";
import { initialState } from "../../../src/webview/state/initialState.ts";
import { reduce } from "../../../src/webview/state/state.ts";
import { answer, composer, status, streaming, user, view } from "../../browser/support/viewBuilders.ts";
import { MovedTimer } from "./movedTimer.ts";

type Heard = readonly [atMs: number, text: string];
type Script = readonly (readonly [atMs: number, ...messages: ToViewBody[]])[];

/** Log of the live region: each text with its time; "" where it is empty again. */
function heard(script: Script, readOut?: ReadOutView): readonly Heard[] {
  const timer = new MovedTimer();
  const log: Heard[] = [];
  const reader = new ReadOut(timer, (text) => log.push([timer.nowMs, text]));
  let state = initialState;
  for (const [atMs, ...messages] of script) {
    timer.moveTo(atMs);
    for (const message of messages) {
      const before = state;
      state = reduce(before, message);
      if (message.kind === "snapshot" && readOut !== undefined) state = { ...state, readOut };
      reader.hostChanged({ before, after: state, message });
    }
  }
  timer.moveTo(timer.nowMs + 13_000);
  return log;
}

const delta = (rowId: string, text: string): ToViewBody => ({ kind: "delta", rowId, part: "text", text });
const call = (rowId: string, callId: string, state: ToolCallCard["state"], title: string, detail = ""): ToViewBody => ({
  kind: "call",
  rowId,
  call: {
    callId,
    name: "run_command",
    title,
    state,
    time: "",
    question: state === "asking" ? { folder: "billing", detail, look: "code", scopes: ["once"] } : null,
  },
});
const active = (activity: "streaming" | "idle"): ToViewBody => ({ kind: "status", status: status({ activity }) });
const begun: ToViewBody = { kind: "snapshot", view: view([]) };
const fence = Array.from({ length: 120 }, (_, index) => `let v${String(index)};\n`).join("");

/** An answer with two rounds of tools, a table and a long fence. */
const answered: Script = [
  [0, begun],
  [10, { kind: "rowsAdded", rows: [user(1, "Clean the shop.")] }, composer({}, "now"), active("streaming")],
  [500, { kind: "rowsAdded", rows: [streaming("step_1")] }, delta("step_1", "I look first.")],
  [560, call("step_1", "a", "asking", "Run ls -la", "ls -la")],
  [9_000, call("step_1", "a", "running", "Run ls -la")],
  [9_100, { kind: "rowChanged", rowId: "step_1", row: answer(2, "I look first.") }],
  [9_200, { kind: "rowsAdded", rows: [streaming("step_2")] }, delta("step_2", "Now I clean. It is old.")],
  [9_222, call("step_2", "b", "asking", "Run rm -rf and 1 more line", "rm -rf \\\n  dist")],
  [17_000, call("step_2", "b", "running", "Run rm -rf and 1 more line")],
  [17_010, { kind: "rowChanged", rowId: "step_2", row: answer(3, "Now I clean. It is old.") }],
  [
    17_020,
    { kind: "rowsAdded", rows: [streaming("step_3")] },
    delta("step_3", "| File | Size |\n| - | - |\n| a.ts | 3 |\n"),
  ],
  [17_100, delta("step_3", `| b.ts | 4 |\n\n\`\`\`ts\n${fence}`)],
  [17_200, delta("step_3", "```\n\nThat is [all](https://a.example/x).")],
  [17_300, { kind: "rowChanged", rowId: "step_3", row: answer(4, "") }, active("idle")],
];

describe("ReadOut", () => {
  it("E:read-out says words before the question about them, and that the answer is complete once", () => {
    assert.deepEqual(heard(answered), [
      [10, "Message sent."],
      [1_660, "I look first. Your approval is needed, in the folder billing: Run ls -la"],
      [6_260, ""],
      [9_200, "Now I clean."],
      [
        10_800,
        "It is old. Your approval is needed, in the folder billing: Run rm -rf and 1 more line rm -rf \\\n  dist",
      ],
      [16_800, ""],
      [17_020, "Table, 2 columns. File: a.ts, Size: 3."],
      [19_920, "File: b.ts, Size: 4. Code, ts, 120 lines. That is all. Answer complete."],
      [24_470, ""],
    ]);
  });

  it("E:read-out says how many problems an edit added", () => {
    const problem = {
      severity: "error",
      message: "No b.",
      path: "a.ts",
      line: 3,
      column: 5,
      place: "a.ts:3:5",
    } as const;
    const ended: ToolCallCard = {
      callId: "a",
      name: "edit_file",
      title: "Edit a.ts (+1 −1)",
      state: "done",
      time: "1 s",
      question: null,
      problems: { listed: [problem, problem], more: 1 },
    };
    const edited: Script = [
      [0, begun],
      [10, { kind: "rowsAdded", rows: [streaming("step_1")] }, active("streaming"), delta("step_1", "I change")],
      [500, delta("step_1", " it")],
      [600, { kind: "call", rowId: "step_1", call: ended }],
      [700, { kind: "rowChanged", rowId: "step_1", row: answer(2, "I change it") }, active("idle")],
    ];
    assert.equal(
      heard(edited)
        .map(([, text]) => text)
        .join(" ")
        .trim(),
      "I change it Edit a.ts (+1 −1): 3 new problems. Answer complete.",
    );
  });

  it("E:read-out short says what happens, without the words", () => {
    assert.deepEqual(
      heard(answered, { amount: "short", silent: [] }).map(([, text]) => text),
      [
        "Message sent.",
        "Your approval is needed, in the folder billing: Run ls -la",
        "",
        "Your approval is needed, in the folder billing: Run rm -rf and 1 more line rm -rf \\\n  dist",
        "",
        "Answer complete.",
        "",
      ],
    );
  });

  it("E:read-out off says nothing by itself", () => {
    assert.deepEqual(heard(answered, { amount: "off", silent: [] }), []);
  });

  it("E:read-out leaves out what the editor's settings turn off", () => {
    assert.deepEqual(heard(answered, { amount: "short", silent: ["sent", "complete", "question"] }), []);
  });

  it("E:read-out says that it still waits, thinks or runs", () => {
    const script: Script = [
      [0, begun],
      [0, { kind: "rowsAdded", rows: [user(1, "Hi")] }, active("streaming")],
      [
        9_500,
        { kind: "rowsAdded", rows: [streaming("step_1")] },
        { kind: "delta", rowId: "step_1", part: "thinking", text: "So" },
      ],
      [20_000, call("step_1", "a", "running", "Run npm test")],
      [70_000, { kind: "rowChanged", rowId: "step_1", row: answer(2, "") }, active("idle")],
    ];
    assert.deepEqual(
      heard(script).filter(([, text]) => text !== ""),
      [
        [8_000, "Still waiting for the answer."],
        [17_500, "The model is still thinking."],
        [28_000, "Still running: Run npm test"],
        [58_000, "Still running: Run npm test"],
        [70_000, "Answer complete."],
      ],
    );
  });

  it("29.3 says what is waited for, where that is known", () => {
    const reading = { ...streaming("step_1"), stateText: "Reading 3,712 tokens, about 11 s." };
    const script: Script = [
      [0, begun],
      [0, { kind: "rowsAdded", rows: [user(1, "Hi")] }, active("streaming")],
      [10, { kind: "rowsAdded", rows: [streaming("step_1")] }],
      [20, { kind: "rowChanged", rowId: "step_1", row: reading }],
      [19_000, { kind: "rowChanged", rowId: "step_1", row: answer(2, "") }, active("idle")],
    ];
    assert.deepEqual(
      heard(script).filter(([, text]) => text !== ""),
      [
        [8_000, "Reading 3,712 tokens, about 11 s."],
        [19_000, "Answer complete."],
      ],
    );
  });

  it("E:read-out does not say again what stood there before", () => {
    const rows = [user(1, "Hi"), streaming("step_1", "One. Two. Thr")];
    const shown: ToViewBody = { kind: "snapshot", view: view(rows, { status: status({ activity: "streaming" }) }) };
    assert.deepEqual(
      heard([
        [0, shown],
        [100, delta("step_1", "ee. Four. ")],
        [200, { kind: "rowChanged", rowId: "step_1", row: answer(2, "One. Two. Three. Four.") }, active("idle")],
      ]).map(([, text]) => text),
      ["Three. Four.", "Answer complete.", ""],
    );
  });

  it("L1 says that an answer was cut instead of complete, and reads its last sentence with its end", () => {
    const said = "Answer cut at its limit of 300 tokens.";
    const cut = answer(1, "It sails. She was called the", { stopReason: "maxTokens", stateText: said });
    const rest = { continues: "message-1" };
    assert.deepEqual(
      heard([
        [0, begun],
        [10, { kind: "rowsAdded", rows: [user(0, "Tell.")] }, active("streaming")],
        [20, { kind: "rowsAdded", rows: [streaming("step_1")] }, delta("step_1", "It sails. She was called the")],
        [30, { kind: "rowChanged", rowId: "step_1", row: cut }, active("idle")],
        [20_000, { kind: "rowsAdded", rows: [streaming("step_2", "", rest)] }, active("streaming")],
        [20_010, delta("step_2", " Queen. The end.")],
        [20_020, { kind: "rowChanged", rowId: "step_2", row: answer(2, " Queen. The end.", rest) }, active("idle")],
      ])
        .map(([, text]) => text)
        .filter((text) => text !== ""),
      ["It sails.", `She was called the ${said}`, "She was called the Queen.", "The end. Answer complete."],
    );
  });
});

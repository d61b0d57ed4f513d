/** A program's screen, drawn in a terminal of another size: the terminal is xterm's, too. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { createXtermScreen } from "../../../../src/adapters/xterm/xtermScreen.ts";
import type { ScreenSize } from "../../../../src/core/tools/terminalScreen.ts";
import { TerminalDisplay } from "../../../../src/host/tools/command/terminalDisplay.ts";

const ESC = "\u001b";
const SCREEN: ScreenSize = { columns: 40, rows: 6 };
const HEADER = "$ the command\r\n";

interface Drawn {
  /** Text of the program's screen. */
  readonly text: string;
  /** Text of the terminal, below the header. */
  readonly shown: string;
  /** What was written for each piece. */
  readonly written: readonly string[];
}

async function drawn(pieces: readonly string[], size: ScreenSize): Promise<Drawn> {
  let [text, shown] = ["", ""];
  const display = new TerminalDisplay();
  display.resize(size);
  const written: string[] = [];
  const program = createXtermScreen(SCREEN, false, {
    left: (more) => {
      text += more;
      display.left(more);
    },
    erased: () => {
      text = "";
      display.erased();
    },
  });
  const terminal = createXtermScreen(size, true, {
    left: (more) => void (shown += more),
    erased: () => assert.fail("the terminal is never erased"),
  });
  await terminal.write(HEADER);
  for (const piece of pieces) {
    await program.write(piece);
    const sequence = display.draw(program.view());
    written.push(sequence);
    await terminal.write(sequence);
  }
  const whole = shown + terminal.text();
  assert.ok(whole.startsWith("$ the command\n"), "nothing above the program changes");
  return { text: text + program.text(), shown: whole.slice("$ the command\n".length), written };
}

describe("the display of a command", function () {
  this.timeout(60_000);
  const WIDE: ScreenSize = { columns: 80, rows: 24 };
  for (const [title, pieces, written, shown] of [
    ["text as it comes", ["a", "b\nc", "\n"], ["a", "b\r\nc", "\r\n"], "ab\nc\n"],
    ["a question without a line end", ["Password: "], ["Password: "], "Password: "],
    ["a progress bar", ["10 %", "\r20 %", "\r\n"], ["10 %", `\r${ESC}[J20 %`, "\r\n"], "20 %\n"],
    [
      "lines above that change",
      ["a 1\nb 1\n", `${ESC}[2A${ESC}[2Ka 2\n${ESC}[2Kb 2\n`],
      ["a 1\r\nb 1\r\n", `${ESC}[2A\r${ESC}[Ja 2\r\nb 2\r\n`],
      "a 2\nb 2\n",
    ],
    ["a cursor within the text", ["abc\nde", `${ESC}[A${ESC}[D`], ["abc\r\nde", `${ESC}[1A\r${ESC}[1C`], "abc\nde"],
    ["no control sequence of the program", [`${ESC}[31ma${ESC}]0;t\u0007${ESC}[8mb${ESC}[m`], ["ab"], "ab"],
    ["no way to what is above", [`${ESC}[9A${ESC}[H${ESC}[1JX`], ["X"], "X"],
  ] as const) {
    it(`S11 §8 shows ${title}`, async () => {
      assert.deepEqual(await drawn(pieces, WIDE), { text: shown, shown, written });
    });
  }
  it("§8 keeps what was shown before a program erased its screen", async () => {
    const { text, shown } = await drawn(["one\ntwo", `${ESC}c`, "three"], WIDE);
    assert.deepEqual({ text, shown }, { text: "three", shown: "one\ntwo\nthree" });
  });
  it("§8 takes a full-screen program away again", async () => {
    const { shown } = await drawn(["a\nb", `${ESC}[?1049h${ESC}[H~\n~\n~`, `${ESC}[?1049l`, "c\n"], WIDE);
    assert.equal(shown, "a\nbc\n");
  });

  it("§8 ends as the program's screen does, in a terminal of any width", async () => {
    const piece = fc.oneof(
      fc.constantFrom("a", "word ", "\n", "\r", "\r\n", "\b", "長", "😀", "x".repeat(50), "line\n".repeat(9)),
      fc
        .tuple(fc.integer({ min: 1, max: 5 }), fc.constantFrom(...Array.from("ABCDGJKLMPX@")))
        .map(([count, final]) => `${ESC}[${final === "J" || final === "K" ? count % 3 : count}${final}`),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(piece, { maxLength: 6 }), { maxLength: 40 }),
        fc.constantFrom(8, 16, 80),
        async (pieces, columns) => {
          const { text, shown } = await drawn(
            // Where a wide character does not fit into a row, a narrow terminal needs more cells than the lines have.
            pieces.map((each) => (columns < 80 ? each.join("").replaceAll(/長|😀/g, "u") : each.join(""))),
            { columns, rows: 60 },
          );
          assert.equal(trimmed(shown), trimmed(text));
        },
      ),
      { seed: 27, numRuns: 300 },
    );
  });
});

/** Blanks at the ends of lines cannot be told from cells that were never written. */
function trimmed(text: string): string {
  return text.replace(/[ \t]+$/gm, "").trimEnd();
}

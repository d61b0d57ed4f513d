/** Output of programs as text: what a person would see of it on a screen with its scrollback. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { createXtermScreen } from "../../../src/adapters/xterm/xtermScreen.ts";

const SIZE = { columns: 40, rows: 10 };

/** The text after the output in pieces, of a program without a terminal unless `isTty`. */
async function seen(pieces: readonly string[], isTty = false, size = SIZE): Promise<string> {
  let text = "";
  const screen = createXtermScreen(size, isTty, {
    left: (more) => void (text += more),
    erased: () => void (text = ""),
  });
  for (const piece of pieces) void screen.write(piece);
  await screen.write("");
  text += screen.text();
  screen.dispose();
  return text;
}

const ESC = "\u001b";

describe("a screen of xterm.js", function () {
  this.timeout(60_000);
  const check = (title: string, raw: string, expected: string): void => {
    it(title, async () => {
      assert.equal(await seen([raw]), expected);
      assert.equal(await seen(Array.from(raw)), expected, "the same, character by character");
    });
  };
  const numbers = (count: number): string => Array.from({ length: count }, (_, line) => `line ${line}\n`).join("");

  check("is empty at first", "", "");
  check("preserves plain text", "a\tb\nß 長 😀\n", "a\tb\nß 長 😀\n");
  check("preserves blank lines and the missing line end", "\n\na\n\n\nb", "\n\na\n\n\nb");
  check("preserves blanks before a line and after it", "  a  \n   \nPassword: ", "  a  \n   \nPassword: ");
  check(
    "preserves lines that are longer than the screen",
    `${"0123456789".repeat(30)}\nb`,
    `${"0123456789".repeat(30)}\nb`,
  );
  check("preserves blanks where a long line is wrapped", `${" ".repeat(90)}x\n`, `${" ".repeat(90)}x\n`);
  check("preserves wide characters where a long line is wrapped", `a${"長".repeat(60)}\n`, `a${"長".repeat(60)}\n`);
  check("preserves more lines than the screen and its memory have", numbers(3_000), numbers(3_000));
  check("preserves a line that is longer than its memory", "0123456".repeat(9_001), "0123456".repeat(9_001));
  check("preserves tabs", "\ta\t\tb\t\n\t\n", "\ta\t\tb\t\n\t\n");
  check("preserves tabs in lines that are longer than the screen", "abc\tde\t".repeat(30), "abc\tde\t".repeat(30));
  check("preserves joined emoji and marks", "👨‍👩‍👧 e\u0301 ❤️ 🇩🇪\n", "👨‍👩‍👧 e\u0301 ❤️ 🇩🇪\n");
  check("turns CRLF into LF", "a\r\nb\r\n", "a\nb\n");

  check(
    "§8 shows the last state of two lines",
    `a 10%\nb 10%\n${ESC}[2A${ESC}[2Ka 50%\n${ESC}[2Kb 70%\n`,
    "a 50%\nb 70%\n",
  );
  check("§8 shows a line above that alone has changed", `a 10%\nb 10%\n${ESC}[2A${ESC}[2Ka 50%`, "a 50%\nb 10%");
  check("§8 has blanks where the cursor moved", `Name${ESC}[10CSize\n`, "Name          Size\n");
  check("§8 has blanks where the cursor moved to a column", `a${ESC}[9Gb${ESC}[12\`c\n`, "a       b  c\n");
  check("§8 shows the last state of a progress bar", "10 %\r50 %\r100 %\ndone\n", "100 %\ndone\n");
  check("§8 leaves what a shorter text does not cover", "loading…\rdone\n", "doneing…\n");
  check("§8 erases to the end of a line", `loading…\rdone${ESC}[K\n`, "done\n");
  check("§8 erases characters and deletes others", `abcdef\r${ESC}[2Pxy${ESC}[2X\n`, "xy\n");
  check("§8 inserts characters and lines", `one\nthree\r${ESC}[Ltwo\n\rab${ESC}[D${ESC}[2@\n`, "one\ntwo\na  bree\n");
  check("§8 erases what is below", `a\nb\nc\n${ESC}[2A${ESC}[Jx\n`, "a\nx\n");
  check("§8 applies backspaces", "abx\bc\n1%\b\b25%\n", "abc\n25%\n");
  check("§8 shows overstruck letters once", "N\bNA\bAM\bME\bE _\bu\n", "NAME u\n");
  check("§8 goes on where a cursor was saved", `a ${ESC}7…${ESC}8b\n${ESC}[sxyz${ESC}[uX\n`, "a b\nXyz\n");
  check("§8 counts wide characters as two", `長長${ESC}[2D.\n😀a${ESC}[3G|\n`, "長.\n😀|\n");
  check(
    "§8 drops colours and styles",
    `${ESC}[1;31mred${ESC}[0m ${ESC}[38;5;12mblue${ESC}[m ${ESC}[38:2::1:2:3mx${ESC}[m`,
    "red blue x",
  );
  check("§8 shows concealed text", `${ESC}[8mhidden${ESC}[m\n`, "hidden\n");
  check(
    "§8 drops titles, shell marks and the clipboard",
    `${ESC}]0;a title\u0007x${ESC}]633;C${ESC}\\y${ESC}]52;c;eA==\u0007\n`,
    "xy\n",
  );
  check("§8 keeps the text of a link", `${ESC}]8;;https://example.org\u0007here${ESC}]8;;\u0007`, "here");
  check(
    "§8 drops other sequences",
    `${ESC}Pdata${ESC}\\a${ESC}(Bb${ESC}=c${ESC}[?2004hd${ESC}[?25le${ESC}_x${ESC}\\f`,
    "abcdef",
  );
  check("§8 draws lines of the old character set", `${ESC}(0lqk${ESC}(B\n`, "┌─┐\n");
  check("§8 drops control characters", "a\u0000b\u0007c\u007f\n", "abc\n");
  check("§8 ends a title that another sequence interrupts", `${ESC}]0;x${ESC}[0mtext`, "text");
  check("§8 forgets what was erased with its scrollback", `${numbers(2_000)}${ESC}[H${ESC}[2J${ESC}[3Jnew\n`, "new\n");
  check("§8 forgets all at a reset", `${numbers(2_000)}${ESC}cnew\n`, "new\n");
  check("§8 begins again at the top where the screen was erased", `a\nb\n${ESC}[H${ESC}[2Jnew\n`, "new\n");
  check(
    "§8 tells the last screen of a full-screen program",
    `before\n${ESC}[?1049h${ESC}[Hfirst${ESC}[2J${ESC}[Htop - 12:00\n\nPID${ESC}[?1049lafter\n`,
    "before\nafter\n[Last screen of a full-screen program:]\ntop - 12:00\n\nPID\n",
  );
  check(
    "§8 tells the screen of a full-screen program that goes on",
    `before\n${ESC}[?1049h${ESC}[H~\n~\n-- INSERT --`,
    "before\n[Last screen of a full-screen program:]\n~\n~\n-- INSERT --\n",
  );
  it("§8 steps down at a line feed of a terminal, as the system adds the return", async () => {
    assert.equal(await seen(["ab\ncd\r\nx"], true), "ab\n  cd\nx");
  });

  it("§8 shows the same for any output, however it is split", async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "a",
        "word ",
        "\n",
        "\r",
        "\t",
        "\b",
        "長",
        "😀",
        "e\u0301",
        "\u200d",
        "é",
        "\u009b",
        "\ud83d",
        "\ude00",
      ),
      fc.constantFrom("x".repeat(70), "line\n".repeat(30), "\n".repeat(12), "\t".repeat(9)),
      fc.constantFrom(
        ESC,
        "[",
        "]",
        "31m",
        "\u0007",
        "\\",
        "P",
        "(B",
        "(0",
        "c",
        "M",
        "D",
        "7",
        "8",
        ";",
        "?",
        "1049h",
        "1049l",
      ),
      fc
        .tuple(fc.integer({ min: 0, max: 12 }), fc.constantFrom(...Array.from("ABCDEFGHJKLMPSTX@dfrIZ")))
        .map(([count, final]) => `${ESC}[${count}${final}`),
      fc.constantFrom(
        `${ESC}[3J`,
        `${ESC}[?7l`,
        `${ESC}[?7h`,
        `${ESC}[4h`,
        `${ESC}[2;5r`,
        `${ESC}[?1049h`,
        `${ESC}[?1049l`,
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 120 }),
        fc.array(fc.integer({ min: 0, max: 3_000 }), { maxLength: 8 }),
        async (pieces, places) => {
          const raw = pieces.join("");
          const cuts = [0, ...places.map((place) => Math.min(place, raw.length)).toSorted((a, b) => a - b), raw.length];
          const split = cuts.slice(1).map((end, index) => raw.slice(cuts[index], end));
          const text = await seen([raw]);
          assert.equal(await seen(split), text);
          assert.equal(await seen(pieces), text);
          assert.ok(!/(?![\n\t])\p{Cc}/u.test(text), JSON.stringify(text));
        },
      ),
      { seed: 27, numRuns: 400 },
    );
  });
  it("§8 preserves any text without control characters", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 300 }), async (line) => {
        const text = `${line}\n`.repeat(3);
        assert.equal(await seen([text]), text);
      }),
      { seed: 27, numRuns: 500 },
    );
  });
});

/** Prompt marks of a shell in output that is split anywhere. */

import assert from "node:assert/strict";
import { PromptMarkSearch } from "../../../../src/host/tools/command/promptMark.ts";

/** The output before the first mark, and the mark's exit code. */
function search(
  pieces: readonly string[],
): { readonly before: string; readonly exitCode: number | undefined } | undefined {
  const marks = new PromptMarkSearch();
  let before = "";
  for (const piece of pieces) {
    const mark = marks.add(piece);
    before += piece.slice(0, mark?.before);
    if (mark !== undefined) return { before, exitCode: mark.exitCode };
  }
  return undefined;
}

describe("PromptMarkSearch", () => {
  const found = (title: string, mark: string, exitCode: number | undefined): void => {
    it(`finds ${title}`, () => {
      const output = `one\r\ntwo\r\n${mark}user@host:~$ `;
      assert.deepEqual(search([output]), { before: "one\r\ntwo\r\n", exitCode });
      const characters = search(Array.from(output));
      assert.equal(characters?.exitCode, exitCode, "the same, character by character");
      assert.ok(characters?.before.startsWith("one\r\ntwo\r\n"));
      assert.doesNotMatch(characters?.before ?? "", /user@/);
    });
  };
  found("an end mark", "\u001b]633;D;0\u0007", 0);
  found("an end mark with another exit code", "\u001b]633;D;127\u0007", 127);
  found("an end mark without an exit code", "\u001b]633;D\u0007", undefined);
  found("an end mark in the generic form (OSC 133)", "\u001b]133;D;1\u001b\\", 1);
  found("an end mark with more parameters", "\u001b]133;D;2;aid=17\u0007", 2);
  found("the first of an end mark and a prompt mark", "\u001b]633;D;5\u0007\u001b]633;A\u0007", 5);
  found("a prompt mark", "\u001b]633;A\u0007", undefined);
  found("a prompt mark with more parameters", "\u001b]133;A;cl=m\u0007", undefined);

  const nothing = (title: string, output: string): void => {
    it(`ignores ${title}`, () => {
      assert.equal(search([output]), undefined);
      assert.equal(search(Array.from(output)), undefined);
    });
  };
  nothing("a start mark", "\u001b]633;C\u0007out\r\n");
  nothing("a folder mark", "\u001b]633;P;Cwd=/a/D;0\u0007");
  nothing("the text of a mark without its escape character", "]633;D;0 and 633;A\r\n");
  nothing("an unterminated mark", `\u001b]633;D;0${"x".repeat(200)}`);
  nothing("another sequence", "\u001b]6330;D;0\u0007\u001b]0;A\u0007");

  it("finds a split mark after a megabyte of output", () => {
    const lines = Array.from({ length: 20 }, () => `${"9".repeat(50_000)}\r\n`);
    const output = [...lines, "last\r\n\u001b]63", "3;D;", "0\u0007$ "];
    assert.equal(search(output)?.exitCode, 0);
  });
});

/** A call that no tool has described says what it asks for, in the words of those that were. */

import assert from "node:assert/strict";
import { callTitle } from "../../../src/host/tools/callTitle.ts";

const check = (name: string, input: object | string, expected: string): void => {
  const inputJson = typeof input === "string" ? input : JSON.stringify(input);
  assert.equal(callTitle({ name, inputJson }), expected, `${name} ${inputJson}`);
};

describe("the words of a call", () => {
  it("say what each tool of Forge was asked for", () => {
    check("read_file", { path: "src/a.ts", start_line: 0 }, "Read src/a.ts");
    check("edit_file", { path: "src/a.ts", edits: [] }, "Edit src/a.ts");
    check("list_files", { path: "../.." }, "List ../..");
    check("list_files", {}, "List the workspace");
    check("find_files", { pattern: "[" }, "Find files like [");
    check("search_text", { query: "(", is_regex: true }, "Search for (");
    check("get_problems", { path: "nowhere" }, "Look at the problems of nowhere");
    check("get_problems", {}, "Look at the problems");
    check("get_selection", {}, "Look at the selection and the open files");
    check("git_status", {}, "Look at the state of git");
    check("git_diff", { staged: true }, "Look at the changes since the last commit");
    check("git_diff", { path: "src" }, "Look at the changes of src since the last commit");
    check("run_command", { command: "npm test\n--  \nmore" }, "Run npm test -- more");
    check("recall_history", { query: "retry budget" }, "Search history: retry budget");
    check("recall_history", { message: 4 }, "Read message 4");
  });

  it("say it as well as can be where the input is not whole, or not what the tool takes", () => {
    for (const [name, expected] of [
      ["read_file", "Read a file"],
      ["edit_file", "Edit a file"],
      ["list_files", "List a folder"],
      ["find_files", "Find files"],
      ["search_text", "Search the files"],
      ["run_command", "Run a command"],
      ["recall_history", "Look into the history"],
    ] as const) {
      for (const input of ["", '{"path":"src/', '{"pa']) check(name, input, expected);
    }
    check("read_file", { path: ["a"] }, "Read a file");
    check("read_file", "7", "Read a file");
    check("read_file", { path: "  " }, "Read a file");
  });

  it("hide nothing, and stay on one short line", () => {
    check("read_file", { path: "a\u202eb" }, "Read a[U+202E]b");
    check("run_command", { command: "x".repeat(80) }, `Run ${"x".repeat(60)}…`);
  });

  it("name a tool that Forge does not know, with the values that it was given", () => {
    check("weather", { city: "Berlin", days: 3, now: true }, "weather Berlin, 3");
    check("weather", '{"city":', 'weather {"city":');
    check("weather", "", "weather");
    check("constructor", {}, "constructor");
  });
});

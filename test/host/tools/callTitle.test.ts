/** Titles of calls that no tool has described, in the same words as described ones. */

import assert from "node:assert/strict";
import { callTitle } from "../../../src/host/tools/callTitle.ts";

const check = (name: string, input: object | string, expected: string): void => {
  const inputJson = typeof input === "string" ? input : JSON.stringify(input);
  assert.equal(callTitle({ name, inputJson }), expected, `${name} ${inputJson}`);
};

describe("callTitle", () => {
  it("describes the request to each tool of Forge", () => {
    check("read_file", { path: "src/a.ts", start_line: 0 }, "Read src/a.ts");
    check("edit_file", { path: "src/a.ts", edits: [] }, "Edit src/a.ts");
    check("list_files", { path: "../.." }, "List ../..");
    check("list_files", {}, "List the workspace");
    check("find_files", { pattern: "[" }, "Find files like [");
    check("search_text", { query: "(", is_regex: true }, "Search for (");
    check("get_problems", { path: "nowhere" }, "Look at the problems of nowhere");
    check("get_problems", {}, "Look at the problems");
    check("get_selection", {}, "Look at the selection and the open files");
    check("git_status", {}, "Show the git status");
    check("git_diff", { staged: true }, "Look at the changes since the last commit");
    check("git_diff", { path: "src" }, "Look at the changes of src since the last commit");
    check("run_command", { command: "npm test\n--  \nmore" }, "Run npm test -- more");
    check("recall_history", { query: "retry budget" }, "Search history: retry budget");
    check("recall_history", { message: 4 }, "Read message 4");
  });

  it("falls back to a general title when the input is truncated or invalid", () => {
    for (const [name, expected] of [
      ["read_file", "Read a file"],
      ["edit_file", "Edit a file"],
      ["list_files", "List a folder"],
      ["find_files", "Find files"],
      ["search_text", "Search the files"],
      ["run_command", "Run a command"],
      ["recall_history", "Look up the history"],
    ] as const) {
      for (const input of ["", '{"path":"src/', '{"pa']) check(name, input, expected);
    }
    check("read_file", { path: ["a"] }, "Read a file");
    check("read_file", "7", "Read a file");
    check("read_file", { path: "  " }, "Read a file");
  });

  it("shows invisible characters as codes and stays on one short line", () => {
    check("read_file", { path: "a\u202eb" }, "Read a[U+202E]b");
    check("run_command", { command: "rm -rf dist", path: "billing" }, "Run rm -rf dist in billing");
    check("run_command", { command: "x".repeat(80) }, `Run ${"x".repeat(60)}…`);
  });

  it("shows the name and the input values of an unknown tool", () => {
    check("weather", { city: "Berlin", days: 3, now: true }, "weather Berlin, 3");
    check("weather", '{"city":', 'weather {"city":');
    check("weather", "", "weather");
    check("constructor", {}, "constructor");
  });
});

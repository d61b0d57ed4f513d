/** What a question about a command says: the whole of it, and the folder where several are open. */

import assert from "node:assert/strict";
import type { Result } from "../../../../src/core/result.ts";
import type { ToolCallView } from "../../../../src/core/tools/tool.ts";
import { withEditorModule } from "../../../support/editor/editorModule.ts";

const folderNamed = (name: string, index: number): object => ({
  name,
  index,
  uri: { scheme: "file", path: `/w/${name}`, fsPath: `/w/${name}` },
});
const editor = {
  workspace: { isTrusted: true, workspaceFolders: [] as readonly object[] },
  Uri: { joinPath: (uri: object): object => uri },
};
const { runCommandTool } = await withEditorModule(
  "runCommand",
  editor,
  () => import("../../../../src/host/tools/command/runCommand.ts"),
);
const never = { run: (): Promise<never> => Promise.reject(new Error("nothing is run")) };
const tool = runCommandTool("", never, { command: never.run, commandNote: () => "Kept" }, (bug) =>
  assert.fail(String(bug)),
);

const describeIn = (folders: readonly string[], input: object): Promise<Result<ToolCallView, string>> => {
  editor.workspace.workspaceFolders = folders.map(folderNamed);
  return tool.describe(JSON.stringify(input));
};

describe("the question about a command", () => {
  const THREE = ["shop", "billing", "מחסן"];
  for (const [folders, path, title, folder] of [
    [["shop"], undefined, "Run rm -rf dist", undefined],
    [THREE, undefined, "Run rm -rf dist in shop", "shop"],
    [THREE, "shop", "Run rm -rf dist in shop", "shop"],
    [THREE, "billing", "Run rm -rf dist in billing", "billing"],
    [THREE, "billing/api", "Run rm -rf dist in billing/api", "billing"],
    [THREE, "מחסן", "Run rm -rf dist in מחסן", "מחסן"],
    [["a\u202eb", "c"], "c", "Run rm -rf dist in c", "c"],
    [["a\u202eb", "c"], undefined, "Run rm -rf dist in a-b", "a-b"],
    [["shop", "shop"], "shop (2)", "Run rm -rf dist in shop (2)", "shop (2)"],
  ] as const) {
    it(`E:folder says where: ${path ?? "no path"} of ${JSON.stringify(folders)}`, async () => {
      const command = "rm -rf dist";
      const input = path === undefined ? { command } : { command, path };
      assert.deepEqual(await describeIn(folders, input), {
        ok: true,
        value: { title, detail: command, mustAsk: true, note: "Kept", ...(folder === undefined ? {} : { folder }) },
      });
    });
  }

  for (const [title, command] of [
    ["2,001 characters", `echo ${"a".repeat(1_996)}`],
    ["31 lines", Array.from({ length: 31 }, () => "true").join("\n")],
  ] as const) {
    it(`S7 is not asked for ${title}, which nobody reviews`, async () => {
      assert.deepEqual(await describeIn(["shop"], { command }), {
        ok: false,
        error:
          "TOO_LARGE: No user can review a command of more than 2,000 characters or 30 lines. " +
          "Write a script first, and run that.",
      });
    });
  }
  for (const hidden of [
    "\u2028",
    "\u2029",
    "\ue000",
    "\u{f0000}",
    "\ufdd0",
    "\uffff",
    "\u00ad",
    "\u0085",
    "\u001b",
    "\r",
  ]) {
    it(`S13 is not asked for a command with ${JSON.stringify(hidden)}`, async () => {
      const code = `U+${(hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
      assert.deepEqual(await describeIn(["shop"], { command: `ls${hidden}-l` }), {
        ok: false,
        error: `NOT_ALLOWED: The command holds characters that a reader does not see: ls[${code}]-l`,
      });
    });
  }
  it("S7 shows 30 lines and 2,000 characters whole", async () => {
    const command = Array.from({ length: 30 }, () => `echo ${"a".repeat(60)}`).join("\n");
    const view = await describeIn(["shop"], { command });
    assert.equal(view.ok && view.value.detail, command);
  });
});

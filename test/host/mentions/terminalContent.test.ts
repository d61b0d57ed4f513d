import assert from "node:assert/strict";
import type { terminalContent } from "../../../src/host/mentions/terminalContent.ts";
import { withEditorModule } from "../../support/editor/editorModule.ts";

let clipboard = "";
let terminal = { shows: "", selected: "" };
let isAllSelected = false;

/** The editor's terminal commands; a selection is copied to the clipboard. */
const acts: Readonly<Record<string, () => void>> = {
  "workbench.action.terminal.selectAll": () => (isAllSelected = true),
  "workbench.action.terminal.clearSelection": () => (isAllSelected = false),
  "workbench.action.terminal.copySelection": () => (clipboard = isAllSelected ? terminal.shows : terminal.selected),
};
const editor = {
  window: { activeTerminal: { name: "bash" } as { readonly name: string } | undefined },
  env: {
    clipboard: {
      readText: () => Promise.resolve(clipboard),
      writeText: (text: string) => Promise.resolve(void (clipboard = text)),
    },
  },
  commands: { executeCommand: (name: string) => Promise.resolve(acts[name]?.()) },
};

describe("terminalContent", () => {
  let content: typeof terminalContent;
  before(async () => {
    const load = (): Promise<{ readonly terminalContent: typeof terminalContent }> =>
      import("../../../src/host/mentions/terminalContent.ts");
    ({ terminalContent: content } = await withEditorModule("terminal", editor, load));
  });
  beforeEach(() => {
    clipboard = "what the user copied";
    isAllSelected = false;
  });

  const many = Array.from({ length: 502 }, (_, index) => `line ${String(index)}`).join("\n");
  for (const [name, now, isSelected, expected] of [
    ["the selection", { shows: "$ npm test\n2 failing", selected: "2 failing" }, true, /selected in .*2 failing/s],
    [
      "everything if only whitespace is selected",
      { shows: "$ npm test", selected: " " },
      true,
      /"bash" shows.*npm test/s,
    ],
    ["everything that is shown", { shows: "$ npm test\n\n", selected: "npm" }, false, /"bash" shows.*\$ npm test/s],
    ["the last lines of many", { shows: many, selected: "" }, false, /2 earlier lines.*line 2\n.*line 501/s],
    [
      "nothing of an empty terminal, but gives an error,",
      { shows: "\n\n", selected: "" },
      true,
      /^The terminal shows nothing\.$/,
    ],
  ] as const) {
    it(`adds ${name} and restores the clipboard`, async () => {
      terminal = now;
      const read = await content(isSelected);
      const told = !read.ok ? read.error : read.value.kind === "attachment" ? read.value.text : "";
      assert.match(told, expected);
      assert.deepEqual([clipboard, isAllSelected], ["what the user copied", false]);
    });
  }

  it("adds nothing around a selection, even if it is added twice at a time", async () => {
    terminal = { shows: "$ npm test\n2 failing", selected: "2 failing" };
    const first = content(true);
    while (clipboard === "what the user copied") await Promise.resolve();
    for (const read of await Promise.all([first, content(true)])) {
      assert.ok(read.ok && read.value.kind === "attachment" && !read.value.text.includes("npm"));
    }
    assert.equal(clipboard, "what the user copied");
  });
});

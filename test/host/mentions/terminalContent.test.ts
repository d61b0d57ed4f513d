/** What of a terminal is added to a message, and what the clipboard holds afterwards. */
import assert from "node:assert/strict";
import type { terminalContent } from "../../../src/host/mentions/terminalContent.ts";
import { withEditorModule } from "../../support/editor/editorModule.ts";

let clipboard = "";
let terminal = { shows: "", selected: "" };
let isAllSelected = false;

/** A terminal as the editor has it: what is selected in it goes into the clipboard. */
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

describe("what is added of a terminal", () => {
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
    ["what is selected", { shows: "$ npm test\n2 failing", selected: "2 failing" }, true, /selected in .*2 failing/s],
    [
      "all where nothing but space is selected",
      { shows: "$ npm test", selected: " " },
      true,
      /"bash" shows.*npm test/s,
    ],
    ["all that is there", { shows: "$ npm test\n\n", selected: "npm" }, false, /"bash" shows.*\$ npm test/s],
    ["the last lines of many", { shows: many, selected: "" }, false, /2 earlier lines.*line 2\n.*line 501/s],
    ["nothing, and the user is told so", { shows: "\n\n", selected: "" }, true, /^The terminal shows nothing\.$/],
  ] as const) {
    it(`is ${name}; the clipboard holds what it held`, async () => {
      terminal = now;
      const read = await content(isSelected);
      const told = !read.ok ? read.error : read.value.kind === "attachment" ? read.value.text : "";
      assert.match(told, expected);
      assert.deepEqual([clipboard, isAllSelected], ["what the user copied", false]);
    });
  }

  it("is nothing of what is shown around a selection, also where it is added twice at a time", async () => {
    terminal = { shows: "$ npm test\n2 failing", selected: "2 failing" };
    const first = content(true);
    while (clipboard === "what the user copied") await Promise.resolve();
    for (const read of await Promise.all([first, content(true)])) {
      assert.ok(read.ok && read.value.kind === "attachment" && !read.value.text.includes("npm"));
    }
    assert.equal(clipboard, "what the user copied");
  });
});

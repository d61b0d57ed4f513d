import type { Session } from "../../../src/host/session/session.ts";
import assert from "node:assert/strict";
import type { sendCode } from "../../../src/host/fromEditor/sendCode.ts";
import { withEditorModule } from "../../support/editor/editorModule.ts";
import { openSession } from "../../support/session/openSession.ts";
import { scriptedProvider } from "../../support/models/scriptedProvider.ts";

class Range {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
  constructor(line: number, character: number, endLine: number, endCharacter: number) {
    this.start = { line, character };
    this.end = { line: endLine, character: endCharacter };
  }
  get isEmpty(): boolean {
    return this.isSingleLine && this.start.character === this.end.character;
  }
  get isSingleLine(): boolean {
    return this.start.line === this.end.line;
  }
}
const uriOf = (path: string, scheme = "file") => ({ scheme, path, toString: () => `${scheme}:${path}` });
const documentAt = (uri: object, text: string, languageId: string) => {
  const lines = text.split("\n");
  const lineAt = (line: number) => ({
    text: lines[line],
    range: new Range(line, 0, line, lines[line]?.length ?? 0),
  });
  return { uri, languageId, lineCount: lines.length, lineAt, getText: () => text };
};
const folder = { name: "tides", uri: uriOf("/home/me/tides"), index: 0 };
const code = documentAt(uriOf("/home/me/tides/a.ts"), "let tides = 2;", "typescript");
const cells = ["# Tides", "import tides\ntides.show()"].map((text, index) => ({
  index,
  document: documentAt(uriOf(`/home/me/tides/nb.ipynb#${index}`, "vscode-notebook-cell"), text, "python"),
}));
const notebookAt = (path: string) => ({
  uri: uriOf(path),
  cellCount: cells.length,
  getCells: () => cells,
  cellAt: (index: number) => cells[index],
});
const selected = { document: code, selection: new Range(0, 0, 0, 14) };
const inCell = { document: cells[1]?.document, selection: new Range(0, 0, 1, 12) };
const editor = {
  Range,
  Uri: { joinPath: ({ path }: { readonly path: string }, ...parts: string[]) => uriOf([path, ...parts].join("/")) },
  window: {},
  workspace: {
    workspaceFolders: [folder],
    notebookDocuments: [] as object[],
    getWorkspaceFolder: ({ scheme, path }: { readonly scheme: string; readonly path: string }) =>
      scheme === "file" && path.startsWith(`${folder.uri.path}/`) ? folder : undefined,
  },
};

describe("a selection added to the chat", () => {
  let send: typeof sendCode;
  before(async () => {
    const load = (): Promise<{ readonly sendCode: typeof sendCode }> =>
      import("../../../src/host/fromEditor/sendCode.ts");
    ({ sendCode: send } = await withEditorModule("sendCode", editor, load));
  });

  const added = async (session: Session, happened: string[] = []): Promise<string> => {
    const presenter = {
      showBanner: () => assert.fail("nothing fails here"),
      showDraftTokens: (_tokens: number, { composer }: Session) => void happened.push(composer.text),
    };
    const views = {
      focusAndPost: () => assert.fail("the composer tells the pages"),
      focus: () => happened.push("focus"),
    };
    await send("forge.addSelection", undefined, session, presenter, views);
    return session.composer.text;
  };

  it("is placed after the typed text and counted with it", async () => {
    Object.assign(editor.window, { activeTextEditor: selected, activeNotebookEditor: undefined });
    const { session } = await openSession(scriptedProvider());
    await session.composer.setText("Why?");
    const happened: string[] = [];
    const text = await added(session, happened);
    assert.equal(text, "Why?\n\n`a.ts`, line 1:\n\n```typescript\nlet tides = 2;\n```\n\n");
    assert.deepEqual(happened, ["focus", text]);
  });

  const OUTSIDE = documentAt(uriOf("/home/me/other/b.ts"), "let b = 1;", "");
  const inside = notebookAt("/home/me/tides/nb.ipynb");
  const first = { notebook: inside, selection: { start: 0, end: 1 } };
  for (const { title, active, notebook = inside, place } of [
    {
      title: "of a file outside the folders has only its name",
      active: { activeTextEditor: { ...selected, document: OUTSIDE } },
      place: "`b.ts`, line 1",
    },
    {
      title: "E:notebooks in a cell has the cell's place",
      active: { activeTextEditor: inCell },
      place: "`nb.ipynb`, cell 2, lines 1–2",
    },
    {
      title: "E:notebooks in a cell outside the folders has no path",
      active: { activeTextEditor: inCell },
      notebook: notebookAt("/home/me/other/nb.ipynb"),
      place: "`nb.ipynb`, cell 2, lines 1–2",
    },
    {
      title: "E:notebooks is the selected cell where no text has the cursor",
      active: { activeNotebookEditor: first },
      place: "`nb.ipynb`, cell 1, line 1",
    },
    {
      title: "E:notebooks is the selected cell where a text editor beside the notebook has the cursor",
      active: { activeTextEditor: selected, activeNotebookEditor: first },
      place: "`nb.ipynb`, cell 1, line 1",
    },
  ]) {
    it(title, async () => {
      Object.assign(editor.window, { activeTextEditor: undefined, activeNotebookEditor: undefined, ...active });
      Object.assign(editor.workspace, { notebookDocuments: [notebook] });
      const { session } = await openSession(scriptedProvider());
      assert.equal((await added(session)).split("\n")[0], `${place}:`);
    });
  }
});

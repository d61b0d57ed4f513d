import assert from "node:assert/strict";
import type { Connection } from "../../../src/host/connections/connections.ts";
import type { droppedContent } from "../../../src/host/mentions/droppedContent.ts";
import { withEditorModule } from "../../support/editor/editorModule.ts";
import { fakeTool } from "../../support/editor/fakeTools.ts";

interface Address {
  readonly scheme: string;
  readonly path: string;
  readonly toString: () => string;
}
const address = (path: string): Address => ({ scheme: "file", path, toString: () => `file://${path}` });
const folder = { name: "shop", uri: { ...address("/shop"), fsPath: "/shop" }, index: 0 };
/** `FileType` by path; the bit 64 marks a symbolic link. */
const types: Readonly<Record<string, number>> = {
  "/shop/src": 2,
  "/shop/linked": 66,
  "/tmp/linked": 66,
  "/tmp/a.txt": 1,
  "/tmp/nb.ipynb": 1,
};
const NOTEBOOK = JSON.stringify({
  cells: [
    {
      cell_type: "code",
      source: ["x = 1"],
      outputs: [{ output_type: "display_data", data: { "image/png": "iVBORw0KGgo=" } }],
    },
  ],
});
const unsaved = { isDirty: true, uri: address("/tmp/a.txt"), getText: () => "as it is seen" };
let documents: readonly (typeof unsaved)[] = [];
const editor = {
  FileType: { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 },
  Uri: {
    parse: (text: string) => address(text.replace("file://", "")),
    joinPath: ({ path }: Address, ...names: readonly string[]) => address([path, ...names].join("/")),
  },
  window: { showWarningMessage: (_text: string, _options: object, add: string) => Promise.resolve(add) },
  workspace: {
    workspaceFolders: [folder],
    getWorkspaceFolder: ({ path }: Address) => (path.startsWith("/shop/") ? folder : undefined),
    notebookDocuments: [],
    get textDocuments() {
      return documents;
    },
    fs: {
      stat: ({ path }: Address) => Promise.resolve({ type: types[path], size: 10 }),
      readFile: ({ path }: Address) =>
        Promise.resolve(Buffer.from(path === "/tmp/nb.ipynb" ? NOTEBOOK : "as it is stored")),
    },
  },
};

describe("droppedContent", () => {
  let content: typeof droppedContent;
  before(async () => {
    const load = (): Promise<{ readonly droppedContent: typeof droppedContent }> =>
      import("../../../src/host/mentions/droppedContent.ts");
    ({ droppedContent: content } = await withEditorModule("dropped", editor, load));
  });
  afterEach(() => (documents = []));

  /** The added text, or the error. */
  async function added(path: string): Promise<string> {
    const listed = { outcome: "ok", text: `what is in ${path}` } as const;
    const tools = [fakeTool("list_files", { run: () => Promise.resolve(listed) }), fakeTool("read_file")];
    const reading = {
      tools,
      cancel: new AbortController().signal,
      asks: <T>(question: () => Promise<T>) => question(),
    };
    const read = await content(`file://${path}`, { connection: {} as Connection, dist: "/dist", reading });
    return read.ok ? read.value.map((part) => (part.kind === "image" ? "" : part.text)).join() : read.error;
  }

  for (const [name, path, expected] of [
    ["a folder", "/shop/src", "what is in /shop/src"],
    ["a link to a folder", "/shop/linked", "what is in /shop/linked"],
    ["no link to a folder outside", "/tmp/linked", "A folder outside of the workspace cannot be added."],
  ] as const) {
    it(`adds ${name}`, async () => assert.equal(await added(path), expected));
  }

  it("E:notebooks adds a notebook from outside as its cells, without pictures", async () => {
    const text = "%% cell 1 (code, python)\nx = 1\n%% output of cell 1: image/png, 9 bytes, not shown\n";
    assert.equal((await added("/tmp/nb.ipynb")).split("\n\n")[1], text);
  });

  it("adds a file from outside as the editor shows it, saved or not", async () => {
    assert.match(await added("/tmp/a.txt"), /as it is stored$/);
    documents = [unsaved];
    assert.match(await added("/tmp/a.txt"), /as it is seen$/);
  });
});

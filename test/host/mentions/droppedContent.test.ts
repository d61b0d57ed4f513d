import assert from "node:assert/strict";
import type { Connection } from "../../../src/host/connections/connections.ts";
import type * as dropped from "../../../src/host/mentions/droppedContent.ts";
import { withEditorModule } from "../../support/editor/editorModule.ts";
import { fakeTool } from "../../support/editor/fakeTools.ts";

interface Address {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  readonly toString: () => string;
}
function address(path: string, scheme = "file", authority = ""): Address {
  return { scheme, authority, path, toString: () => `${scheme}://${authority}${path}` };
}
const folderAt = (uri: Address): object => ({ name: "shop", uri: { ...uri, fsPath: uri.path }, index: 0 });
const shop = folderAt(address("/shop"));
let folders: readonly object[] = [shop];
let remoteName: string | undefined;
/** Questions, and how they are answered. */
let questions: string[] = [];
let isRefused = false;
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
    parse: (text: string) => {
      const [, scheme, authority, path = ""] = /^([a-z-]+):(?:\/\/([^/]*))?(.*)$/.exec(text) ?? [];
      return address(decodeURIComponent(path), scheme, decodeURIComponent(authority ?? ""));
    },
    file: (path: string) => address(path),
    joinPath: ({ path, scheme, authority }: Address, ...names: readonly string[]) =>
      address([path, ...names].join("/"), scheme, authority),
  },
  env: {
    get remoteName() {
      return remoteName;
    },
  },
  window: {
    showWarningMessage: (text: string, { detail }: { readonly detail: string }, add: string) => {
      questions.push(`${text} ${detail.split("\n\n")[0] ?? ""}`);
      return Promise.resolve(isRefused ? undefined : add);
    },
  },
  workspace: {
    get workspaceFolders() {
      return folders;
    },
    getWorkspaceFolder: (uri: Address) =>
      (folders as readonly { readonly uri: Address }[]).find(
        ({ uri: { scheme, authority, path } }) =>
          scheme === uri.scheme && authority === uri.authority && uri.path.startsWith(`${path}/`),
      ),
    getConfiguration: () => ({ get: () => undefined, inspect: () => undefined }),
    notebookDocuments: [],
    get textDocuments() {
      return documents;
    },
    fs: {
      isWritableFileSystem: (scheme: string) => (scheme === "vscode-vfs" ? false : undefined),
      readDirectory: () => Promise.resolve([]),
      stat: ({ path }: Address) =>
        path.includes("missing") ? Promise.reject(new Error()) : Promise.resolve({ type: types[path] ?? 1, size: 10 }),
      readFile: ({ path }: Address) =>
        Promise.resolve(Buffer.from(path === "/tmp/nb.ipynb" ? NOTEBOOK : "as it is stored")),
    },
  },
};

describe("droppedContent", () => {
  type Loaded = Pick<typeof dropped, "droppedContents" | "pastedContent">;
  let contents: Loaded["droppedContents"];
  let pasted: Loaded["pastedContent"];
  before(async () => {
    const load = (): Promise<Loaded> => import("../../../src/host/mentions/droppedContent.ts");
    ({ droppedContents: contents, pastedContent: pasted } = await withEditorModule("dropped", editor, load));
  });
  afterEach(() => {
    documents = [];
    folders = [shop];
    remoteName = undefined;
    questions = [];
    isRefused = false;
  });

  /** The added texts, or errors. */
  async function allAdded(addresses: readonly string[]): Promise<readonly string[]> {
    const listed = { outcome: "ok", text: `what is in the folder` } as const;
    const tools = [fakeTool("list_files", { run: () => Promise.resolve(listed) }), fakeTool("read_file")];
    const reading = {
      tools,
      cancel: new AbortController().signal,
      asks: <T>(question: () => Promise<T>) => question(),
    };
    const all: string[] = [];
    for await (const read of contents(addresses, { connection: {} as Connection, dist: "/dist", reading }))
      all.push(read.ok ? read.value.map((part) => (part.kind === "image" ? "" : part.text)).join() : read.error);
    return all;
  }

  async function added(path: string): Promise<string> {
    return (await allAdded([`file://${path}`])).join("; ");
  }

  it("L6 refuses a picture in words where the server says that its model sees none", () => {
    const png = Uint8Array.from("89504e470d0a1a0a0000000d494844520000000100000001".match(/../g) ?? [], (hex) =>
      Number.parseInt(hex, 16),
    );
    const model = "/srv/models/Smol.Q4_1.gguf";
    const result = (seesImages?: boolean): unknown => {
      const connection = { providerName: "openaiCompatible", model, isLanguageModel: true, seesImages };
      const read = pasted("a.png", png, connection as unknown as Connection);
      return read.ok ? read.value.map(({ kind }) => kind) : read.error;
    };
    assert.deepEqual(
      [result(false), result(true), result()],
      ["Smol Q4_1 does not accept images. Switch to another model to add one.", ["image"], ["image"]],
    );
  });

  for (const [name, path, expected] of [
    ["a folder", "/shop/src", "what is in the folder"],
    ["a link to a folder", "/shop/linked", "what is in the folder"],
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

  const read = (path: string): string => `ran ${JSON.stringify({ path })}`;

  it("E:drops in a remote window adds files of its folders without a question, by the page's addresses", async () => {
    remoteName = "ssh-remote";
    const remote = (path: string): string => `vscode-remote://ssh-remote%2Bhost.example${path}`;
    assert.deepEqual(await allAdded([remote("/shop/a.ts"), remote("/shop/my%20b.ts"), remote("/shop/src")]), [
      read("a.ts"),
      read("my b.ts"),
      "what is in the folder",
    ]);
    assert.deepEqual(questions, []);
  });

  it("E:drops in a remote window adds files of its folders also where the extension runs on this machine", async () => {
    remoteName = "ssh-remote";
    folders = [folderAt(address("/shop", "vscode-remote", "ssh-remote+host.example"))];
    assert.deepEqual(await allAdded(["vscode-remote://ssh-remote%2Bhost.example/shop/a.ts"]), [read("a.ts")]);
    assert.deepEqual(questions, []);
  });

  it("E:drops from another remote machine are outside", async () => {
    remoteName = "ssh-remote";
    isRefused = true;
    assert.deepEqual(await allAdded(["vscode-remote://wsl%2Bubuntu/shop/a.ts"]), [""]);
    assert.equal(questions.length, 1);
  });

  it("E:drops in a virtual workspace adds its files without a question", async () => {
    folders = [folderAt(address("/owner/repo", "vscode-vfs", "github"))];
    assert.deepEqual(
      await allAdded(["vscode-vfs://github/owner/repo/src/a.ts", "vscode-vfs://github/owner/repo/b.ts"]),
      [read("src/a.ts"), read("b.ts")],
    );
    assert.deepEqual(questions, []);
  });

  it("E:drops of several files ask once about all outside, after those of the workspace are added", async () => {
    const addresses = ["/tmp/a.txt", "/shop/a.ts", "/tmp/\u202eb.txt", "/tmp/missing.txt", "/shop/b.ts"];
    const all = await allAdded(addresses.map((path) => `file://${path}`));
    assert.deepEqual(
      all.map((text) => text.split("\n").at(-1)),
      [read("a.ts"), read("b.ts"), "as it is stored", "as it is stored", "/tmp/missing.txt cannot be read."],
    );
    assert.deepEqual(
      questions.map((question) => question.replace(/[\u2066-\u2069]/g, "")),
      ["2 files are outside of the workspace. Add them? /tmp/a.txt\n/tmp/[U+202E]b.txt"],
    );
  });

  it("E:drops of many files outside list some in the question, and add none when refused", async () => {
    isRefused = true;
    const addresses = Array.from({ length: 13 }, (_, number) => `file:///tmp/${String(number)}.txt`);
    assert.deepEqual(
      await allAdded(addresses),
      addresses.map(() => ""),
    );
    assert.deepEqual(
      questions.map((question) => question.split("\n").slice(-2)),
      [["/tmp/9.txt", "3 more"]],
    );
  });

  it("§9 names in NFC and NFD: a dropped file is in the workspace whose folder is spelled otherwise", async () => {
    folders = [folderAt(address("/caf\u00e9", "vscode-vfs", "github"))];
    assert.deepEqual(await allAdded(["vscode-vfs://github/cafe%CC%81/a.ts"]), [read("a.ts")]);
    assert.deepEqual(questions, []);
  });

  it("adds nothing that is no file", async () => {
    assert.deepEqual(await allAdded(["untitled:1", "command:a"]), [
      "Only files can be added.",
      "Only files can be added.",
    ]);
  });
});

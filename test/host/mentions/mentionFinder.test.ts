/** The `@` menu does not wait for the languages' symbols, and nothing in it moves when they come. */

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { MentionFinder } from "../../../src/host/mentions/mentionFinder.ts";
import { withEditorModule } from "../../support/editor/editorModule.ts";
import { writeFiles } from "../../support/filesOnDisk.ts";
import { temporaryFolder } from "../../support/storage/storeBuilders.ts";
import { NO_PAST_CONVERSATIONS } from "../../support/editor/noPastConversations.ts";

const base = temporaryFolder();
const [dist, root] = [path.join(base.path, "dist"), path.join(base.path, "app")];
const uri = (at: string): object => ({ scheme: "file", authority: "", path: at, fsPath: at });

class SymbolInformation {
  readonly name: string;
  readonly location: object;
  constructor(name: string) {
    this.name = name;
    const range = { start: { line: 6, character: 0 }, end: { line: 8, character: 1 } };
    this.location = { uri: uri(path.join(root, "src/upload.ts")), range };
  }
}
/** The answer of the languages. */
let symbols: Promise<readonly SymbolInformation[]>;
const nothing = { dispose: () => undefined };
const never = (): object => nothing;
const editor = {
  Disposable: { from: never },
  SymbolInformation,
  Uri: { joinPath: (of: { readonly path: string }, ...names: readonly string[]) => uri([of.path, ...names].join("/")) },
  commands: { executeCommand: () => symbols },
  languages: { getDiagnostics: () => [] },
  window: { tabGroups: { all: [] } },
  workspace: {
    workspaceFolders: [{ name: "app", index: 0, uri: uri(root) }],
    getWorkspaceFolder: () => editor.workspace.workspaceFolders[0],
    getConfiguration: () => ({ get: () => undefined }),
    createFileSystemWatcher: () => ({ ...nothing, onDidCreate: never, onDidChange: never, onDidDelete: never }),
    onDidChangeWorkspaceFolders: never,
    onDidChangeConfiguration: never,
  },
};

describe("E:mentions symbols in the menu", () => {
  let finder: MentionFinder;
  before(async () => {
    writeFiles(root, {
      "src/upload.ts": "",
      "lib/uploads.ts": "",
      ".hidden/upload.secret": "",
      ".gitignore": ".hidden\n",
    });
    mkdirSync(dist, { recursive: true });
    const worker = path.resolve(import.meta.dirname, "../../../src/host/mentions/names/namesWorker.ts");
    writeFileSync(path.join(dist, "namesWorker.cjs"), `import(${JSON.stringify(pathToFileURL(worker).href)});\n`);
    const { MentionFinder: Made } = await withEditorModule(
      "finder",
      editor,
      () => import("../../../src/host/mentions/mentionFinder.ts"),
    );
    finder = new Made(dist, NO_PAST_CONVERSATIONS);
    symbols = Promise.resolve([]);
    while ((await told("upload"))[0]?.length !== 2); // until the names are read
  });
  after(() => {
    finder.dispose();
  });

  const upload = new SymbolInformation("upload");

  /** Contents of the menu, each time that it is told. */
  async function told(query: string, cancel = new AbortController().signal): Promise<readonly (readonly string[])[]> {
    const menus: (readonly string[])[] = [];
    await finder.find(query, cancel, ({ mentions }) => {
      menus.push(mentions.map(({ kind, label, description }) => `${kind} ${label} ${description}`));
      shown();
    });
    return menus;
  }
  let shown = (): void => undefined;
  const files = ["file upload.ts src", "file uploads.ts lib"];
  const symbol = "symbol upload src/upload.ts:7";

  it("stand behind the first files when they come at once", async () => {
    symbols = Promise.resolve([upload]);
    assert.deepEqual(await told("upload"), [[...files, symbol]]);
  });

  it("are added at the end when they come late", async () => {
    symbols = new Promise((resolve) => (shown = () => resolve([upload])));
    assert.deepEqual(await told("upload"), [files, [...files, symbol]]);
  });

  it("are not told when they come after the next key", async () => {
    const next = new AbortController();
    symbols = new Promise((resolve) => {
      shown = () => {
        next.abort();
        resolve([upload]);
      };
    });
    assert.deepEqual(await told("upload", next.signal), [files]);
  });

  it("leave a file that the editor hides to its whole path", async () => {
    [symbols, shown] = [Promise.resolve([]), () => undefined];
    const found = [await told(".hidden/upload.secret"), await told(".hidden/upload.secre")];
    assert.deepEqual(found, [[["file upload.secret .hidden"]], [[]]]);
  });
});

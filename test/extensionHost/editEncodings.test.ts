/** Edits of files in every encoding, with their bytes on the disk before and after. */

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import * as vscode from "vscode";
import { insertAtCursor } from "../../src/host/code/codeInEditor.ts";
import { decodeFile, spliceBytes } from "../../src/host/tools/edit/spliceBytes.ts";
import { codecOf } from "../../src/host/tools/edit/textCodec.ts";
import { HostTools, workspaceFolder, workspaceUri } from "../support/editor/hostTools.ts";

type Bytes = readonly (string | number)[];
const bytesOf = (parts: Bytes): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from([part]))));

describe("edit_file in any encoding", () => {
  let tools: HostTools;
  let folder = "";
  let folders = 0;
  const file = (name: string): string => path.join(workspaceFolder(), folder, name);
  const at = (name: string): string => `${folder}/${name}`;
  const settings = (): string => path.join(workspaceFolder(), ".vscode/settings.json");

  const configure = async (name: string, value: unknown): Promise<void> => {
    const [section = "", key = ""] = name.split(/\.(?=[^.]*$)/);
    await vscode.workspace.getConfiguration(section).update(key, value, vscode.ConfigurationTarget.Workspace);
  };

  before(() => {
    tools = new HostTools();
  });
  beforeEach(() => {
    tools.forget();
    folder = `encodings-${++folders}`;
    fs.mkdirSync(file(""), { recursive: true });
  });
  afterEach(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    for (const name of ["files.encoding", "files.autoGuessEncoding", "files.readonlyInclude"]) {
      await configure(name, undefined);
    }
    fs.rmSync(file(""), { recursive: true, force: true });
    fs.rmSync(settings(), { force: true });
  });
  after(() => {
    tools.dispose();
    assert.deepEqual(tools.bugs, []);
  });

  const edit = async (name: string, oldText: string, newText: string): Promise<readonly [string, string]> => {
    const done = await tools.run("edit_file", { path: at(name), edits: [{ old_text: oldText, new_text: newText }] });
    return [done.text.split(":")[0] ?? "", fs.readFileSync(file(name)).toString("hex")];
  };

  interface Case {
    readonly before: Bytes;
    readonly old: string;
    readonly fresh: string;
    readonly after: Bytes;
    readonly settings?: Readonly<Record<string, unknown>>;
  }
  const check = (title: string, { before, old, fresh, after, settings: set = {} }: Case): void => {
    it(title, async () => {
      for (const [name, value] of Object.entries(set)) await configure(name, value);
      fs.writeFileSync(file("a.txt"), bytesOf(before));
      const expected = [`${folder}/a.txt is changed (+1 −1).`, bytesOf(after).toString("hex")];
      assert.deepEqual(await edit("a.txt", old, fresh), expected);
    });
  };

  check("E:encodings Latin-1 under the editor's UTF-8", {
    before: ["caf", 0xe9, " = offen\nport = 1\n"],
    old: "port = 1",
    fresh: "port = 2",
    after: ["caf", 0xe9, " = offen\nport = 2\n"],
  });
  check("E:encodings a UTF-8 file with one stray byte", {
    before: ["Gr", 0xc3, 0xbc, 0xc3, 0x9f, "e ", 0xff, "\nx\n"],
    old: "Grüße",
    fresh: "Grüßle",
    after: ["Gr", 0xc3, 0xbc, 0xc3, 0x9f, "le ", 0xff, "\nx\n"],
  });
  check("E:encodings a file that ends in a cut character", {
    before: ["a\nb", 0xf0, 0x9f],
    old: "a",
    fresh: "c",
    after: ["c\nb", 0xf0, 0x9f],
  });
  const encodings: readonly (readonly [string, Bytes, Bytes])[] = [
    ["windows1252", [0xe9, 0xfc], [0xfc]],
    ["iso88591", [0xe9, 0xfc], [0xfc]],
    ["cp437", [0x82, 0x81], [0x81]],
    ["macroman", [0x8e, 0x9f], [0x9f]],
  ];
  for (const [encoding, letters, umlaut] of encodings) {
    check(`E:encodings files.encoding ${encoding}`, {
      before: [...letters, "\nport\n", ...letters],
      old: "port",
      fresh: "über",
      after: [...letters, "\n", ...umlaut, "ber\n", ...letters],
      settings: { "files.encoding": encoding },
    });
  }
  check("E:encodings files.encoding shiftjis", {
    before: [0x93, 0xfa, 0x95, 0x5c, "\n", 0x81, "\nport\r\n", 0xee, 0xf9],
    old: "port",
    fresh: "日",
    after: [0x93, 0xfa, 0x95, 0x5c, "\n", 0x81, "\n", 0x93, 0xfa, "\r\n", 0xee, 0xf9],
    settings: { "files.encoding": "shiftjis" },
  });
  check("E:encodings files.encoding gbk", {
    before: [0xd6, 0xd0, "\nport\n", 0xff],
    old: "port",
    fresh: "中文",
    after: [0xd6, 0xd0, "\n", 0xd6, 0xd0, 0xce, 0xc4, "\n", 0xff],
    settings: { "files.encoding": "gbk" },
  });
  check("E:encodings UTF-16 by its mark", {
    before: [0xff, 0xfe, 0x61, 0, 0x0a, 0, 0x00, 0xd8, 0x62, 0],
    old: "a",
    fresh: "ü",
    after: [0xff, 0xfe, 0xfc, 0, 0x0a, 0, 0x00, 0xd8, 0x62, 0],
  });
  check("E:encodings a UTF-8 mark", {
    before: [0xef, 0xbb, 0xbf, "a"],
    old: "a",
    fresh: "b",
    after: [0xef, 0xbb, 0xbf, "b"],
  });
  check("§2 mixed line ends", { before: ["a\r\nb\nc"], old: "c", fresh: "C", after: ["a\r\nb\nC"] });

  it("E:encodings a guessed encoding is followed for reading and for the edit", async () => {
    await configure("files.autoGuessEncoding", true);
    const text = "これは日本語の文章です。漢字とひらがなとカタカナがあります。\n".repeat(20);
    const bytes = Buffer.from(await vscode.workspace.encode(text, { encoding: "shiftjis" }));
    fs.writeFileSync(file("a.txt"), Buffer.concat([bytes, Buffer.from("port\n")]));
    const read = await tools.run("read_file", { path: at("a.txt"), start_line: 1, end_line: 1 });
    assert.match(read.text, /これは日本語の文章です/);
    await edit("a.txt", "port", "日");
    assert.deepEqual(fs.readFileSync(file("a.txt")), Buffer.concat([bytes, Buffer.from([0x93, 0xfa, 0x0a])]));
  });
  it("E:encodings “Reopen with Encoding” of an open document", async () => {
    fs.writeFileSync(file("a.txt"), bytesOf([0xc1, "\nport\n"]));
    const document = await vscode.workspace.openTextDocument(workspaceUri(at("a.txt")), { encoding: "koi8r" });
    await vscode.window.showTextDocument(document, { preview: false });
    assert.equal(document.encoding, "koi8r");
    const read = await tools.run("read_file", { path: at("a.txt") });
    assert.match(read.text, /1\tа\n2\tport/);
    const expected = bytesOf([0xc1, "\n", 0xc2, "\n"]).toString("hex");
    assert.deepEqual(await edit("a.txt", "port", "б"), [`${folder}/a.txt is changed (+1 −1).`, expected]);
    assert.equal(document.getText(), "а\nб\n");
  });
  it("E:encodings a new file is written in the folder's encoding", async () => {
    await configure("files.encoding", "shiftjis");
    const made = await tools.run("edit_file", { path: at("new.txt"), content: "日本\n" });
    assert.equal(made.text, `${folder}/new.txt is created (+1 −0).`);
    assert.deepEqual(fs.readFileSync(file("new.txt")), Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x0a]));
    const refused = await tools.run("edit_file", { path: at("other.txt"), content: "日本 é\n" });
    assert.match(refused.text, /^ENCODING: .*other\.txt is written in shiftjis, which has no “é” \(U\+00E9\)/);
    assert.equal(fs.existsSync(file("other.txt")), false);
  });
  it("E:encodings refuses, before it is offered, a character that the file cannot hold", async () => {
    await configure("files.encoding", "iso88591");
    fs.writeFileSync(file("a.txt"), bytesOf([0xe9, "\nport\n"]));
    const view = await tools.describe("edit_file", { path: at("a.txt"), edits: [{ old_text: "port", new_text: "→" }] });
    assert.deepEqual(view, {
      ok: false,
      error: `ENCODING: ${folder}/a.txt is written in iso88591, which has no “→” (U+2192). Nothing was written.`,
    });
  });
  it("E:encodings refuses to edit unsaved changes of a file whose bytes a save would lose", async () => {
    fs.writeFileSync(file("a.txt"), bytesOf(["caf", 0xe9, "\nport\n"]));
    const document = await vscode.workspace.openTextDocument(workspaceUri(at("a.txt")));
    const typed = new vscode.WorkspaceEdit();
    typed.insert(document.uri, new vscode.Position(1, 0), "my ");
    await vscode.workspace.applyEdit(typed);
    const before = fs.readFileSync(file("a.txt")).toString("hex");
    assert.deepEqual(await edit("a.txt", "port", "door"), ["ENCODING", before]);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand("workbench.action.files.revert");
  });
  it("E:encodings an edit can be undone in the editor", async () => {
    fs.writeFileSync(file("a.txt"), bytesOf(["caf", 0xe9, "\nport\n"]));
    await edit("a.txt", "port", "door");
    const editor = await vscode.window.showTextDocument(workspaceUri(at("a.txt")));
    assert.equal(editor.document.getText(), "caf\ufffd\ndoor\n");
    await vscode.commands.executeCommand("undo");
    assert.equal(editor.document.getText(), "caf\ufffd\nport\n");
    await vscode.commands.executeCommand("workbench.action.files.revert");
  });

  it("E:encodings the encoding of a language", async () => {
    await vscode.workspace
      .getConfiguration("files", { languageId: "ini" })
      .update("encoding", "koi8r", vscode.ConfigurationTarget.Workspace, true);
    try {
      fs.writeFileSync(file("a.ini"), bytesOf([0xc1, "\nport\n"]));
      const read = await tools.run("read_file", { path: at("a.ini") });
      assert.match(read.text, /1\tа\n2\tport/);
      const expected = bytesOf([0xc1, "\n", 0xc2, "\n"]).toString("hex");
      assert.deepEqual(await edit("a.ini", "port", "б"), [`${folder}/a.ini is changed (+1 −1).`, expected]);
      await tools.run("edit_file", { path: at("new.ini"), content: "аб\n" });
      assert.equal(fs.readFileSync(file("new.ini")).toString("hex"), "c1c20a");
    } finally {
      await vscode.workspace
        .getConfiguration("files", { languageId: "ini" })
        .update("encoding", undefined, vscode.ConfigurationTarget.Workspace, true);
    }
  });
  it("E:encodings says that bytes of a damaged file are shown as U+FFFD", async () => {
    fs.writeFileSync(file("a.txt"), bytesOf(["Gr", 0xc3, 0xbc, 0xc3, 0x9f, "e ", 0xff, "\n"]));
    const { text } = await tools.run("read_file", { path: at("a.txt") });
    assert.match(text, /Some bytes of the file are not valid UTF-8; they are shown as U\+FFFD/);
    assert.match(text, /1\tGrüße \ufffd$/);
  });
  it("E:read-only inserts no code into a file that the editor holds so", async () => {
    await configure("files.readonlyInclude", { "**/a.txt": true });
    fs.writeFileSync(file("a.txt"), "one\n");
    const { document } = await vscode.window.showTextDocument(workspaceUri(at("a.txt")));
    await insertAtCursor("two");
    assert.deepEqual([document.getText(), document.isDirty], ["one\n", false]);
  });
  it("E:encodings keeps all other bytes or refuses, for any file in any encoding of the editor", async function () {
    this.timeout(300_000);
    const names = ["utf8", "utf16le", "windows1252", "iso88591", "macroman", "cp437", "cp850", "cp866", "koi8u", "windows1251", "windows1256", "windows874", "gbk", "gb18030", "gb2312", "cp950", "big5hkscs", "shiftjis", "eucjp", "euckr"]; // prettier-ignore
    const counts = { written: 0, refused: 0 };
    const piece = fc.oneof(fc.constantFrom("a", "b", "\n", "\r\n", "é", "日本", "한", "中国", "Ж"), fc.uint8Array({ minLength: 1, maxLength: 3 }).map((bytes) => bytes.map((byte) => byte | 0x80))); // prettier-ignore
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        fc.array(piece, { maxLength: 12 }),
        fc.array(piece, { maxLength: 12 }),
        fc.constantFrom("x", "ü", "日", "→", "\n"),
        async (name, before, after, fresh) => {
          const codec = codecOf(name);
          const encode = async (pieces: readonly (string | Uint8Array)[]): Promise<Buffer> => {
            const encoded = pieces.map((one) => (typeof one === "string" ? codec.encode(one) : Promise.resolve(one)));
            return Buffer.concat(await Promise.all(encoded));
          };
          const [head, tail] = [await encode([...before, "<"]), await encode([">", ...after])];
          const middle = await encode(["old"]);
          const file = await decodeFile(Buffer.concat([head, middle, tail]), codec);
          const at = file.text.indexOf("<old>");
          fc.pre(at >= 0);
          const spliced = await spliceBytes(file, [{ start: at + 1, end: at + 4, text: fresh }]);
          counts[spliced.ok ? "written" : "refused"]++;
          if (!spliced.ok) return;
          assert.deepEqual(Buffer.from(spliced.value), Buffer.concat([head, await codec.encode(fresh), tail]));
          assert.equal(await codec.decode(await codec.encode(fresh)), fresh);
        },
      ),
      { seed: 26, numRuns: 600 },
    );
    assert.ok(counts.written > 200, JSON.stringify(counts));
  });

  const refuseReadOnly = (title: string, prepare: () => Promise<void> | void, input: () => object): void => {
    it(title, async () => {
      fs.writeFileSync(file("a.txt"), "one\n");
      await prepare();
      const view = await tools.describe("edit_file", input());
      assert.match(view.ok ? view.value.title : view.error, /^READ_ONLY: .* is read-only, so it is not changed/);
      assert.equal(fs.readFileSync(file("a.txt"), "utf8"), "one\n");
    });
  };
  const change = (): object => ({ path: at("a.txt"), edits: [{ old_text: "one", new_text: "two" }] });
  refuseReadOnly("E:read-only refuses a file that the settings hold so", () => configure("files.readonlyInclude", { "**/a.txt": true }), change); // prettier-ignore
  refuseReadOnly("E:read-only refuses a file of a folder that the settings hold so", () => configure("files.readonlyInclude", { [`${folder}/**`]: true }), change); // prettier-ignore
  refuseReadOnly("E:read-only refuses a new file there", () => configure("files.readonlyInclude", { [`${folder}/**`]: true }), () => ({ path: at("b.txt"), content: "x" })); // prettier-ignore
  refuseReadOnly("E:read-only refuses a file without the permission", () => fs.chmodSync(file("a.txt"), 0o444), change); // prettier-ignore
});

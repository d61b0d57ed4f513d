/** Edits in the real editor: diff, decision of the user, undo, and edits that are not allowed. */

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import * as vscode from "vscode";
import { until } from "../../scripts/vscode/until.ts";
import { HostTools, workspaceFolder, workspaceUri } from "../support/editor/hostTools.ts";

describe("edit_file", () => {
  let tools: HostTools;
  const original = "const one = 1;\nconst two = 2;\nconst three = 3;\n";
  /** New for each test: the editor retains documents for a while after their files are deleted. */
  let folder = "";
  let folders = 0;
  const at = (name: string): string => `${folder}/${name}`;
  const file = (name: string): string => path.join(workspaceFolder(), at(name));
  const onDisk = (name: string): string => fs.readFileSync(file(name), "utf8");
  const edits = [{ old_text: "const two = 2;", new_text: "const two = 22;" }];
  const live = new AbortController().signal;

  before(() => {
    tools = new HostTools();
  });
  beforeEach(() => {
    tools.forget();
    folder = `editing-${++folders}`;
    fs.mkdirSync(file(""), { recursive: true });
    fs.writeFileSync(file("a.ts"), original);
  });
  afterEach(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    fs.rmSync(file(""), { recursive: true, force: true });
  });
  after(() => {
    tools.dispose();
    assert.deepEqual(tools.bugs, []);
  });

  const diffTabs = (): readonly vscode.Tab[] =>
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .filter(({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.scheme === "forge-edit");
  const diffTab = async (): Promise<vscode.Tab> => {
    const tab = await until(() => diffTabs()[0], 10_000);
    assert.ok(tab, "the diff is shown");
    return tab;
  };

  it("describes the exact change without making it", async () => {
    const view = await tools.describe("edit_file", { path: at("a.ts"), edits });
    assert.deepEqual(view, {
      ok: true,
      value: {
        title: `Edit ${folder}/a.ts (+1 −1)`,
        detail: "@@ -1,3 +1,3 @@\n const one = 1;\n-const two = 2;\n+const two = 22;\n const three = 3;",
        look: "diff",
      },
    });
    assert.equal(onDisk("a.ts"), original);
  });

  it("shows the change in the editor's diff and accepts the user's decision there", async () => {
    const input = { path: at("a.ts"), edits };
    await tools.describe("edit_file", input);
    const word = tools.preview("edit_file", input, live);
    const { label, input: shown } = await diffTab();
    assert.equal(label, `${folder}/a.ts (proposed edit)`);
    assert.ok(shown instanceof vscode.TabInputTextDiff);
    assert.equal(shown.original.toString(), workspaceUri(at("a.ts")).toString());
    const proposed = await vscode.workspace.openTextDocument(shown.modified);
    assert.equal(proposed.getText(), original.replace("= 2", "= 22"));
    assert.equal(tools.window.proposals.decide("accepted"), true);
    assert.equal(await word, "allowed");
    assert.deepEqual(diffTabs(), []);
    assert.equal(tools.window.proposals.decide("accepted"), false);
  });

  it("is denied when the user refuses, and undecided when they close the diff or decide elsewhere", async () => {
    const input = { path: at("a.ts"), edits };
    await tools.describe("edit_file", input);
    const refused = tools.preview("edit_file", input, live);
    await diffTab();
    tools.window.proposals.decide("refused");
    assert.equal(await refused, "denied");
    const closed = tools.preview("edit_file", input, live);
    await vscode.window.tabGroups.close(await diffTab());
    assert.equal(await closed, undefined);
    const controller = new AbortController();
    const elsewhere = tools.preview("edit_file", input, controller.signal);
    await diffTab();
    controller.abort();
    assert.equal(await elsewhere, undefined);
    assert.deepEqual(diffTabs(), []);
    assert.equal(onDisk("a.ts"), original);
  });

  it("changes, saves and shows the file, and can be undone", async () => {
    const { outcome, text } = await tools.run("edit_file", { path: at("a.ts"), edits });
    assert.deepEqual({ outcome, text }, { outcome: "ok", text: `${folder}/a.ts is changed (+1 −1).` });
    assert.equal(onDisk("a.ts"), original.replace("= 2", "= 22"));
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document.uri.toString(), workspaceUri(at("a.ts")).toString());
    await vscode.window.showTextDocument(workspaceUri(at("a.ts")));
    await vscode.commands.executeCommand("undo");
    assert.equal(editor.document.getText(), original);
  });

  it("has the bytes of the file kept before it writes, and what it will write", async () => {
    await tools.run("edit_file", { path: at("a.ts"), edits });
    const { file, before, after } = tools.kept.at(-1) ?? {};
    assert.deepEqual(
      [file, ...[before, after].map((bytes) => Buffer.from(bytes ?? []).toString())],
      [workspaceUri(at("a.ts")).toString(), original, original.replace("= 2", "= 22")],
    );
  });

  it("creates a file and its folders", async () => {
    const input = { path: at("new/b.ts"), content: "export {};\n" };
    const view = await tools.describe("edit_file", input);
    assert.equal(view.ok && view.value.title, `Create ${folder}/new/b.ts (+1 −0)`);
    const { text } = await tools.run("edit_file", input);
    assert.equal(text, `${folder}/new/b.ts is created (+1 −0).`);
    assert.equal(onDisk("new/b.ts"), "export {};\n");
  });

  it("replaces a whole file only if the model has read its current content", async () => {
    const input = { path: at("a.ts"), content: "all new\n" };
    const unseen = await tools.run("edit_file", input);
    assert.equal(unseen.text, `CONFLICT: Read ${folder}/a.ts before you replace all of it.`);
    await tools.run("read_file", { path: at("a.ts") });
    fs.writeFileSync(file("a.ts"), `${original}// by somebody else\n`);
    const changed = await tools.run("edit_file", input);
    assert.equal(changed.text, `CONFLICT: ${folder}/a.ts changed since you read it. Read it again.`);
    await tools.run("read_file", { path: at("a.ts") });
    assert.equal((await tools.run("edit_file", input)).outcome, "ok");
    const again = await tools.run("edit_file", { path: at("a.ts"), content: "newer\n" });
    assert.equal(again.outcome, "ok", "what it has written itself counts as seen");
    assert.equal(onDisk("a.ts"), "newer\n");
  });

  it("writes nothing when the file changes while the user is asked", async () => {
    const input = { path: at("a.ts"), edits };
    const tool = tools.all.find(({ definition }) => definition.name === "edit_file");
    await tools.describe("edit_file", input);
    const document = await vscode.workspace.openTextDocument(workspaceUri(at("a.ts")));
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), "// typed meanwhile\n");
    await vscode.workspace.applyEdit(edit);
    const outcome = await tool?.run(JSON.stringify(input), live);
    assert.match(outcome?.text ?? "", /^CONFLICT: .* changed while the user was asked/);
    assert.equal(document.getText(), `// typed meanwhile\n${original}`);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand("workbench.action.files.revert");
  });

  it("does not save the user's unsaved changes", async () => {
    const document = await vscode.workspace.openTextDocument(workspaceUri(at("a.ts")));
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(3, 0), "// mine\n");
    await vscode.workspace.applyEdit(edit);
    const { text } = await tools.run("edit_file", { path: at("a.ts"), edits });
    assert.equal(text, `${folder}/a.ts is changed (+1 −1). It is not saved: the user had unsaved changes in it.`);
    assert.equal(document.getText(), `${original.replace("= 2", "= 22")}// mine\n`);
    assert.equal(onDisk("a.ts"), original);
    await vscode.commands.executeCommand("workbench.action.files.revert");
  });

  it("preserves Windows line ends", async () => {
    fs.writeFileSync(file("w.txt"), "a\r\nb\r\nc\r\n");
    const input = { path: at("w.txt"), edits: [{ old_text: "a\nb", new_text: "x\ny\nz" }] };
    assert.equal((await tools.run("edit_file", input)).outcome, "ok");
    assert.equal(onDisk("w.txt"), "x\r\ny\r\nz\r\nc\r\n");
  });

  it("always asks about files that determine what is run", async () => {
    const content = '{ "tasks": [] }\n';
    const view = await tools.describe("edit_file", { path: at(".vscode/tasks.json"), content });
    assert.deepEqual(view.ok && [view.value.title, view.value.mustAsk], [
      `Create ${folder}/.vscode/tasks.json, which tools run or follow (+1 −0)`,
      true,
    ]);
  });

  const forms: readonly (readonly [string, object])[] = [
    ["edits as a text of JSON", { edits: JSON.stringify(edits) }],
    ["one edit as a text of JSON", { edits: JSON.stringify(edits[0]) }],
    ["one edit instead of a list", { edits: edits[0] }],
    ["the texts of one edit beside the path", { ...edits[0] }],
    ["an empty content beside the edits", { edits, content: "" }],
    ["edits beside empty texts of their own", { edits, old_text: "", new_text: "" }],
    ["names in another style", { edits: [{ oldText: "const two = 2;", newText: "const two = 22;" }] }],
  ];
  for (const [title, form] of forms) {
    it(`§2 takes ${title}`, async () => {
      const { text } = await tools.run("edit_file", { path: at("a.ts"), ...form });
      assert.equal(text, `${folder}/a.ts is changed (+1 −1).`);
      assert.equal(onDisk("a.ts"), original.replace("= 2", "= 22"));
    });
  }
  const noEdits: readonly (readonly [string, object])[] = [
    ["an empty list", { edits: [] }],
    ["an empty text", { edits: "" }],
    ["an edit of empty texts", { edits: [{ old_text: "", new_text: "" }] }],
    ["empty texts of one edit", { old_text: "", new_text: "" }],
  ];
  for (const [title, form] of noEdits) {
    it(`§2 takes a content beside ${title}`, async () => {
      const { text } = await tools.run("edit_file", { path: at("b.ts"), content: "export {};\n", ...form });
      assert.equal(text, `${folder}/b.ts is created (+1 −0).`);
      assert.equal(onDisk("b.ts"), "export {};\n");
    });
  }

  it("§2 keeps the file's own characters where the old text only looks like it", async () => {
    fs.writeFileSync(file("a.ts"), "say(“a\u00a0b”, cafe\u0301, 1);\n");
    const look = [{ old_text: 'say("a b", café, 1);', new_text: 'say("a b", café, 2);' }];
    assert.equal((await tools.run("edit_file", { path: at("a.ts"), edits: look })).outcome, "ok");
    assert.equal(onDisk("a.ts"), "say(“a\u00a0b”, cafe\u0301, 2);\n");
  });
  it("§2 reads, lists, finds and edits a decomposed name by the composed one", async () => {
    const [name, written] = ["ordner-spé/학점.txt".normalize("NFD"), "ordner-spé/학점.txt"];
    fs.mkdirSync(path.dirname(file(name)));
    fs.writeFileSync(file(name), "eins\n");
    const read = await tools.run("read_file", { path: at(written) });
    assert.match(read.text, /1\teins$/);
    const found = await tools.run("find_files", { pattern: "**/*학점*" });
    assert.ok(found.text.includes(at(name)), found.text);
    const listed = await tools.run("list_files", { path: at("ordner-spé") });
    assert.ok(listed.text.includes("학점.txt".normalize("NFD")), listed.text);
    const searched = await tools.run("search_text", { query: "eins", path: at("ordner-spé") });
    assert.ok(searched.text.includes(at(name)), searched.text);
    const edited = await tools.run("edit_file", { path: at(written), edits: [{ old_text: "eins", new_text: "zwei" }] });
    assert.equal(edited.outcome, "ok", edited.text);
    await tools.run("edit_file", { path: at("ordner-spé/neu.txt"), content: "neu\n" });
    assert.deepEqual(fs.readdirSync(path.dirname(file(name))).toSorted(), ["neu.txt", path.basename(name)]);
    assert.equal(onDisk(name), "zwei\n");
    assert.equal(fs.existsSync(file("ordner-spé")), false);
  });

  describe("of a file that usually holds secrets", () => {
    const secret = "TOKEN=hunter2\nPORT=1\n";
    beforeEach(() => {
      fs.writeFileSync(file(".env"), secret);
      fs.symlinkSync(".env", file("notes.txt"));
    });
    const guess = (old_text: string): object => ({ edits: [{ old_text, new_text: "x" }] });
    const guesses: readonly (readonly [title: string, input: object, detail: string])[] = [
      ["a right guess", guess("TOKEN=h"), "-TOKEN=h\n+x"],
      ["a wrong guess", guess("TOKEN=g"), "-TOKEN=g\n+x"],
      ["what is there twice", guess("T"), "-T\n+x"],
      ["an edit of nothing", guess("x"), "-x\n+x"],
      ["all of it", { content: secret }, "+TOKEN=hunter2\n+PORT=1\n+"],
    ];
    for (const [title, form, detail] of guesses) {
      for (const name of [".env", "notes.txt"]) {
        it(`S4 asks first about ${title} in ${name}, whatever it holds`, async () => {
          const input = { path: at(name), ...form };
          const view = await tools.describe("edit_file", input);
          const heading = `Edit ${folder}/${name}, which usually holds keys or passwords`;
          assert.deepEqual(view, { ok: true, value: { title: heading, detail, look: "diff", mustAsk: true } });
          tools.forget();
          const unasked = tools.all.find(({ definition }) => definition.name === "edit_file");
          assert.deepEqual(await unasked?.run(JSON.stringify(input), live), {
            outcome: "error",
            text: `CONFLICT: ${at(name)} changed while the user was asked; nothing was written. Read it again.`,
          });
          assert.equal(onDisk(".env"), secret);
        });
      }
    }
    it("S4 says the same, after the question, of every edit that does not fit", async () => {
      const misfits = ["TOKEN=g", "T", "hunter3", "PORT=2"].map(guess);
      const texts = [];
      for (const form of [...misfits, { content: "x\n" }]) {
        texts.push((await tools.run("edit_file", { path: at(".env"), ...form })).text);
      }
      const same = `CONFLICT: ${folder}/.env was not changed: the edit does not fit it as it is. Ask the user to change it.`;
      assert.deepEqual([...new Set(texts)], [same]);
      assert.equal(onDisk(".env"), secret);
    });
    it("S4 makes the edit that the user allowed", async () => {
      const edit = [{ old_text: "PORT=1", new_text: "PORT=2" }];
      assert.equal((await tools.run("edit_file", { path: at(".env"), edits: edit })).outcome, "ok");
      assert.equal(onDisk(".env"), secret.replace("=1", "=2"));
    });
    it("S4 shows the diff beside the question where the edit fits, and none where it does not", async () => {
      const fits = { path: at(".env"), edits: [{ old_text: "PORT=1", new_text: "PORT=2" }] };
      await tools.describe("edit_file", fits);
      const word = tools.preview("edit_file", fits, live);
      await diffTab();
      tools.window.proposals.decide("accepted");
      assert.equal(await word, "allowed");
      const misfit = { path: at(".env"), ...guess("TOKEN=g") };
      await tools.describe("edit_file", misfit);
      assert.equal(await tools.preview("edit_file", misfit, live), undefined);
      assert.deepEqual(diffTabs(), []);
    });
    it("S4 creates such a file as any other that steers tools", async () => {
      const view = await tools.describe("edit_file", { path: at("new.env"), content: "A=1\n" });
      assert.equal(view.ok && view.value.title, `Create ${folder}/new.env, which tools run or follow (+1 −0)`);
    });
  });

  const refuse = (title: string, input: () => object, expected: RegExp, prepare?: () => void): void => {
    it(`refuses ${title}`, async () => {
      prepare?.();
      const { outcome, text } = await tools.run("edit_file", input());
      assert.equal(outcome, "error");
      assert.match(text, expected);
      assert.equal(onDisk("a.ts"), original);
    });
  };
  refuse("a path outside the workspace", () => ({ path: "../out.txt", content: "x" }), /^OUTSIDE_WORKSPACE/);
  refuse(
    "a folder that links outside the workspace",
    () => ({ path: at("out/x.txt"), content: "x" }),
    /^OUTSIDE_WORKSPACE/,
    () => {
      fs.symlinkSync("/tmp", file("out"));
    },
  );
  refuse(
    "a dangling link to outside the workspace",
    () => ({ path: at("nowhere"), content: "x" }),
    /^WRONG_KIND/,
    () => {
      fs.symlinkSync("/tmp/forge-nothing-here", file("nowhere"));
    },
  );
  refuse("git's own files", () => ({ path: ".git/hooks/pre-commit", content: "x" }), /^NOT_ALLOWED/);
  refuse(
    "git's own files through a link",
    () => ({ path: at("hook"), content: "x" }),
    /^NOT_ALLOWED/,
    () => {
      fs.mkdirSync(file(".git/hooks"), { recursive: true });
      fs.writeFileSync(file(".git/hooks/pre-commit"), "#!/bin/sh\n");
      fs.symlinkSync(".git/hooks/pre-commit", file("hook"));
    },
  );
  refuse(
    "a redaction mark as new text",
    () => ({ path: at("a.ts"), edits: [{ old_text: "= 2", new_text: "= '[redacted: API key]'" }] }),
    /^NOT_ALLOWED/,
  );
  refuse(
    "old text that the file does not contain",
    () => ({ path: at("a.ts"), edits: [{ old_text: "four", new_text: "5" }] }),
    /^NOT_FOUND/,
  );
  refuse(
    "old text that occurs more than once",
    () => ({ path: at("a.ts"), edits: [{ old_text: "const", new_text: "let" }] }),
    /^INVALID_INPUT/,
  );
  refuse(
    "an edit that changes nothing",
    () => ({ path: at("a.ts"), edits: [{ old_text: "one", new_text: "one" }] }),
    /^INVALID_INPUT: The edit changes nothing/,
  );
  refuse("edits of a missing file", () => ({ path: at("none.ts"), edits }), /^NOT_FOUND/);
  refuse("edits and content at once", () => ({ path: at("a.ts"), edits, content: "x" }), /^INVALID_INPUT/);
  refuse("input with neither edits nor content", () => ({ path: at("a.ts") }), /^INVALID_INPUT/);
  refuse(
    "a binary file",
    () => ({ path: at("b.bin"), edits }),
    /^BINARY/,
    () => {
      fs.writeFileSync(file("b.bin"), Buffer.from([0, 1, 2]));
    },
  );
});

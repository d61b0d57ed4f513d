import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Frame, Page } from "playwright-core";
import { until } from "../../scripts/vscode/until.ts";
import { writeFiles } from "../support/filesOnDisk.ts";
import { windowTimeoutMs } from "./support/browser.ts";
import { answer, beginEmpty, openChat, send } from "./support/chat.ts";
import { lastQuestion } from "./support/lastQuestion.ts";
import { useModelSession } from "./support/modelSession.ts";
import { picture } from "./support/pictures.ts";
import { question, resultOf, scriptSteps } from "./support/toolCalls.ts";
import { entries, pick, runCommand, toast } from "./support/workbench.ts";

const memory = { uri: "forge-memory:/", name: "far" };
const done = { text: "Well." };

describe("workspaces", () => {
  let page: Page;
  let chat: Frame;

  const session = useModelSession("workspaces", { "git.enabled": true }, { beside: "memoryFolder" });
  before(() => {
    for (const name of ["one", "two"]) {
      mkdirSync(path.join(session.server.workspace, name), { recursive: true });
      writeFileSync(path.join(session.server.workspace, name, "near.txt"), `near in ${name}\n`);
    }
  });
  beforeEach(() => {
    session.models.reset();
  });

  /** Opens a window with these folders and a new conversation. */
  async function open(name: string, folders: readonly object[]): Promise<void> {
    const workspaceFile = path.join(session.server.workspace, `${name}.code-workspace`);
    writeFileSync(workspaceFile, JSON.stringify({ folders }));
    page = await session.openWindow({ workspaceFile });
    await page.locator('.activitybar [aria-label^="Explorer"]').first().click();
    await foldersShown();
    await page.locator('.activitybar [aria-label="Forge"]').first().click();
    chat = await openChat(page);
    await beginEmpty(page, chat);
  }

  /**
   * Waits until the window has its folders, which it reads after it is shown. On a busy machine the editor may miss that
   * they were read and show none: the window is reloaded then, up to twice.
   */
  async function foldersShown(): Promise<void> {
    const explorer = page.locator(".explorer-viewlet");
    const folder = explorer.getByText(memory.name, { exact: true });
    for (let reloads = 0; reloads < 3; reloads++) {
      await folder.or(explorer.getByText("No Folder Opened")).first().waitFor({ timeout: windowTimeoutMs });
      if (await until(async () => ((await folder.isVisible()) ? true : undefined), 10_000)) return;
      await page.reload();
    }
    throw new Error("the editor does not show the folders of its workspace");
  }

  /** Has the model make these calls, and returns the results that it was sent. */
  async function results(...calls: readonly (readonly [string, object])[]): Promise<readonly string[]> {
    scriptSteps(session.models, { text: "I try.", calls }, done);
    await send(chat, "Try.");
    await answer(chat);
    const body: unknown = lastQuestion(session.models);
    const sent = typeof body === "object" && body !== null && "messages" in body ? body.messages : [];
    assert.ok(Array.isArray(sent));
    return sent
      .flatMap((message: unknown) => {
        const { role, content } = { role: "", content: "", ...(typeof message === "object" ? message : {}) };
        return role === "tool" ? [content] : [];
      })
      .slice(-calls.length);
  }

  /** The description of a tool in the last request. */
  function describedTool(name: string): string {
    const body = JSON.stringify(lastQuestion(session.models));
    return body.slice(body.indexOf(`"name":"${name}"`)).slice(0, 1_000);
  }

  it("are read by folder name, on disk and in a virtual file system", async function () {
    this.timeout(90_000);
    await open("several", [{ path: "one" }, { path: "two" }, memory]);
    const [one, two, far, unnamed, found, list] = await results(
      ["read_file", { path: "one/near.txt" }],
      ["read_file", { path: "two/near.txt" }],
      ["read_file", { path: "far/far.txt" }],
      ["read_file", { path: "near.txt" }],
      ["search_text", { query: "far" }],
      ["list_files", { path: "far" }],
    );
    assert.match(one ?? "", /near in one/);
    assert.match(two ?? "", /near in two/);
    assert.match(far ?? "", /far away/);
    assert.match(unnamed ?? "", /Begin the path with the name of one of them: one, two, far/);
    assert.match(found ?? "", /far\/deep\/below\.txt/);
    assert.match(list ?? "", /deep/);
    await picture(page, "workspaces-several");
  });

  it("accept an edit in a virtual folder, and explain why no command runs there", async () => {
    const edit = { path: "far/far.txt", edits: [{ old_text: "far away", new_text: "here" }] };
    scriptSteps(
      session.models,
      {
        text: "I edit.",
        calls: [
          ["read_file", { path: "far/far.txt" }],
          ["edit_file", edit],
        ],
      },
      done,
    );
    await send(chat, "Edit it.");
    await question(chat).getByText("far (not on this machine’s disk)").waitFor();
    assert.match(describedTool("run_command"), /It works in: one, two\. It does not work in: far \(not on this/);
    await picture(page, "workspaces-question-far");
    await question(chat).getByRole("button", { name: "Allow once" }).click();
    await answer(chat);
    const [read, command] = await results(
      ["read_file", { path: "far/far.txt" }],
      ["run_command", { command: "ls", path: "far" }],
    );
    assert.match(read ?? "", /here/);
    assert.match(
      command ?? "",
      /UNAVAILABLE: The folder far is not on this machine's disk, so no command can run in it\. Commands run in: one, two\./,
    );
    assert.match(await resultOf(chat, /Run ls/), /not on this machine's disk/);
    await picture(page, "workspaces-edit-far");
  });

  it("have their files restored, in several folders and in a virtual one", async function () {
    this.timeout(90_000);
    const command = "echo changed > near.txt; echo changed > ../two/near.txt";
    scriptSteps(session.models, { text: "I run.", calls: [["run_command", { command, path: "one" }]] }, done);
    await send(chat, "Run it.");
    await question(chat).getByRole("button", { name: "Allow once" }).click();
    await answer(chat);
    const near = (): readonly string[] =>
      ["one", "two"].map((name) => readFileSync(path.join(session.server.workspace, name, "near.txt"), "utf8"));
    assert.deepEqual(near(), ["changed\n", "changed\n"]);
    await runCommand(page, "Forge: Restore Files…");
    await pick(page, "Edit it.");
    await entries(page, "far/far.txt").waitFor();
    await picture(page, "workspaces-restore");
    await pick(page, "Restore 3 files");
    await toast(page, "3 files are as they were before").waitFor();
    assert.deepEqual(near(), ["near in one\n", "near in two\n"]);
    const [read] = await results(["read_file", { path: "far/far.txt" }]);
    assert.match(read ?? "", /far away/);
    await page.close();
  });

  it("E:folders answer for each folder by its name, beside a folder that is gone and a worktree", async function () {
    this.timeout(120_000);
    const inWorkspace = (...names: readonly string[]): string => path.join(session.server.workspace, ...names);
    const git = (folder: string, ...command: readonly string[]): void => {
      execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.org", ...command], {
        cwd: inWorkspace(folder),
      });
    };
    writeFiles(session.server.workspace, {
      "app/src/a.ts": "export const a = 1;\n",
      "lib/src/a.ts": "export const needle = 1;\n",
      "fresh/src/a.ts": "export const b = 1;\n",
    });
    for (const folder of ["app", "lib"]) {
      git(folder, "init", "-q", "-b", `trunk-${folder}`);
      git(folder, "add", ".");
      git(folder, "commit", "-q", "-m", "First");
    }
    git("lib", "worktree", "add", "-q", inWorkspace("lib", ".claude", "worktrees", "x"));
    git("fresh", "init", "-q", "-b", "empty");
    writeFileSync(inWorkspace("app", "src", "a.ts"), "export const a = 2;\n");
    writeFileSync(inWorkspace("lib", "src", "a.ts"), "export const needle = 2;\n");
    await open("repositories", [{ path: "app" }, { path: "lib" }, { path: "fresh" }, { path: "gone" }, memory]);
    const isReady = (text: string): true | undefined =>
      ["trunk-app", "trunk-lib", "fresh"].every((name) => text.includes(name)) ? true : undefined;
    await until(async () => isReady((await results(["git_status", {}]))[0] ?? ""), 40_000);
    const [status, diff, found, files, read] = await results(
      ["git_status", {}],
      ["git_diff", {}],
      ["search_text", { query: "needle" }],
      ["find_files", { pattern: "a.ts" }],
      ["read_file", { path: "lib/src/a.ts" }],
    );
    assert.match(
      status ?? "",
      /Repository app: branch trunk-app\n[^]*Repository fresh: [^]*Repository lib: branch trunk-lib/,
    );
    assert.match(diff ?? "", /--- a\/app\/src\/a\.ts[^]*--- a\/lib\/src\/a\.ts/);
    assert.match(diff ?? "", /Not compared: fresh: There is no commit yet/);
    assert.match(found ?? "", /^1 line with needle in 1 file$/m);
    assert.match(found ?? "", /Not searched, as the folder is not there: gone\./);
    assert.match(files ?? "", /^3 files like a\.ts$/m);
    assert.match(read ?? "", /needle = 2/);
    await picture(page, "workspaces-repositories");
    const [named] = await results(["find_files", { pattern: "a.ts", path: "lib/.claude/worktrees/x" }]);
    assert.match(named ?? "", /lib\/\.claude\/worktrees\/x\/src\/a\.ts/);
    await page.close();
  });

  it("work with virtual folders only", async function () {
    this.timeout(90_000);
    await open("far", [memory]);
    const [read, command, git, list] = await results(
      ["read_file", { path: "far.txt" }],
      ["run_command", { command: "ls" }],
      ["git_status", {}],
      ["list_files", {}],
    );
    assert.match(read ?? "", /far away/);
    assert.match(command ?? "", /not on this machine's disk/);
    assert.match(git ?? "", /UNAVAILABLE/);
    assert.match(list ?? "", /far\.txt/);
    assert.match(describedTool("git_status"), /It does not work now: the workspace is not on this machine's disk\./);
    await picture(page, "workspaces-far");
  });
});

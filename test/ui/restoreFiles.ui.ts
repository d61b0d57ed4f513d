import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Frame, Page } from "playwright-core";
import { until } from "../../scripts/vscode/until.ts";
import { whenTrue } from "../support/whenTrue.ts";
import { writeFiles } from "../support/filesOnDisk.ts";
import { answer, messages, narrowSideBar, openChat, press, send } from "./support/chat.ts";
import { useModelSession } from "./support/modelSession.ts";
import { inEachPicture, picture } from "./support/pictures.ts";
import { killExtensionHost } from "./support/processes.ts";
import { question, scriptSteps, type ScriptedStep } from "./support/toolCalls.ts";
import {
  acceptFocused,
  closePicker,
  dialog,
  entries,
  nextExtensionHost,
  pick,
  pressInEntry,
  quickInput,
  runCommand,
  toast,
} from "./support/workbench.ts";

const policy = "export const policy = {\n  attempts: 3,\n  backoffMs: 250,\n\n  // Seconds.\n  total: 60,\n};\n";
const notes = "one\r\ntwo\r\nthree";
const limits = "most: 5\nleast: 1\n";

type Calls = NonNullable<ScriptedStep["calls"]>;

describe("files that tools changed", function () {
  this.timeout(120_000);
  let page: Page;
  let chat: Frame;

  const session = useModelSession("restore-files", { "git.enabled": true });
  before(async () => {
    ({ page, chat } = await session.openChat());
  });
  const fileText = (name: string): string => readFileSync(path.join(session.server.workspace, name), "utf8");
  const files = (): readonly (string | undefined)[] =>
    ["src/policy.ts", "notes.txt", "limits.txt", "new.txt"].map((name) =>
      existsSync(path.join(session.server.workspace, name)) ? fileText(name) : undefined,
    );

  const edit = (file: string, old_text: string, new_text: string): Calls => [
    ["edit_file", { path: file, edits: [{ old_text, new_text }] }],
  ];
  async function ask(text: string, ...steps: readonly Calls[]): Promise<void> {
    scriptSteps(session.models, ...steps.map((calls) => ({ text: "I do.", calls })), { text: `Done: ${text}` });
    await send(chat, text);
    let questions = steps.length;
    while (questions-- > 0) {
      await question(chat).getByRole("button", { name: "Allow once" }).click();
      await question(chat).waitFor({ state: "detached" });
    }
    assert.equal(await answer(chat), `Done: ${text}`);
  }

  it("are restored to before a question, all but the person's own changes, and that is undone", async () => {
    writeFiles(session.server.workspace, { "src/policy.ts": policy, "notes.txt": notes, "limits.txt": limits });
    await session.startAnew({ page, chat });
    await ask(
      "Change three",
      edit("src/policy.ts", "attempts: 3", "attempts: 5"),
      edit("notes.txt", "two", "zwei"),
      edit("limits.txt", "most: 5", "most: 9"),
    );
    await ask("Change again", edit("src/policy.ts", "backoffMs: 250", "backoffMs: 100"), [
      ["edit_file", { path: "new.txt", content: "new\n" }],
    ]);
    // The person's own: elsewhere in one file, and at the same place in another.
    writeFiles(session.server.workspace, {
      "src/policy.ts": fileText("src/policy.ts").replace("total: 60", "total: 90"),
      "limits.txt": fileText("limits.txt").replace("most: 9", "most: 7"),
    });
    const before = files();

    await runCommand(page, "Forge: Restore Files…");
    await entries(page, "Change again").waitFor();
    await picture(page, "restore-questions");
    await closePicker(page);
    await inEachPicture(page, async (end) => {
      await preview();
      await picture(page, `restore-preview-${end}`);
      await closePicker(page);
    });
    await preview();
    await pick(page, "Show all changes");
    await page.locator(".tab", { hasText: "Files as they would be restored" }).waitFor();
    await toast(page, "Restore the files as shown?").waitFor();
    await picture(page, "restore-changes");
    await toast(page, "Restore the files as shown?")
      .getByRole("button", { name: "Restore 3 files", exact: true })
      .click();
    await toast(page, "3 files are as they were before").waitFor();
    await picture(page, "restore-done");
    assert.deepEqual(files(), [policy.replace("60", "90"), notes, limits.replace("most: 5", "most: 7"), undefined]);

    await toast(page, "3 files are as they were before").getByRole("button", { name: "Undo" }).click();
    await toast(page, "src/policy.ts").waitFor();
    assert.deepEqual(files(), before);
  });

  async function preview(): Promise<void> {
    await runCommand(page, "Forge: Restore Files…");
    await pick(page, "Change three");
    await entries(page, "you changed it at the same place").waitFor();
  }

  it("are restored from the question itself, with a fork of what was before", async () => {
    await narrowSideBar(page);
    await ask("And once more", edit("notes.txt", "three", "drei"));
    await messages(chat, "user").last().hover();
    const entry = chat.getByRole("menuitem", { name: "Restore files to before this…" });
    await until(async () => {
      if (!(await entry.isVisible())) await press(chat, "More actions"); // the focus of an earlier step may come late, and close it
      await picture(page, "restore-menu");
      return entry.click({ timeout: 2_000 }).then(
        () => true,
        () => undefined,
      );
    });
    await pick(page, "Restore 1 file, and fork the conversation before it");
    await toast(page, "1 file is as it was before").waitFor();
    assert.equal(fileText("notes.txt"), notes.replace("two", "zwei"));
    await messages(chat, "user").last().getByText("Change again").waitFor();
  });

  it("are listed with all that is kept of them, and deleted from there", async () => {
    await runCommand(page, "Forge: Kept File States…");
    await entries(page, "Create new.txt").waitFor();
    await picture(page, "restore-kept");
    await pressInEntry(page, "Create new.txt", "Delete");
    await entries(page, "Create new.txt").waitFor({ state: "detached" });
    await pick(page, "Delete those older than…");
    await pick(page, "All");
    await dialog(page).getByRole("button", { name: "Delete" }).click();
    await runCommand(page, "Forge: Kept File States…");
    await quickInput(page).getByText("No states of files are kept.").waitFor();
    await closePicker(page);
  });

  it("are as before a command, by keyboard alone, and that is undone", async () => {
    const { workspace } = session.server;
    writeFiles(workspace, { "src/policy.ts": policy, "notes.txt": notes, "limits.txt": limits, ".gitignore": "dist/" });
    rmSync(path.join(workspace, "new.txt"), { force: true });
    const git = (...words: readonly string[]): void => {
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...words], { cwd: workspace });
    };
    git("init", "-q");
    git("add", "src", "limits.txt");
    git("commit", "-qm", "first");
    await session.startAnew({ page, chat });
    const command =
      "sed -i 's/attempts: 3/attempts: 8/' src/policy.ts; rm notes.txt; echo new > new.txt; git commit -qam second; " +
      "mkdir -p dist; echo built > dist/out; head -c 6000000 /dev/zero > large.bin";
    scriptSteps(session.models, { text: "I do.", calls: [["run_command", { command }]] }, { text: "Done: Run it" });
    await send(chat, "Run it");
    await question(chat).getByText("“Restore Files” can take back what it changes here").waitFor();
    await inEachPicture(page, async (end) => {
      await picture(page, `restore-command-question-${end}`);
    });
    await question(chat).getByRole("button", { name: "Allow once" }).click();
    assert.equal(await answer(chat), "Done: Run it");
    assert.match(fileText("src/policy.ts"), /attempts: 8/);
    writeFiles(workspace, { "src/policy.ts": fileText("src/policy.ts").replace("total: 60", "total: 90") });
    const changed = files();

    await inEachPicture(page, async (end) => {
      await byKeyboard("Forge: Restore Files…", "Run it");
      await entries(page, "its content was not kept: it was too large").waitFor();
      await picture(page, `restore-command-${end}`);
      await closePicker(page);
    });
    await byKeyboard("Forge: Restore Files…", "Run it");
    await entries(page, "its content was not kept: it was too large").waitFor();
    await acceptFocused(page, "Restore 3 files");
    await toast(page, "3 files are as they were before").waitFor();
    await picture(page, "restore-command-done");
    assert.deepEqual(files(), [policy.replace("60", "90"), notes, limits, undefined]);

    await byKeyboard("Forge: Restore Files…", "Undo the restore of");
    await acceptFocused(page, "Restore 3 files");
    await whenTrue(() => isDeepStrictEqual(files(), changed));
  });

  async function byKeyboard(command: string, entry: string): Promise<void> {
    await quickInput(page).waitFor({ state: "hidden" });
    await page.keyboard.press("F1");
    await quickInput(page).locator("input:focus").first().waitFor();
    await page.keyboard.type(command);
    await acceptFocused(page, command);
    await entries(page, entry).first().waitFor();
    await page.keyboard.type(entry);
    await acceptFocused(page, entry);
  }

  it("that a command changed which a crash interrupted are left, and can be compared", async () => {
    writeFiles(session.server.workspace, { "limits.txt": limits });
    await session.startAnew({ page, chat });
    const command = "echo most: 9 > limits.txt; sleep 300";
    scriptSteps(session.models, { text: "I do.", calls: [["run_command", { command }]] });
    await send(chat, "Run for long");
    await question(chat).getByRole("button", { name: "Allow once" }).click();
    await whenTrue(() => fileText("limits.txt") === "most: 9\n");
    const killed = await killExtensionHost(session.server);
    await nextExtensionHost(page, session.server, killed);
    chat = await openChat(page);
    await press(chat, "Hide");
    await runCommand(page, "Forge: Restore Files…");
    await pick(page, "Run for long");
    await picture(page, "restore-interrupted");
    await pick(page, "a crash interrupted the command that may have changed it");
    await page.locator(".tab", { hasText: "The file as it was before the changes" }).waitFor();
    await page.locator(".view-line", { hasText: "least: 1" }).waitFor();
    await picture(page, "restore-interrupted-compared");
    await closePicker(page);
    assert.equal(fileText("limits.txt"), "most: 9\n");
  });

  it("say so where no tool has changed any", async () => {
    await session.startAnew({ page, chat });
    await session.talk(chat, "Nothing is changed here");
    await runCommand(page, "Forge: Restore Files…");
    await quickInput(page).getByText("No tool changed a file in this conversation.").waitFor();
    await picture(page, "restore-none");
    await page.keyboard.press("Escape");
  });
});

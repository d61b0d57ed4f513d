import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Frame, Locator, Page } from "playwright-core";
import { until } from "../../scripts/vscode/until.ts";
import { writeFiles } from "../support/filesOnDisk.ts";
import { answer, composer, messages, newConversation, openChat, send, usageItem } from "./support/chat.ts";
import { goTo } from "./support/keyboard.ts";
import { lastQuestion } from "./support/lastQuestion.ts";
import { useModelSession } from "./support/modelSession.ts";
import { picture } from "./support/pictures.ts";
import { callLine, question, resultOf, scriptSteps, type ScriptedStep } from "./support/toolCalls.ts";
import { closePicker, entries, pressInEntry, quickInput, runCommand, toast } from "./support/workbench.ts";

const policy = `export const policy = {
  attempts: 3,
  backoffMs: 250,
};
`;

describe("tools", () => {
  let page: Page;
  let chat: Frame;

  const session = useModelSession("tools");
  before(async () => {
    ({ page, chat } = await session.openChat());
  });
  beforeEach(async () => {
    writeFiles(session.server.workspace, { "src/policy.ts": policy });
    await session.startAnew({ page, chat });
  });
  const script = (...steps: readonly ScriptedStep[]): void => {
    scriptSteps(session.models, ...steps);
  };
  const lastRequest = (): string => JSON.stringify(lastQuestion(session.models));
  const fileText = (name: string): string => readFileSync(path.join(session.server.workspace, name), "utf8");
  const attempts = (from: number, to: number): ScriptedStep => ({
    text: `I set it to ${to}.`,
    calls: [
      ["edit_file", { path: "src/policy.ts", edits: [{ old_text: `attempts: ${from}`, new_text: `attempts: ${to}` }] }],
    ],
  });
  const done = { text: "Well." };
  const diffTab = (): Locator => page.locator(".tab", { hasText: "src/policy.ts (proposed edit)" });
  const titleAction = (name: string): Locator => page.locator(".editor-actions").getByRole("button", { name });

  it("read files without asking, and show each call in one line that opens", async () => {
    script(
      {
        text: "I look.",
        calls: [
          ["read_file", { path: "src/policy.ts" }],
          ["list_files", {}],
        ],
      },
      done,
    );
    await send(chat, "How many attempts are there?");
    assert.equal(await answer(chat), "Well.");
    assert.match(await resultOf(chat, "Read src/policy.ts"), /attempts: 3/);
    await callLine(chat, "List the workspace").waitFor();
    await picture(page, "tools-read");
  });

  it("show an edit as a diff, write it when accepted there, and one undo reverts it", async () => {
    script(attempts(3, 2), done);
    await send(chat, "Make it two.");
    await question(chat).waitFor();
    await diffTab().waitFor();
    await picture(page, "tools-edit-asks");
    assert.equal(fileText("src/policy.ts"), policy, "nothing is written before the user's word");
    await titleAction("Accept Edit").click();
    await answer(chat);
    assert.equal(fileText("src/policy.ts"), policy.replace("3", "2"));
    await diffTab().waitFor({ state: "detached" });
    await page.locator(".tab.active", { hasText: "policy.ts" }).waitFor();
    await picture(page, "tools-edit-accepted");
    await page.locator(".monaco-editor .view-lines").first().click();
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+s");
    assert.ok(await until(() => (fileText("src/policy.ts") === policy ? true : undefined)), "one undo is enough");
  });

  it("write nothing of an edit refused in its diff, and tell the model", async () => {
    script(attempts(3, 2), done);
    await send(chat, "Make it two.");
    await diffTab().waitFor();
    await titleAction("Refuse Edit").click();
    await answer(chat);
    assert.equal(fileText("src/policy.ts"), policy);
    assert.match(await callLine(chat, "Edit src/policy.ts").innerText(), /not allowed/);
    assert.match(lastRequest(), /did not allow this call/);
    await picture(page, "tools-edit-refused");
  });

  it("apply a permission for one conversation to that conversation only", async () => {
    script(attempts(3, 4), attempts(4, 5), done);
    await send(chat, "More.");
    await question(chat).getByRole("button", { name: "Allow in this conversation" }).click();
    await answer(chat);
    assert.match(fileText("src/policy.ts"), /attempts: 5/);

    await newConversation(page, chat);
    script(attempts(5, 6), done);
    await send(chat, "More.");
    await question(chat).getByRole("button", { name: "Deny" }).click();
    await answer(chat);
    assert.match(fileText("src/policy.ts"), /attempts: 5/);
  });

  it("can be allowed with the keyboard alone, and a permission for all applies until revoked", async () => {
    script(attempts(3, 4), attempts(4, 5), done);
    await composer(chat).focus();
    await page.keyboard.type("More.");
    await page.keyboard.press("Enter");
    await question(chat).waitFor();
    await goTo(page, chat, "Shift+Tab", "Always allow");
    await picture(page, "tools-keyboard");
    await page.keyboard.press("Enter");
    await answer(chat);
    assert.match(fileText("src/policy.ts"), /attempts: 5/);

    await newConversation(page, chat);
    script(attempts(5, 6), done);
    await send(chat, "And more.");
    await answer(chat);
    assert.match(fileText("src/policy.ts"), /attempts: 6/);

    await runCommand(page, "Forge: Choose Tools");
    await entries(page, "allowed in every conversation").waitFor();
    await picture(page, "tools-choose");
    await pressInEntry(page, "edit_file", "Ask again");
    await entries(page, "allowed in every conversation").waitFor({ state: "detached" });
    await closePicker(page);
    script(attempts(6, 7), done);
    await send(chat, "Even more.");
    await question(chat).getByRole("button", { name: "Deny" }).click();
    await answer(chat);
    assert.match(fileText("src/policy.ts"), /attempts: 6/);
  });

  it("are not offered to the model when switched off for a conversation", async () => {
    const offered = (): readonly string[] =>
      [...lastRequest().matchAll(/"function":\{"name":"(\w+)"/g)].map(([, name]) => name ?? "");
    script(done, done, done);
    await send(chat, "Hello.");
    await answer(chat);
    assert.ok(offered().includes("run_command"));
    await runCommand(page, "Forge: Choose Tools");
    await entries(page, "run_command").locator(".quick-input-list-checkbox, [role=checkbox], input").first().click();
    await picture(page, "tools-choose-less");
    await quickInput(page).getByRole("button", { name: "OK" }).click();
    await quickInput(page).waitFor({ state: "hidden" });
    await send(chat, "Hello again.");
    await answer(chat);
    assert.ok(!offered().includes("run_command") && offered().includes("edit_file"), offered().join(" "));
  });

  it("run a command in a visible terminal, after permission for exactly this command", async () => {
    const command = "echo hello from the shell && ls src";
    script({ text: "I run it.", calls: [["run_command", { command }]] }, done);
    await send(chat, "Run it.");
    await question(chat).getByText(command).waitFor();
    assert.deepEqual(await question(chat).getByRole("button").allInnerTexts(), ["Allow once", "Deny"]);
    await picture(page, "tools-command-asks");
    await question(chat).getByRole("button", { name: "Allow once" }).click();
    await answer(chat);
    const result = await resultOf(chat, `Run ${command}`);
    assert.match(result, /ended with exit code 0/);
    assert.match(result, /hello from the shell\npolicy\.ts/);
    await picture(page, "tools-command-done");
    await runCommand(page, "View: Toggle Panel Visibility");
  });

  const commit = "commit refs/heads/x\\ncommitter A <a@b> %d +0000\\ndata <<X\\nno %d\\nX\\n";
  const history = [
    'cd "$(mktemp -d)" && git init -q .',
    `seq 300 | awk '{ printf "${commit}", $1, $1 }' | git fast-import --quiet`,
    "git log --format=%s x",
    'rm -rf "$PWD"',
  ].join("\n");
  const bars =
    "printf 'a 0%%\\nb 0%%\\n'; for n in 30 60 90; do sleep 0.1; printf \"\\033[2Aa $n%%\\nb $n%%\\n\"; done";
  for (const [name, command, title, expected] of [
    ["history", history, "and 3 more lines", /```\nno 300\nno 299\n[^]*\nno 1\n```/],
    ["progress", bars, "Run printf", /```\na 90%\nb 90%\n```/],
  ] as const) {
    it(`§8 give what is seen of a command: ${name}`, async () => {
      script({ text: "I run it.", calls: [["run_command", { command }]] }, done);
      await send(chat, "Run it.");
      await question(chat).getByRole("button", { name: "Allow once" }).click();
      await answer(chat);
      assert.match(await resultOf(chat, title), expected);
      await picture(page, `tools-command-${name}`);
      await runCommand(page, "View: Toggle Panel Visibility");
    });
  }

  it("§8 say that a command waits for a password, which the user types in the terminal", async () => {
    const command = "read -s -p 'Password: ' word; echo; echo ${#word} letters";
    script({ text: "I run it.", calls: [["run_command", { command }]] }, done);
    await send(chat, "Run it.");
    await question(chat).getByRole("button", { name: "Allow once" }).click();
    const waits = toast(page, "A command of the chat seems to wait for your answer.");
    await waits.waitFor();
    await picture(page, "tools-command-waits");
    await waits.getByRole("button", { name: "Answer in the terminal" }).click();
    await page.locator(".terminal.xterm.focus").waitFor();
    await page.keyboard.type("secret");
    await page.keyboard.press("Enter");
    await answer(chat);
    const result = await resultOf(chat, "Run read -s");
    assert.match(result, /Password: *\n6 letters/);
    assert.ok(!result.includes("secret"));
    await picture(page, "tools-command-answered");
    await runCommand(page, "View: Toggle Panel Visibility");
  });

  it("show that a call waits for the user, even while the chat is hidden", async () => {
    script({ text: "I run it.", calls: [["run_command", { command: "echo seen" }]] }, done);
    await send(chat, "Run it.");
    await question(chat).waitFor();
    await page.locator('.activitybar [aria-label^="Explorer"]').first().click();
    await usageItem(page).getByText("Waiting for you").waitFor();
    await page.locator(".activitybar .badge", { hasText: "1" }).waitFor();
    await picture(page, "tools-hidden-waits");
    await usageItem(page).click();
    await page.locator("iframe.webview").first().waitFor();
    chat = await openChat(page);
    await question(chat).locator(":focus").waitFor();
    await question(chat).getByRole("button", { name: "Deny" }).click();
    await answer(chat);
    await usageItem(page).getByText("Waiting for you").waitFor({ state: "detached" });
    await page.locator(".activitybar .badge-content", { hasText: "1" }).waitFor({ state: "hidden" });
  });

  it("find earlier messages, and the answer's link scrolls to one", async () => {
    const filler = Array.from({ length: 40 }, (_, line) => `Line ${line} of a long story.`).join("\n\n");
    script({ text: `The retry budget is 7.\n\n${filler}` });
    await send(chat, "What is the retry budget?");
    await answer(chat);
    script(
      { text: "I search.", calls: [["recall_history", { query: "retry budget" }]] },
      { text: "You asked for it in [message 1](#message-1)." },
    );
    await send(chat, "When did I ask that?");
    await answer(chat);
    assert.match(await resultOf(chat, "Search history: retry budget"), /1|2 messages? found/);
    const first = chat.locator('[data-message-id="0"]');
    const isSeen = () => first.evaluate((row) => row.getBoundingClientRect().top >= 0);
    assert.equal(await isSeen(), false);
    await messages(chat).last().getByRole("button", { name: "message 1" }).click();
    assert.ok(await until(async () => ((await isSeen()) ? true : undefined)), "it was brought into sight");
    await picture(page, "tools-recall");
  });
});

import assert from "node:assert/strict";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import type { Frame, Locator, Page } from "playwright-core";
import { until } from "../../scripts/vscode/until.ts";
import { writeFiles } from "../support/filesOnDisk.ts";
import { answer, messages, newConversation, openChat, openThoughts, seen, send } from "./support/chat.ts";
import { useModelSession } from "./support/modelSession.ts";
import { picture } from "./support/pictures.ts";
import { noTerminals } from "./support/terminals.ts";
import { dialog, runCommand, toast } from "./support/workbench.ts";

const policy = `export const policy = {
  attempts: 3,
  backoffMs: 250,
};

export function delayMs(attempt: number): number {
  return policy.backoffMs * attempt;
}
`;
const better = `export function delayMs(attempt: number): number {
  return policy.backoffMs * 2 ** attempt;
}`;

const fenced = (info: string, code: string): string => `\`\`\`${info}\n${code}\n\`\`\``;
const button = (chat: Frame, name: string): Locator => chat.getByRole("button", { name, exact: true }).last();

describe("answers with code", () => {
  const session = useModelSession("code-blocks");
  let page: Page;
  let chat: Frame;

  const fileText = (name: string): string => readFileSync(path.join(session.server.workspace, name), "utf8");
  const tab = (name: string): Locator => page.locator(".tab", { hasText: name });
  const editorText = (): Promise<string> => page.locator(".editor-instance .view-lines").first().innerText();
  const ask = async (text: string, thinking?: string): Promise<void> => {
    if ((await messages(chat).count()) > 0) await newConversation(page, chat);
    const thought = thinking === undefined ? {} : { thinking };
    session.models.script({ answer: { text, ...thought }, times: 1, framing: { delayMs: 5 } });
    await send(chat, "Show me.");
    await answer(chat);
  };

  before(async function () {
    this.timeout(90_000);
    writeFiles(session.server.workspace, {
      "src/policy.ts": policy,
      "src/deep/only.ts": "one\ntwo\nthree\nfour\n",
      "a/twice.ts": "",
      "b/twice.ts": "",
    });
    symlinkSync("/etc/hosts", path.join(session.server.workspace, "src/away.ts"));
    ({ page, chat } = await session.openChat());
  });
  beforeEach(() => {
    session.models.reset();
    writeFiles(session.server.workspace, { "src/policy.ts": policy });
  });

  it("put code into a new file in the language of its fence", async () => {
    await ask(fenced("py", "print(42)"));
    await button(chat, "New file").click();
    await page.locator(".tab.active", { hasText: "Untitled-1" }).waitFor();
    assert.ok(await until(async () => ((await editorText()).includes("print(42)") ? true : undefined)));
    await page.locator(".statusbar").getByRole("button", { name: "Python" }).waitFor();
    await picture(page, "code-new-file");
  });

  it("insert code at the cursor, and one undo removes it", async () => {
    await ask(fenced("py", "print(43)"));
    await button(chat, "Insert at cursor").click();
    assert.ok(await until(async () => ((await editorText()).includes("print(43)") ? true : undefined)));
    await page.locator(".editor-instance .monaco-editor.focused").waitFor();
    await page.keyboard.press("Control+z");
    assert.ok(await until(async () => ((await editorText()).includes("print(43)") ? undefined : true)));
    assert.ok((await editorText()).includes("print(42)"));
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete"); // an empty untitled file closes without a question
  });

  it("propose code as a diff of its file, write it when accepted, and one undo reverts it", async () => {
    await ask(`In src/policy.ts:\n\n${fenced("ts src/policy.ts", better)}`);
    await button(chat, "Apply to src/policy.ts").click();
    await tab("src/policy.ts (proposed edit)").waitFor();
    await picture(page, "code-apply");
    assert.equal(fileText("src/policy.ts"), policy, "nothing is written before the user's word");
    await page.locator(".editor-actions").getByRole("button", { name: "Accept Edit" }).click();
    const written = policy.replace("backoffMs * attempt", "backoffMs * 2 ** attempt");
    assert.ok(await until(() => (fileText("src/policy.ts") === written ? true : undefined)));
    await page.locator(".tab.active", { hasText: "policy.ts" }).waitFor();
    await page.locator(".editor-instance .view-lines").first().click();
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+s");
    assert.ok(await until(() => (fileText("src/policy.ts") === policy ? true : undefined)), "one undo is enough");
  });

  it("apply code without a file name to the active file, and change nothing when refused", async () => {
    await ask(fenced("ts", better));
    await button(chat, "Apply to file").click();
    await tab("src/policy.ts (proposed edit)").waitFor();
    await page.locator(".editor-actions").getByRole("button", { name: "Refuse Edit" }).click();
    await tab("src/policy.ts (proposed edit)").waitFor({ state: "detached" });
    assert.equal(fileText("src/policy.ts"), policy);
  });

  it("apply no code outside the workspace, or to an unclear place", async () => {
    await ask([fenced("ts ../out.ts", "let a = 1;"), fenced("ts src/away.ts", "let b = 1;")].join("\n\n"));
    await button(chat, "Apply to ../out.ts").click();
    await toast(page, "../out.ts is not in the open folders").waitFor();
    await button(chat, "Apply to src/away.ts").click();
    await toast(page, "src/away.ts is not in the open folders").waitFor();
    await ask(fenced("ts src/policy.ts", "something();\nelse.entirely();"));
    await button(chat, "Apply to src/policy.ts").click();
    await toast(page, "It is not clear where in src/policy.ts this code belongs").waitFor();
    await picture(page, "code-unclear");
    await runCommand(page, "Notifications: Clear All Notifications");
  });

  it("link file names at their line, and never outside the workspace", async () => {
    await ask("See src/policy.ts:6, `only.ts:3` and `src/deep`; not twice.ts, src/away.ts, ../a.ts or gone.ts.");
    await chat.getByRole("link", { name: "only.ts:3" }).waitFor();
    const links = await chat.getByRole("link").allInnerTexts();
    assert.deepEqual(links, ["src/policy.ts:6", "only.ts:3", "src/deep"]);
    await chat.getByRole("link", { name: "only.ts:3" }).click();
    await page.locator(".tab.active", { hasText: "only.ts" }).waitFor();
    await page.locator(".statusbar").getByText("Ln 3, Col 1").waitFor();
    await chat.getByRole("link", { name: "src/policy.ts:6" }).focus();
    await page.keyboard.press("Enter");
    await page.locator(".tab.active", { hasText: "policy.ts" }).waitFor();
    await page.locator(".statusbar").getByText("Ln 6, Col 1").waitFor();
    await picture(page, "code-links");
  });

  it("link file names of a project that was elsewhere when they were written", async () => {
    await ask(
      "Done in /home/maria/old-name/src/policy.ts:6 and C:\\work\\shop\\src\\deep\\only.ts, not in /home/maria/old-name/src/gone.ts, /etc/hosts or /home/maria/src/away.ts.",
    );
    await chat.getByRole("link", { name: "only.ts" }).waitFor();
    const links = await chat.getByRole("link").allInnerTexts();
    assert.deepEqual(links, ["/home/maria/old-name/src/policy.ts:6", "C:\\work\\shop\\src\\deep\\only.ts"]);
    await chat.getByRole("link", { name: "only.ts" }).click();
    await page.locator(".tab.active", { hasText: "only.ts" }).waitFor();
    await chat.getByRole("link", { name: "policy.ts:6" }).click();
    await page.locator(".tab.active", { hasText: "policy.ts" }).waitFor();
    await page.locator(".statusbar").getByText("Ln 6, Col 1").waitFor();
  });

  it("run code in a terminal only after the user has confirmed it", async function () {
    this.timeout(60_000);
    await ask(
      [fenced("sh", "echo one > ran.txt"), fenced("console", "$ cd src\n$ echo two > ran.txt\nsaid")].join("\n\n"),
    );
    const run = chat.getByRole("button", { name: "Run in terminal" });
    await run.first().click();
    await dialog(page).getByText("echo one > ran.txt").waitFor();
    await picture(page, "code-run-asks");
    await dialog(page).getByRole("button", { name: "Cancel" }).click();
    await dialog(page).waitFor({ state: "detached" });
    const reason = noTerminals();
    if (reason !== undefined) {
      console.log(`      not run: ${reason}`);
      this.skip();
    }
    await run.first().click();
    await dialog(page).getByRole("button", { name: "Run", exact: true }).click();
    assert.ok(await until(() => (existsSync(path.join(session.server.workspace, "ran.txt")) ? true : undefined)));
    assert.equal(fileText("ran.txt"), "one\n");
    await run.last().click();
    await dialog(page).getByText("echo two > ran.txt").waitFor();
    await dialog(page).getByRole("button", { name: "Run", exact: true }).click();
    const inFolder = path.join(session.server.workspace, "src/ran.txt");
    assert.ok(await until(() => (existsSync(inFolder) ? true : undefined)), "several lines run as one script");
    await picture(page, "code-ran");
    await runCommand(page, "View: Toggle Panel Visibility");
  });

  it("show the thinking time, also after a reload", async function () {
    this.timeout(60_000);
    await ask("At noon.", "Let me look at the tides first. ".repeat(20));
    const thought = chat.getByRole("button", { name: /^Thought for \d+ second/ });
    await thought.waitFor();
    const words = await thought.innerText();
    await page.reload();
    chat = await openChat(page);
    const after = chat.getByRole("button", { name: /^Thought for/ });
    await after.waitFor();
    assert.equal(await after.innerText(), words);
    await openThoughts(chat);
    await seen(chat, "Let me look at the tides first.").waitFor();
    await picture(page, "code-thought");
  });

  it("use the chat font size as soon as it is set", async () => {
    await ask("Some words.");
    const sizeIs = (size: string): Promise<true | undefined> =>
      until(async () => {
        const shown = await chat
          .getByText("Some words.", { exact: true })
          .evaluate((element) => getComputedStyle(element).fontSize);
        return shown === size ? true : undefined;
      });
    await runCommand(page, "Preferences: Open Settings (UI)");
    await page.locator(".settings-editor .suggest-input-container").click();
    await page.keyboard.type("chat.fontSize");
    const field = page.locator('.settings-editor [data-key="chat.fontSize"] input').first();
    for (const size of ["19", "13"]) {
      await field.fill(size);
      assert.ok(await sizeIs(`${size}px`), `the chat's words are ${size} px high`);
      await picture(page, `code-font-${size}`);
    }
  });
});

describe("answers with code in an untrusted workspace", () => {
  const session = useModelSession("code-untrusted", {
    "security.workspace.trust.enabled": true,
    "security.workspace.trust.startupPrompt": "never",
  });

  it("run no code, and say why", async function () {
    this.timeout(90_000);
    const { page, chat } = await session.openChat();
    session.models.script({ answer: { text: fenced("sh", "echo one > ran.txt") }, times: 1 });
    await send(chat, "Show me.");
    await answer(chat);
    await button(chat, "Run in terminal").click();
    await toast(page, "You do not trust this workspace yet").waitFor();
    await picture(page, "code-untrusted");
    assert.equal(await dialog(page).count(), 0);
    assert.ok(!existsSync(path.join(session.server.workspace, "ran.txt")));
  });
});

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Frame, Page } from "playwright-core";
import { until } from "../../scripts/vscode/until.ts";
import { writeFiles } from "../support/filesOnDisk.ts";
import { answer, composer, hasKeyboard, messages, openChat, partOfAnswer, press, seen, send } from "./support/chat.ts";
import { lastQuestion } from "./support/lastQuestion.ts";
import { useModelSession } from "./support/modelSession.ts";
import { picture } from "./support/pictures.ts";
import { killExtensionHost } from "./support/processes.ts";
import { callLine, question, scriptSteps, type ScriptedStep } from "./support/toolCalls.ts";
import { nextExtensionHost, pick, quickInput, runCommand } from "./support/workbench.ts";
import { longAnswer } from "../support/texts/longAnswer.ts";

const sentences = longAnswer(70_000);
const slow = { text: sentences, framing: { delayMs: 20 } };
const done = { text: "Well." };
/** Appends one line to `runs.txt` each time it runs. */
const note = (word: string): readonly [string, object] => ["run_command", { command: `echo ${word} >> runs.txt` }];
/** Appends "begun" to `runs.txt`, and runs for 300 s. */
const endless: readonly [string, object] = ["run_command", { command: "echo begun >> runs.txt; sleep 300" }];
const read: readonly [string, object] = ["read_file", { path: "notes.md" }];

describe("turns", () => {
  let page: Page;
  let chat: Frame;

  const session = useModelSession("turns", { "forge.tools.maxRounds": 3 });
  before(async () => {
    ({ page, chat } = await session.openChat());
  });
  beforeEach(async () => {
    writeFiles(session.server.workspace, { "notes.md": "Nothing new.\n", "runs.txt": "" });
    await session.startAnew({ page, chat });
  });
  const script = (...steps: readonly ScriptedStep[]): void => {
    scriptSteps(session.models, ...steps);
  };
  const runs = (): string => {
    const file = path.join(session.server.workspace, "runs.txt");
    return existsSync(file) ? readFileSync(file, "utf8").trim().replaceAll("\n", " ") : "";
  };
  const allow = (): Promise<void> => question(chat).getByRole("button", { name: "Allow once" }).click();
  const hasRun = async (words: string): Promise<void> => {
    assert.ok(await until(() => (runs() === words ? true : undefined)), `"${runs()}" instead of "${words}"`);
  };
  /** Sends a message while an answer streams. */
  const queue = async (text: string): Promise<void> => {
    await composer(chat).fill(text);
    await composer(chat).press("Enter");
    await chat.locator(".queued", { hasText: text }).waitFor();
  };
  const answered = (words: string): Promise<void> =>
    messages(chat, "assistant", "complete").getByText(words, { exact: true }).last().waitFor();
  const asked = (): Promise<readonly string[]> => messages(chat, "user").locator(".typed").allInnerTexts();

  it("queue messages sent during an answer: they are shown, edited, removed and sent in order", async () => {
    script(slow, { text: "To the second." }, { text: "To the third." });
    await send(chat, "The first.");
    await partOfAnswer(chat, 40);
    for (const text of ["The second.", "Not this one.", "The thrid."]) await queue(text);
    await chat.locator(".queued", { hasText: "thrid" }).getByRole("button", { name: "Edit queued message" }).click();
    await chat.getByRole("textbox", { name: "Edit queued message" }).fill("The third.");
    await picture(page, "turns-queue");
    await chat.getByRole("button", { name: "Done" }).click();
    await chat
      .locator(".queued", { hasText: "Not this" })
      .getByRole("button", { name: "Remove queued message" })
      .click();
    await chat.locator(".queued", { hasText: "Not this" }).waitFor({ state: "detached" });
    await press(chat, "Stop");
    await seen(chat, "2 messages wait for you").waitFor();
    await picture(page, "turns-queue-held");
    await press(chat, "Send now");
    await answered("To the third.");
    assert.deepEqual(await asked(), ["The first.", "The second.", "The third."]);
    assert.equal(await chat.locator(".queued").count(), 0);
  });

  it("stop a stream on Escape, and keep the received text", async () => {
    script(slow, done);
    await send(chat, "Tell me.");
    const shown = await partOfAnswer(chat, 60);
    await composer(chat).press("Escape");
    const text = await answer(chat, "cancelled");
    assert.ok(text.startsWith(shown), text);
    assert.ok(await until(() => (session.models.live === 0 ? true : undefined)), "the request has ended");
    await picture(page, "turns-stopped");
    await press(chat, "Retry");
    await answered("Well.");
  });

  it("end a command that ignores the stop, and keep the focus in the chat", async () => {
    const deaf = "trap '' INT; echo begun >> runs.txt; sleep 300";
    script({ text: "I run it.", calls: [["run_command", { command: deaf }]] });
    await send(chat, "Run it.");
    await allow();
    await hasRun("begun");
    await composer(chat).click();
    await composer(chat).press("Escape");
    await answer(chat, "cancelled");
    await hasKeyboard(chat, composer(chat));
    await page.keyboard.type("Typed on.");
    assert.equal(await composer(chat).inputValue(), "Typed on.");
    await composer(chat).fill("");
  });

  it("stop a running command, show it as stopped, and continue from there", async () => {
    script({ text: "I run it.", calls: [endless, read] }, done);
    await send(chat, "Run it.");
    await allow();
    await hasRun("begun");
    await callLine(chat, "Run echo begun").getByText("running").waitFor();
    await picture(page, "turns-tool-runs");
    await press(chat, "Stop");
    await answer(chat, "cancelled");
    await callLine(chat, "Run echo begun").getByText("stopped").waitFor();
    await callLine(chat, "Read notes.md").getByText("not run").waitFor();
    await picture(page, "turns-tool-stopped");
    await press(chat, "Continue");
    await answered("Well.");
    assert.equal(runs(), "begun", "it was not run again");
  });

  it("withdraw a permission question when stopped", async () => {
    script({ text: "I run it.", calls: [note("never")] });
    await send(chat, "Run it.");
    await question(chat).waitFor();
    await composer(chat).press("Escape");
    await answer(chat, "cancelled");
    await question(chat).waitFor({ state: "detached" });
    assert.equal(runs(), "");
  });

  it("report a failure after tool calls, and run no tool again on Retry", async () => {
    script({ text: "I run it.", calls: [note("once")] });
    await send(chat, "Run it.");
    await question(chat).waitFor();
    session.models.script({
      times: 1,
      fault: { kind: "status", status: 401, type: "invalid_api_key", message: "No such key." },
    });
    await allow();
    await chat.locator(".tone-error").waitFor();
    await picture(page, "turns-failed");
    assert.equal(runs(), "once");
    script(done);
    await press(chat, "Retry");
    await answered("Well.");
    assert.equal(runs(), "once");
  });

  it("ask whether to continue after the maximum number of tool rounds", async () => {
    const rounds = Array.from({ length: 3 }, (_, round) => ({
      text: `Round ${round + 1}.`,
      calls: [["search_text", { query: `word ${round}` }] as const],
    }));
    script(...rounds, done);
    await send(chat, "Look everywhere.");
    await chat
      .getByRole("log")
      .getByText("The model has used tools 3 times for this message, and wants to go on.")
      .waitFor();
    await picture(page, "turns-rounds");
    assert.equal(session.models.requests.filter(({ method }) => method === "POST").length, 3);
    await press(chat, "Continue");
    await answered("Well.");
  });

  const kills = [
    { choice: "Resume", after: "begun second" },
    { choice: "Resume", after: "begun second", isByCommand: true },
    { choice: "Hide", after: "begun" },
  ] as const;
  for (const { choice, after, ...how } of kills) {
    const isByCommand = "isByCommand" in how;
    const where = isByCommand ? " by Forge: Recover" : "";
    it(`offer Resume and Hide after a crash during tool calls, and ${choice}${where} runs nothing twice`, async function () {
      this.timeout(90_000);
      script({ text: "I run both.", calls: [read, endless, note("second")] }, done);
      await send(chat, "Run both.");
      await allow();
      await hasRun("begun");
      const killed = await killExtensionHost(session.server);
      await nextExtensionHost(page, session.server, killed);
      chat = await openChat(page);
      await callLine(chat, "Run echo begun").getByText("cut off, may have run").waitFor();
      await picture(page, `turns-crash-${choice.toLowerCase()}`);
      assert.equal(runs(), "begun", "nothing is run by itself");
      if (isByCommand) {
        await runCommand(page, "Forge: Recover");
        await quickInput(page).getByPlaceholder("of 3 tool calls have ended").waitFor();
        await picture(page, "turns-recover-command");
        await pick(page, choice);
      } else await press(chat, choice);
      if (choice === "Resume") {
        await allow();
        await answered("Well.");
        await callLine(chat, "Run echo begun").getByText("cut off, may have run").waitFor();
      } else {
        await messages(chat, "assistant").first().waitFor({ state: "detached" });
        await press(chat, "Retry");
        await answered("Well.");
      }
      assert.equal(runs(), after);
      await picture(page, `turns-after-${choice.toLowerCase()}`);
    });
  }
});

describe("turns that repeat the same call", () => {
  const session = useModelSession("circle");

  it("are detected: the model is told, then stopped, and the user decides", async function () {
    this.timeout(90_000);
    writeFiles(session.server.workspace, { "notes.md": "Nothing new.\n" });
    const { page, chat } = await session.openChat();
    scriptSteps(session.models, ...Array.from({ length: 4 }, () => ({ calls: [read] })), done);
    await send(chat, "What is new?");
    await chat
      .getByRole("log")
      .getByText(/the same call with the same result again and again/)
      .waitFor();
    await picture(page, "turns-circle");
    assert.match(JSON.stringify(lastQuestion(session.models)), /has given this same result 3 times/);
    await send(chat, "Read something else.");
    assert.equal(await answer(chat), "Well.");
  });
});

/** Problems that an edit adds, found by the editor's own service for JSON. */

import assert from "node:assert/strict";
import type { Frame, Page } from "playwright-core";
import { writeFiles } from "../support/filesOnDisk.ts";
import { answer, composer, seen, send } from "./support/chat.ts";
import { closeWindow } from "./support/closeWindow.ts";
import { lowContrast } from "./support/contrast.ts";
import { goTo } from "./support/keyboard.ts";
import { lastQuestion } from "./support/lastQuestion.ts";
import { useModelSession } from "./support/modelSession.ts";
import { inEachTheme, picture } from "./support/pictures.ts";
import { question, scriptSteps, type ScriptedStep } from "./support/toolCalls.ts";
import { pick, quickInput, runCommand } from "./support/workbench.ts";

/** A key that is there twice: the editor warns of it before any edit. */
const limits = `{
  "attempts": 3,
  "attempts": 4,
  "backoffMs": 250
}
`;

describe("problems that an edit adds", () => {
  let page: Page;
  let chat: Frame;
  const session = useModelSession("editProblems");
  before(async () => {
    ({ page, chat } = await session.openChat());
    writeFiles(session.server.workspace, { "config/limits.json": limits, "config/more.json": limits });
  });

  const edit = (path: string, from: string, to: string): ScriptedStep => ({
    text: "I change it.",
    calls: [["edit_file", { path, edits: [{ old_text: from, new_text: to }] }]],
  });
  /** As the model got it. */
  const lastResult = (): string => {
    const { messages } = lastQuestion(session.models) as { readonly messages: readonly { readonly content: string }[] };
    return messages.at(-1)?.content ?? "";
  };

  it("go back to the model and into the chat, without those that were there, and open by keyboard", async () => {
    scriptSteps(session.models, edit("config/limits.json", '"backoffMs": 250', '"backoffMs": 250,'), { text: "Oh." });
    await send(chat, "Make room for more.");
    await question(chat).getByRole("button", { name: "Allow in this conversation" }).click();
    assert.equal(await answer(chat), "Oh.");
    const list = chat.getByRole("list", { name: "1 new problem" });
    assert.match(await list.innerText(), /^Trailing comma.* config\/limits\.json:4:19$/);
    assert.match(lastResult(), /The edit added 1 problem:\n(?:.*\n)+config\/limits\.json:4:19: error: Trailing comma/);
    assert.doesNotMatch(lastResult(), /Duplicate/);
    await composer(chat).focus();
    await goTo(page, chat, "Shift+Tab", await nameOf(list));
    await page.keyboard.press("Enter");
    await page.locator(".statusbar").getByText("Ln 4, Col 19").waitFor();
  });

  it("are known of a file that nobody had opened, and whose edit nobody is asked about", async () => {
    scriptSteps(session.models, edit("config/more.json", '"backoffMs": 250', '"backoffMs": '), { text: "Oh, again." });
    await send(chat, "And there.");
    await seen(chat, "Oh, again.", { exact: true }).waitFor();
    assert.match(lastResult(), /The edit added 1 problem:\n(?:.*\n)+config\/more\.json:5:1: error: Value expected/);
    assert.doesNotMatch(lastResult(), /Duplicate/);
  });

  it("are none where an edit mends the file", async () => {
    scriptSteps(session.models, edit("config/more.json", '"backoffMs": ', '"backoffMs": 5'), { text: "Mended." });
    await send(chat, "Mend it.");
    await seen(chat, "Mended.", { exact: true }).waitFor();
    assert.equal(lastResult(), "config/more.json is changed (+1 −1).");
  });

  it("are those in another open file, too, whose import the edit breaks", async () => {
    writeFiles(session.server.workspace, {
      "src/policy.ts": "export const attempts = 3;\n",
      "src/use.ts": 'import { attempts } from "./policy";\nexport const doubled: string = attempts * 2;\n',
    });
    await runCommand(page, "Go to File...");
    await quickInput(page).locator("input").fill("use.ts");
    await pick(page, "use.ts");
    await page.locator(".tab", { hasText: "use.ts" }).dblclick();
    await page.locator(".statusbar").getByLabel("Errors: 1").first().waitFor();
    scriptSteps(session.models, edit("src/policy.ts", "attempts = 3", "tries = 3"), { text: "Renamed." });
    await send(chat, "Rename it.");
    await seen(chat, "Renamed.", { exact: true }).waitFor();
    assert.match(lastResult(), /The edit added 1 problem:\n(?:.*\n)+src\/use\.ts:1:10: error: .*'attempts'/);
    assert.doesNotMatch(lastResult(), /use\.ts:2/);
  });

  it("are there when the conversation is opened again, and can be read in each theme", async function () {
    this.timeout(120_000);
    await closeWindow(page, session.server);
    ({ page, chat } = await session.openChat());
    const lists = chat.getByRole("list", { name: "1 new problem" });
    await lists.last().waitFor();
    assert.equal(await lists.count(), 3);
    await inEachTheme(page, async (end) => {
      await lists.first().scrollIntoViewIfNeeded();
      await picture(page, `edit-problems-${end}`);
      assert.deepEqual(await lowContrast(chat), [], end);
    });
  });
});

/** Accessible name of the first problem in the list. */
async function nameOf(list: ReturnType<Frame["getByRole"]>): Promise<string> {
  return (await list.getByRole("button").first().getAttribute("aria-label")) ?? "";
}

/** Each command, from the palette, does what it says where one can see it. */

import type { Frame, Page } from "playwright-core";
import type { ModelServer } from "../servers/modelServer.ts";
import { startOpenAiServer } from "../servers/openaiServer.ts";
import { answer, messages, modelButton, openChat, send } from "./support/chat.ts";
import { useSession } from "./support/session.ts";
import { quickInput, runCommand, screenshot } from "./support/workbench.ts";

const paragraph = "The harbour keeps a table of tides in data/tides.csv, and the rule is: never edit it by hand. ";

describe("commands", () => {
  let models: ModelServer;
  let page: Page;
  let chat: Frame;

  before(async () => {
    models = await startOpenAiServer({ dialect: "vllm" });
  });
  after(() => models.close());
  const session = useSession({
    name: "palette",
    settings: () => ({ "forge.openaiCompatible.baseUrl": `${models.url}/v1` }),
  });
  before(async function () {
    this.timeout(90_000);
    page = await session.openWindow();
    chat = await openChat(page);
  });

  /** Runs a command that opens a picker or an input box, and closes that again. */
  async function opens(title: string, text: RegExp): Promise<void> {
    await runCommand(page, title);
    await quickInput(page).getByText(text).first().waitFor();
    await page.keyboard.press("Escape");
    await quickInput(page).waitFor({ state: "hidden" });
  }

  it("Switch Model lists what is on offer", () => opens("Forge: Switch Model", /gpt/));
  it("Recover says when there is nothing to recover", () => opens("Forge: Recover", /Nothing to recover/));
  it("Show Context tells what fills the window", () =>
    opens("Forge: Show Context", /What fills the context|Summarize/));
  it("Set API Key asks whose", () => opens("Forge: Set API Key", /Anthropic/));
  it("Remove API Key says when none is kept", async () => {
    await runCommand(page, "Forge: Remove API Key");
    await quickInput(page).getByPlaceholder("No key is kept").waitFor();
    await page.keyboard.press("Escape");
  });
  it("Open Conversation lists conversations", () => opens("Forge: Open Conversation", /New conversation/));

  it("Summarize Context puts a marker where the messages were, which opens", async function () {
    this.timeout(120_000);
    for (let turn = 1; turn <= 6; turn++) {
      await send(chat, `${paragraph.repeat(12)} Question ${turn}?`);
      await answer(chat);
      await chat
        .locator(`[role="article"][data-role="assistant"]`)
        .nth(turn - 1)
        .waitFor();
    }
    await runCommand(page, "Forge: Summarize Context");
    const marker = chat.locator('[data-kind="summary"][data-summary-id="0"]');
    await marker.waitFor({ timeout: 60_000 });
    await marker.getByRole("button").first().click();
    await chat.getByText("data/tides.csv").first().waitFor();
    await screenshot(page, "palette-summary");
  });

  it("New Conversation begins an empty one, and Stop ends an answer", async () => {
    await runCommand(page, "Forge: New Conversation");
    await messages(chat).first().waitFor({ state: "detached" });
    models.script({ answer: { text: paragraph.repeat(50) }, framing: { delayMs: 50 }, times: 1 });
    await send(chat, "Tell me a lot");
    await messages(chat, "assistant", "streaming").waitFor();
    await runCommand(page, "Forge: Stop");
    await answer(chat, "cancelled");
  });

  it("the buttons of the chat do what their commands do", async () => {
    await modelButton(chat).click();
    await quickInput(page).getByText("gpt").first().waitFor();
    await page.keyboard.press("Escape");
  });
});

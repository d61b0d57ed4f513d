import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Frame, Locator, Page } from "playwright-core";
import { answer, composer, messages, openChat, press, send } from "./support/chat.ts";
import { lastQuestion } from "./support/lastQuestion.ts";
import { useModelSession } from "./support/modelSession.ts";
import { picture } from "./support/pictures.ts";
import { runCommand } from "./support/workbench.ts";

const model = "house-model";
const limits = { contextWindow: 128_000, maxOutput: 8_000 };

describe("messages and the composer", () => {
  let page: Page;
  let chat: Frame;

  const settings = {
    "forge.provider": "openaiCompatible",
    "forge.model": model,
    "forge.models": { [model]: limits },
  };
  const session = useModelSession("messages", settings, { models: [{ id: model, ...limits }] });
  before(async () => {
    writeFileSync(path.join(session.server.workspace, "tides.ts"), "export const tides = 2;\n");
    ({ page, chat } = await session.openChat());
  });

  const lastRequest = (): string => {
    return JSON.stringify(lastQuestion(session.models));
  };

  it("edits a question, keeps both versions, and switches between them", async () => {
    await send(chat, "What is the tide?");
    await answer(chat);
    await messages(chat, "user").first().hover();
    await picture(page, "messages-tools");
    await press(chat, "Edit and send again");
    const field = chat.getByRole("textbox", { name: "Edit and send again" });
    await field.fill("What is the low tide?");
    await picture(page, "messages-edit");
    await field.press("Enter");
    await chat.getByText("2 of 2").waitFor();
    await answer(chat);
    assert.equal(await messages(chat).count(), 2);
    await picture(page, "messages-versions");
    await press(chat, "Earlier version");
    await chat.getByText("1 of 2").waitFor();
    assert.match(await messages(chat, "user").first().innerText(), /What is the tide\?/);
    assert.equal(await messages(chat).count(), 2);
  });

  it("keeps an unsent edit while the side bar is hidden", async () => {
    const field = (): Locator => chat.getByRole("textbox", { name: "Edit and send again" });
    await messages(chat, "user").first().hover();
    await press(chat, "Edit and send again");
    await field().fill("What is the high tide?");
    const frame = page.locator("iframe.webview").first();
    await runCommand(page, "View: Close Primary Side Bar");
    await frame.waitFor({ state: "detached" });
    chat = await openChat(page);
    await field().waitFor();
    assert.equal(await field().inputValue(), "What is the high tide?");
    await field().press("Escape");
    await field().waitFor({ state: "detached" });
  });

  it("attaches a workspace file chosen after @, shows its tokens, and sends it", async () => {
    await composer(chat).pressSequentially("Explain @");
    await chat.getByRole("option").first().waitFor();
    await picture(page, "messages-mentions");
    const file = chat.getByRole("option").filter({ has: chat.locator(".icon-file") });
    await file.first().waitFor();
    const name = await file.first().locator(".choice-name").innerText();
    await file.first().click();
    const chip = chat.locator(".composer .chip");
    await chip.waitFor();
    assert.match(await chip.innerText(), /\d/);
    await picture(page, "messages-chip");
    await press(chat, "Send");
    await messages(chat, "user").nth(1).waitFor();
    await answer(chat);
    assert.ok(lastRequest().includes(name));
    assert.equal(await chip.count(), 0);
    assert.equal(await messages(chat, "user").last().locator(".chip").count(), 1);
    await picture(page, "messages-sent");
  });

  it("hides a message and shows it again, and pins one", async () => {
    await messages(chat, "assistant").first().hover();
    await press(chat, "More actions");
    await picture(page, "messages-menu");
    await chat.getByRole("menuitem", { name: "Hide from view" }).click();
    await chat.getByText("An answer is hidden").waitFor();
    await press(chat, "Show");
    await chat.getByText("An answer is hidden").waitFor({ state: "detached" });
    await messages(chat, "user").first().hover();
    await press(chat, "More actions");
    await chat.getByRole("menuitem", { name: "Pin", exact: true }).click();
    await chat.getByText("Pinned").waitFor();
  });

  it("forks a conversation that names its origin", async () => {
    const title = "What is the tide?";
    await messages(chat, "assistant").first().hover();
    await press(chat, "More actions");
    await chat.getByRole("menuitem", { name: "Fork here" }).click();
    await chat.getByText(`Forked from “${title}”`).waitFor();
    assert.equal(await messages(chat).count(), 2);
    await picture(page, "messages-fork");
  });

  it("runs a typed slash command", async () => {
    await composer(chat).pressSequentially("/");
    await chat.getByRole("listbox", { name: "Commands" }).waitFor();
    await picture(page, "messages-commands");
    await composer(chat).pressSequentially("new");
    await composer(chat).press("Enter");
    await messages(chat).first().waitFor({ state: "detached" });
  });

  it("attaches a long text to the conversation that opens while it is pasted", async () => {
    const long = "A long line of a text.\n".repeat(1_000);
    await send(chat, "Once more.");
    await answer(chat);
    await composer(chat).pressSequentially("/new");
    await composer(chat).evaluate((field, text) => {
      field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
      const paste = (): void => {
        if (document.querySelector("[data-row-id]") !== null) {
          requestAnimationFrame(paste); // the previous conversation is still shown
          return;
        }
        const data = new DataTransfer();
        data.setData("text/plain", text);
        field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
      };
      requestAnimationFrame(paste);
    }, long);
    await messages(chat).first().waitFor({ state: "detached" });
    await chat.locator(".composer .chip", { hasText: "1000 lines" }).waitFor();
  });
});

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Frame, Page } from "playwright-core";
import { answer, composer, hasKeyboard, messages, press, send, usageItem } from "./support/chat.ts";
import { lastQuestion } from "./support/lastQuestion.ts";
import { useModelSession } from "./support/modelSession.ts";
import { inEachPicture, picture } from "./support/pictures.ts";
import { answerInput, closePicker, quickInput, runCommand } from "./support/workbench.ts";
import { longAnswer } from "../support/texts/longAnswer.ts";

const model = "house-model";
const limits = { contextWindow: 32_000, maxOutput: 8_000 };
const rule = "Never edit data/tides.csv by hand; the port office signs it. ";
const notes =
  "## Goal\nNobody may edit `data/tides.csv` by hand, since the port office signs it. The limit is 417 metres.";

describe("context view and summaries", () => {
  let page: Page;
  let chat: Frame;
  const session = useModelSession(
    "context",
    { "forge.models": { [model]: limits } },
    {
      models: [
        { id: model, ...limits },
        { id: "small-model", contextWindow: 4_000, maxOutput: 1_000 },
      ],
      isUnknown: true,
    },
  );
  before(async () => {
    writeFileSync(path.join(session.server.workspace, "tides.ts"), "export const zanzibarTide = 417;\n".repeat(30));
    ({ page, chat } = await session.openChat());
    await page.setViewportSize({ width: 1100, height: 900 });
    const { models } = session;
    await runCommand(page, "Forge: Use an OpenAI-Compatible Server");
    await answerInput(page, `${models.url}/v1`);
    await chat.getByRole("button", { name: `Model: ${model}. Switch model` }).waitFor();
    for (let turn = 1; turn <= 6; turn++) {
      models.script({ match: `Question ${turn}?`, answer: { text: rule + longAnswer(1_800, turn) } });
      await send(chat, `${rule.repeat(5)} Question ${turn}?`);
      await answer(chat);
    }
  });

  const marker = () => chat.locator(".row.summary");
  const part = (kind: string) => chat.locator(`[data-part="${kind}"]`);

  it("show a summary with its unverified statements and its originals", async () => {
    session.models.script({ match: "<transcript>", answer: { text: notes } });
    await runCommand(page, "Forge: Summarize Context");
    await marker().getByRole("button").first().click();
    await marker().getByText("not in the originals").first().waitFor();
    await picture(page, "context-summary-opened");
    await marker()
      .getByRole("tab", { name: /^Originals/ })
      .click();
    await marker().locator(".original").first().waitFor();
    await picture(page, "context-summary-originals");
    await marker().getByRole("tab", { name: "Summary" }).click();
  });

  it("edit a summary, undo to the previous version, and redo", async () => {
    await press(chat, "Edit");
    await marker().getByRole("textbox").fill("## Goal\nLeave `data/tides.csv` alone.");
    await picture(page, "context-summary-editing");
    await press(chat, "Save");
    await marker().getByText("Leave").waitFor();
    await marker().getByText("Edited by you").first().waitFor();
    await picture(page, "context-summary-edited");
    await press(chat, "Undo");
    await marker().getByText("417").first().waitFor();
    await picture(page, "context-summary-undone");
    await press(chat, "Redo");
    await marker().getByText("Leave").waitFor();
  });

  it("compare a summary with its originals in the editor's diff", async () => {
    await press(chat, "Compare");
    await page.locator(".monaco-diff-editor").waitFor();
    await picture(page, "context-summary-compared");
  });

  it("show the content of the next request, including the draft, and link to its messages", async () => {
    await usageItem(page).click();
    await chat.getByRole("heading", { name: "Context" }).waitFor();
    await part("summaries").getByRole("button").first().click();
    await part("recent").getByRole("button").first().click();
    await part("recent").locator(".part-item").first().waitFor();
    await chat.getByRole("textbox", { name: "Message Forge" }).fill("and log the reason of each retry");
    await part("draft").waitFor();
    await inEachPicture(page, async (name) => {
      await picture(page, `context-view-${name}`);
    });
    await press(chat, "Show exact request");
    await page.locator(".tab.active", { hasText: "Next request to" }).waitFor();
    await picture(page, "context-view-request");
    await part("summaries").locator(".item-name").first().click();
    await marker().waitFor();
    assert.equal(await chat.getByRole("heading", { name: "Context" }).count(), 0);
  });

  it("get the focus back when a picker is closed, even beside an open file", async () => {
    await page.keyboard.press("Control+p");
    await quickInput(page).locator("input").first().fill("tides.ts");
    await quickInput(page).locator(".monaco-list-row", { hasText: "tides.ts" }).first().click();
    await page.locator(".tab.active", { hasText: "tides.ts" }).waitFor();
    await usageItem(page).click();
    const lookingAt = chat.locator(".receiver-choice").first();
    await lookingAt.focus();
    await page.keyboard.press("Enter");
    await quickInput(page).waitFor();
    await page.keyboard.press("Escape");
    await hasKeyboard(chat, lookingAt);
    await press(chat, "Back to the conversation");
    const switching = chat.getByRole("button", { name: /Switch model/ });
    await switching.focus();
    await page.keyboard.press("Enter");
    await quickInput(page).waitFor();
    await page.keyboard.press("Escape");
    await hasKeyboard(chat, switching);
  });

  it("exclude an attachment from requests, and include it again", async () => {
    const lastRequest = (): string => JSON.stringify(lastQuestion(session.models));
    await composer(chat).fill("");
    await composer(chat).pressSequentially("Explain @tides");
    await chat.getByRole("option", { name: /tides\.ts/ }).click();
    await chat.locator(".composer .chip").waitFor();
    await press(chat, "Send");
    await messages(chat, "user").last().locator(".chip").waitFor();
    await answer(chat);
    assert.ok(lastRequest().includes("zanzibarTide"));
    await usageItem(page).click();
    await part("recent").getByRole("button").first().click();
    await part("recent")
      .getByRole("button", { name: /^Stop sending .*tides\.ts/ })
      .click();
    await part("recent").getByText("not sent").waitFor();
    await picture(page, "context-left-out");
    await press(chat, "Back to the conversation");
    await chat.locator(".chip.left-out").waitFor();
    await picture(page, "context-left-out-chat");
    await send(chat, "And without it?");
    await answer(chat);
    assert.ok(!lastRequest().includes("zanzibarTide") && lastRequest().includes("taken the attachment"));
    await usageItem(page).click();
    await part("recent").getByRole("button").first().click();
    await part("recent")
      .getByRole("button", { name: /^Send .*tides\.ts again/ })
      .click();
    await part("recent").getByText("not sent").waitFor({ state: "detached" });
    await press(chat, "Back to the conversation");
    await chat.locator(".chip.left-out").waitFor({ state: "detached" });
  });

  it("show the effect of a switch to a small model in advance", async () => {
    await runCommand(page, "Forge: Switch Model");
    await quickInput(page).getByText("small-model").first().waitFor();
    await quickInput(page)
      .getByText(/Will be summarized|Cannot fit|Everything fits/)
      .first()
      .waitFor();
    await picture(page, "context-switch-preview");
    await closePicker(page);
  });
});

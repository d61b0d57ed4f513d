import assert from "node:assert/strict";
import type { Frame, Locator, Page } from "playwright-core";
import { writeFiles } from "../support/filesOnDisk.ts";
import {
  answer,
  composer,
  hasKeyboard,
  leaveContext,
  messages,
  newConversation,
  openChat,
  openView,
  send,
  usageItem,
} from "./support/chat.ts";
import { lastQuestion } from "./support/lastQuestion.ts";
import { openLightBulb } from "./support/lightBulb.ts";
import { useModelSession } from "./support/modelSession.ts";
import { picture } from "./support/pictures.ts";
import { takeFromMenu } from "./support/workbench.ts";

const chart =
  "iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==";
const rule = "Answer in one sentence, and name the harbour.";

describe("from the editor", () => {
  let page: Page;
  let chat: Frame;
  const session = useModelSession("from-editor", {
    "chat.disableAIFeatures": false, // otherwise the light bulb offers nothing
    "editor.lightbulb.enabled": "on",
  });
  before(async function () {
    this.timeout(90_000);
    writeFiles(session.server.workspace, {
      "AGENTS.md": `${rule}\n`,
      "tides.ts": "export const high = 2;\nexport const low = 5;\n",
      "tides.json": '{ "high": 2 "low": 5 }\n',
      "chart.png": Buffer.from(chart, "base64"),
    });
    ({ page, chat } = await session.openChat());
  });
  beforeEach(async () => {
    session.models.reset();
    if ((await messages(chat).count()) > 0) await newConversation(page, chat);
  });

  const lastRequest = (): string => JSON.stringify(lastQuestion(session.models));

  /** Opens a file of the workspace and focuses it. */
  async function openFile(name: string): Promise<Locator> {
    await page.keyboard.press("Control+p");
    await page.locator(".quick-input-widget input").first().fill(name);
    await page.locator(".quick-input-list .monaco-list-row", { hasText: name }).first().click();
    const editor = page.locator(".editor-instance .monaco-editor").first();
    await page.locator(".tab.active", { hasText: name }).waitFor();
    await editor.locator(".view-lines").click();
    return editor;
  }

  /** Chooses `title` from the menu of the light bulb. */
  async function takeFromLightBulb(title: string, goThere: () => Promise<void>): Promise<void> {
    const entry = await openLightBulb(page, title, goThere);
    await picture(page, `from-editor-${title.replaceAll(" ", "-")}`);
    await entry.click();
  }

  it("sends the current rules of the workspace with each question, and shows them in the context view", async () => {
    await session.talk(chat, "Where is high water?");
    assert.ok(lastRequest().includes(rule));
    await usageItem(page).click();
    const part = chat.locator('[data-part="system"]');
    await part.getByRole("button").first().click();
    const item = part.locator(".part-item", { hasText: "AGENTS.md" });
    await item.getByText("Rules of this workspace").waitFor();
    await picture(page, "from-editor-rules");
    await item.getByRole("button").first().click();
    await page.locator(".editor-instance").getByText("name the harbour").waitFor();
    await page.locator(".tab.active").getByText("AGENTS.md", { exact: true }).waitFor();
    await leaveContext(chat);
    writeFiles(session.server.workspace, { "AGENTS.md": "Answer in verse.\n" });
    await session.talk(chat, "And low water?");
    assert.ok(lastRequest().includes("Answer in verse.") && !lastRequest().includes(rule));
  });

  it("explains the selection by the light bulb", async () => {
    session.models.script({ match: "Explain this code", answer: { text: "Two tides." } });
    await openFile("tides.ts");
    await takeFromLightBulb("Explain with Forge", () => page.keyboard.press("Control+a"));
    assert.equal(await answer(chat), "Two tides.");
    const question = await messages(chat, "user").last().innerText();
    assert.match(question, /Explain this code, `tides\.ts`, lines 1–2:\n\n```typescript\nexport const high = 2;/);
    await picture(page, "from-editor-explained");
  });

  it("fixes a problem by the light bulb", async () => {
    session.models.script({ match: "Fix this problem", answer: { text: "A comma is missing." } });
    const editor = await openFile("tides.json");
    await editor.locator(".squiggly-error").first().waitFor();
    await takeFromLightBulb("Fix with Forge", async () => {
      await page.keyboard.press("F8"); // moves to the problem
      await page.keyboard.press("Escape"); // closes the problem's widget
    });
    assert.equal(await answer(chat), "A comma is missing.");
    assert.match(await messages(chat, "user").last().innerText(), /Fix this problem in `tides\.json`[^]*comma/i);
    await picture(page, "from-editor-fixed");
  });

  it("shows a badge for an answer that ended while the chat was hidden, until the chat is opened", async () => {
    const badge = page.locator(".activitybar .badge-content").filter({ visible: true });
    const text = "The tide is high at noon. ".repeat(8);
    session.models.script({ answer: { text }, fault: { kind: "pause", afterPieces: 5 } });
    await send(chat, "When is it high?");
    await messages(chat, "assistant", "streaming").waitFor();
    assert.equal(await badge.count(), 0);
    await page.locator('.activitybar [aria-label^="Explorer"]').first().click();
    await page.locator(".explorer-viewlet").filter({ visible: true }).waitFor();
    session.models.goOn();
    await badge.waitFor();
    assert.equal(await badge.innerText(), "1");
    await page.locator('.activitybar [aria-label*="An answer has ended"]').first().waitFor();
    await picture(page, "from-editor-badge");
    await page.locator('.activitybar [aria-label^="Forge"]').first().click();
    chat = await openView(page);
    assert.equal(await answer(chat), text.trim());
    await badge.waitFor({ state: "detached" });
    chat = await openChat(page);
  });

  it("attaches files from the explorer, and opens an attached image", async () => {
    await page.locator('.activitybar [aria-label^="Explorer"]').first().click();
    const file = (name: string): Locator => page.locator(".explorer-viewlet .monaco-list-row", { hasText: name });
    await file("tides.json").click();
    await file("chart.png").click({ modifiers: ["Control"] });
    await file("chart.png").click({ button: "right" });
    await takeFromMenu(page, "Add to Forge");
    chat = await openView(page);
    const chips = chat.locator(".composer .chip-label");
    await chips.nth(1).waitFor();
    assert.deepEqual((await chips.allInnerTexts()).toSorted(), ["PNG image 5 × 5", "tides.json"]);
    await hasKeyboard(chat, composer(chat));
    await chips.getByText("PNG image").click();
    await page.locator(".tab.active", { hasText: "image.png" }).waitFor();
    await page.getByRole("button", { name: "5x5" }).waitFor(); // the editor's image viewer has loaded it
    await picture(page, "from-editor-picture");
    await composer(chat).fill("What is in it?");
    await composer(chat).press("Enter");
    await answer(chat);
    assert.match(lastRequest(), /tides\.json[^]*data:image\/png;base64,/);
  });
});

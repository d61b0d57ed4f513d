import assert from "node:assert/strict";
import type { Frame, Locator, Page } from "playwright-core";
import {
  answer,
  composer,
  messages,
  newConversation,
  openChat,
  openExisting,
  press,
  send,
  usageItem,
} from "./support/chat.ts";
import { useModelSession } from "./support/modelSession.ts";
import { picture } from "./support/pictures.ts";
import { answerInput, closePicker, pick, quickInput, runCommand, toast } from "./support/workbench.ts";
import { longAnswer } from "../support/texts/longAnswer.ts";

const model = "house-model";
/** A budget of 10,000 tokens: the window less the answer, less a twentieth of the rest. */
const limits = { contextWindow: 14_527, maxOutput: 4_000 };
const rule = "The harbour keeps a table of tides in data/tides.csv, and the rule is: never edit it by hand.";
/** About 1,150 tokens. */
const tides = `${rule} ${longAnswer(4_800)}`;

describe("commands", () => {
  let page: Page;
  let chat: Frame;
  const settings = { "forge.models": { [model]: limits } };
  const session = useModelSession("commands", settings, { models: [{ id: model, ...limits }], isUnknown: true });
  before(async () => {
    ({ page, chat } = await session.openChat());
  });
  beforeEach(() => {
    session.models.reset();
  });

  const log = (): Locator => chat.getByRole("log");
  const marker = (id = 0): Locator => chat.locator(`.row.summary[data-summary-id="${id}"]`);
  const requests = (): number => session.models.requests.filter(({ method }) => method === "POST").length;

  /** Asks `turns` questions, each with a long answer. */
  async function talk(turns: number): Promise<void> {
    for (let turn = 1; turn <= turns; turn++) {
      await send(chat, `${rule} Question ${turn}?`);
      await answer(chat);
    }
  }

  /** Runs a command that opens a picker or an input box, and closes that again. */
  async function opens(title: string, text: string | RegExp): Promise<void> {
    await runCommand(page, title);
    await quickInput(page).getByText(text).first().waitFor();
    await closePicker(page);
  }

  const pickers: readonly (readonly [string, RegExp])[] = [
    ["Forge: Switch Model", /Use a server/],
    ["Forge: Recover", /Nothing to recover/],
    ["Forge: Set API Key", /Anthropic/],
    ["Forge: Remove API Key", /No key is stored/],
    ["Forge: Test API Keys", /No key is stored/],
    ["Forge: Open Conversation", /New conversation/],
  ];
  for (const [title, text] of pickers) it(`${title} opens its picker`, () => opens(title, text));

  for (const title of ["Forge: Test API Keys", "Forge: Remove API Key"]) {
    it(`${title} offers to add a key when none is stored`, async () => {
      await runCommand(page, title);
      await pick(page, "Add an API key");
      await quickInput(page).getByText("Forge: Add or Replace an API Key").waitFor();
      await closePicker(page);
    });
  }

  for (const [title, words] of [
    ["Forge: Stop", "Nothing is running."],
    ["Forge: Cancel Summarizing", "Nothing is being summarized."],
    ["Forge: Export Conversation", "Nothing was said in this conversation yet."],
  ] as const) {
    it(`${title} says when there is nothing to do`, async () => {
      await runCommand(page, title);
      await chat.locator(".banner", { hasText: words }).waitFor();
    });
  }

  it("Forge: Show Context shows the next request, and Escape returns to the conversation", async () => {
    await runCommand(page, "Forge: Show Context");
    const heading = chat.getByRole("heading", { name: "Context", exact: true });
    await heading.waitFor();
    await chat.locator(".context-parts").getByText("Instructions").waitFor();
    await heading.press("Escape");
    await heading.waitFor({ state: "detached" });
  });

  it("Forge: Use the Editor's Language Models says that there are none", async () => {
    await runCommand(page, "Forge: Use the Editor's Language Models");
    await toast(page, "The editor offers no language model here.").waitFor();
  });

  it("Forge: Show Log shows the log", async () => {
    await runCommand(page, "Forge: Show Log");
    await page
      .locator(".part.panel .output-view-container, .part.panel [id='workbench.panel.output']")
      .first()
      .waitFor();
    await runCommand(page, "View: Hide Panel");
  });

  it("Forge: Summarize Context says when there is too little to summarize", async () => {
    await send(chat, "Hello");
    await answer(chat);
    await runCommand(page, "Forge: Summarize Context");
    await chat.locator(".banner", { hasText: "There is nothing to summarize yet" }).waitFor();
    await picture(page, "commands-nothing-to-summarize");
    assert.equal(await chat.locator(".row.summary").count(), 0);
  });

  it("Forge: New Conversation begins an empty conversation, with the focus in its composer", async () => {
    await newConversation(page, chat);
    await page.keyboard.type("typed at once");
    assert.equal(await composer(chat).inputValue(), "typed at once");
    await composer(chat).fill("");
  });

  it("Forge: Summarize Context writes an extract offline, and labels it so", async () => {
    for (let turn = 1; turn <= 4; turn++) {
      await send(chat, `${tides} Question ${turn}?`);
      await answer(chat);
    }
    await runCommand(page, "Forge: Summarize Context");
    await marker().getByRole("button").first().click();
    await marker().getByText("Extract, no model used").waitFor();
    await picture(page, "commands-extract");
    await marker().getByRole("tab", { name: "Added facts" }).click();
    await marker().getByText("data/tides.csv").first().waitFor();
    await picture(page, "commands-extract-facts");
    assert.equal(requests(), 0);
  });

  it("Forge: Use an OpenAI-Compatible Server answers by the server from then on", async () => {
    await runCommand(page, "Forge: Use an OpenAI-Compatible Server");
    await answerInput(page, `${session.models.url}/v1`);
    await chat.getByRole("button", { name: `Model: ${model}. Switch model` }).waitFor();
    await newConversation(page, chat);
    session.models.script({ answer: { text: "From the server." } });
    await send(chat, "Who answers?");
    assert.equal(await answer(chat), "From the server.");
  });

  it("Forge: Stop ends an answer", async () => {
    await newConversation(page, chat);
    session.models.script({ answer: { text: tides }, fault: { kind: "stall", afterPieces: 20 } });
    await send(chat, "Tell me a lot");
    await messages(chat, "assistant", "streaming").waitFor();
    await runCommand(page, "Forge: Stop");
    await answer(chat, "cancelled");
  });

  it("Forge: Summarize Context replaces the messages by a marker that opens to the summary", async () => {
    await newConversation(page, chat);
    session.models.script(
      {
        match: "<transcript>",
        answer: {
          text: "## Goal\nKeep the table of tides in `data/tides.csv` as the harbour has it.\n\n- never edit it by hand",
        },
      },
      { answer: { text: tides } },
    );
    await talk(4);
    const before = await usageItem(page).innerText();
    await runCommand(page, "Forge: Summarize Context");
    const note = chat.locator(".banner", { hasText: "The originals stay." });
    await note.getByRole("button", { name: "Show summary" }).click();
    await note.waitFor({ state: "detached" });
    const line = marker().getByRole("button").first();
    await line.waitFor();
    assert.match((await line.innerText()).replace(/\s+/g, " "), /^\d messages summarized(?: ·)? [\d.]+k → \d+ tokens$/);
    await line.click();
    await marker().locator(".heading", { hasText: "Goal" }).waitFor();
    await marker().locator("code", { hasText: "data/tides.csv" }).first().waitFor();
    await marker().getByText(model, { exact: false }).waitFor();
    await usageItem(page).getByText("[1S]").waitFor();
    assert.notEqual(await usageItem(page).innerText(), before);
    await picture(page, "commands-summary");
  });

  it("undo and redo a summary, also after a reload", async () => {
    const states = async (state: string): Promise<void> => {
      await chat.locator(`[data-summary-id="0"][data-state="${state}"]`).waitFor();
      await usageItem(page)
        .getByText(state === "active" ? /\[1S\]/ : /%\)$/)
        .waitFor();
    };
    const isOpen = async (): Promise<boolean> => (await marker().getByRole("button").count()) > 1;
    const reload = async (): Promise<void> => {
      await page.reload();
      chat = await openChat(page);
      await marker().waitFor();
      if (!(await isOpen())) await marker().getByRole("button").first().click();
    };
    await press(chat, "Undo");
    await states("undone");
    await picture(page, "commands-summary-undone");
    await press(chat, "Redo");
    await states("active");
    await reload();
    await states("active");
    await press(chat, "Undo");
    await states("undone");
    await reload();
    await states("undone");
    await press(chat, "Redo");
    await states("active");
  });

  it("cancel an automatic summary, which shows its progress, when a request does not fit", async () => {
    await newConversation(page, chat);
    const goal = `## Goal\n${rule} `.repeat(3);
    session.models.script(
      { match: "<transcript>", times: 1, answer: { text: goal }, fault: { kind: "stall", afterPieces: 10 } },
      { match: "<transcript>", answer: { text: goal } },
      { answer: { text: tides } },
    );
    await talk(7);
    assert.equal(await chat.locator(".row.summary").count(), 0);
    await send(chat, `${tides} ${tides} Question 8?`);
    await log()
      .getByText(/^Summarizing \d+%$/)
      .waitFor();
    await usageItem(page).getByText("Summarizing").waitFor();
    await picture(page, "commands-summarizing");
    await press(chat, "Cancel");
    await log().getByText("Stopped before the answer began. Your message is kept.").waitFor();
    assert.equal(await chat.locator(".row.summary").count(), 0);
    assert.match(await messages(chat).last().innerText(), /Question 8\?$/);

    await press(chat, "Retry");
    await marker().waitFor();
    assert.equal(await answer(chat), tides);
  });

  it("continue a conversation from the list", async () => {
    await newConversation(page, chat);
    await openExisting(page, "Who answers?");
    await messages(chat, "assistant").waitFor();
    assert.equal(await answer(chat), "From the server.");
  });
});

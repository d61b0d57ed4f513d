/** The chat in the four kinds of theme: screenshots for people, and a contrast check. */

import assert from "node:assert/strict";
import type { Frame, Page } from "playwright-core";
import { answer, messages, newConversation, openConversationMenu, openThoughts, press, send } from "./support/chat.ts";
import { lowContrast } from "./support/contrast.ts";
import { useModelSession } from "./support/modelSession.ts";
import { picture } from "./support/pictures.ts";
import { problems } from "./support/problem.ts";
import { answerInput, chooseTheme, closePicker, pick, quickInput, runCommand } from "./support/workbench.ts";

const model = "house-model";
const limits = { contextWindow: 32_000, maxOutput: 8_000 };
const themes = [
  { name: "dark", theme: "Dark Modern", kind: "vscode-dark" },
  { name: "light", theme: "Light Modern", kind: "vscode-light" },
  { name: "hc-dark", theme: "Dark High Contrast", kind: "vscode-high-contrast" },
  { name: "hc-light", theme: "Light High Contrast", kind: "vscode-high-contrast-light" },
] as const;

const talk = [
  "Write me a function that keeps a number within limits.",
  "What about limits that are the wrong way round?",
  "And numbers that are none?",
  "Show me how you would test that.",
] as const;
const notes = [
  "## Goal",
  "A function that keeps a number within limits, and a way to test that.",
  "## Decisions",
  "- Limits that are the wrong way round are **refused**, with a `RangeError`.",
  "- Numbers that are none come back as they are.",
].join("\n");

describe("themes", () => {
  let page: Page;
  let chat: Frame;
  const served = [
    { id: model, ...limits },
    { id: "small-model", contextWindow: 4_000, maxOutput: 1_000 },
  ];
  const settings = { "forge.models": { [model]: limits } };
  const session = useModelSession("themes", settings, { models: served, isUnknown: true });
  before(async () => {
    ({ page, chat } = await session.openChat());
    await page.setViewportSize({ width: 1100, height: 800 });
  });

  /** Takes a screenshot in each theme. Fails on text with low contrast. */
  async function inEachTheme(scene: string, prepare?: () => Promise<void>): Promise<void> {
    for (const { name, theme, kind } of themes) {
      await chooseTheme(page, theme);
      await chat.locator(`body.${kind}`).waitFor();
      await prepare?.();
      await picture(page, `theme-${name}-${scene}`);
      if (prepare !== undefined) await closePicker(page);
      assert.deepEqual(await lowContrast(chat), [], `${scene} in ${theme}`);
    }
  }

  it("are readable in an empty chat without a model", () => inEachTheme("empty"));

  it("are readable in a conversation with code, thinking and a summary", async () => {
    const { models } = session;
    await runCommand(page, "Forge: Use an OpenAI-Compatible Server");
    await answerInput(page, `${models.url}/v1`);
    await chat.getByRole("button", { name: `Model: ${model}. Switch model` }).waitFor();
    for (const question of talk) {
      const text = `${reasons}\n\n${codeAnswer}`;
      models.script({ match: question, answer: { thinking: `The user asks: ${question}`, text } });
      await send(chat, question);
      await answer(chat);
    }
    models.script({ match: "<transcript>", answer: { text: notes } }); // takes precedence over the questions' scripts
    await runCommand(page, "Forge: Summarize Context");
    const marker = chat.locator(".row.summary");
    await marker.getByRole("button").first().click();
    await marker.getByText("Decisions").waitFor();
    await inEachTheme("summary");
    await marker.getByRole("button").first().click();
    await press(chat, "Newest");
    await openThoughts(chat);
    await inEachTheme("conversation");
  });

  it("are readable in pickers", async () => {
    await inEachTheme("models", async () => {
      await runCommand(page, "Forge: Switch Model");
      await quickInput(page).getByText("small-model").first().waitFor();
    });
    await inEachTheme("menu", async () => {
      await openConversationMenu(page, chat);
      await quickInput(page).getByText("Summarize context").waitFor();
    });
  });

  it("are readable around an interrupted and a failed answer", async () => {
    await newConversation(page, chat);
    const { models } = session;
    models.script({ match: "cut", answer: { text: codeAnswer }, fault: { kind: "kill", afterPieces: 8 } });
    await send(chat, "An answer that is cut");
    await problems(chat);
    await inEachTheme("interrupted");
    await press(chat, "Keep");
    models.script({
      match: "refused",
      fault: { kind: "status", status: 401, type: "invalid_api_key", message: "Incorrect API key provided." },
    });
    await send(chat, "An answer that is refused");
    await problems(chat);
    await runCommand(page, "Forge: Switch Model");
    await pick(page, "small-model");
    await chat.getByRole("log").getByText("Model: small-model.").waitFor();
    await inEachTheme("failed");
    assert.equal(await messages(chat, "user").count(), 2);
  });
});

const reasons = Array.from(
  { length: 12 },
  (_, index) => `Reason ${index + 1}: a value outside its limits is found late, far from where it was made.`,
).join(" ");
const codeAnswer = [
  "Keep it in one line; `Math.min` and `Math.max` do the work:",
  "",
  "```ts",
  "/** Keeps a number within limits. */",
  "export function clamp(value: number, low = 0, high = 100): number {",
  '  if (low > high) throw new RangeError("limits");',
  "  return Math.min(Math.max(value, low), high);",
  "}",
  "```",
  "",
  "> Limits that are the wrong way round are a mistake of the caller.",
].join("\n");

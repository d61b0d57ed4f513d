/** The figure in the status bar: its text, its backgrounds at the edges, and the menu behind it. */

import assert from "node:assert/strict";
import type { Frame, Page } from "playwright-core";
import type { ModelServer } from "../servers/modelServer.ts";
import { startOpenAiServer } from "../servers/openaiServer.ts";
import { answer, messages, newConversation, openChat, send, usageItem } from "./support/chat.ts";
import { useSession } from "./support/session.ts";
import { quickInput, screenshot } from "./support/workbench.ts";

/** A window that leaves a budget of 10,000 tokens: 20,526 less the answer's 10,000, less a twentieth. */
const limits = { contextWindow: 20_526, maxOutput: 10_000 };
const model = "house-model";

describe("usage", () => {
  let models: ModelServer;
  let page: Page;
  let chat: Frame;

  before(async () => {
    models = await startOpenAiServer({ dialect: "vllm", models: [{ id: model, ...limits }] });
  });
  after(() => models.close());
  const session = useSession({
    name: "usage",
    settings: () => ({
      "forge.openaiCompatible.baseUrl": `${models.url}/v1`,
      "forge.models": { [model]: limits },
      "forge.context.infinity": false,
    }),
  });
  before(async function () {
    this.timeout(90_000);
    page = await session.openWindow();
    chat = await openChat(page);
  });

  const cases = [
    { percent: 69, text: "6.9k / 10k (69%)", background: undefined },
    { percent: 70, text: "7k / 10k (70%)", background: "warning-kind" },
    { percent: 90, text: "9k / 10k (90%)", background: "warning-kind" },
    { percent: 91, text: "9.1k / 10k (91%)", background: "error-kind" },
  ] as const;
  for (const { percent, text, background } of cases) {
    it(`says ${text}, with ${background ?? "no"} background`, async () => {
      if ((await messages(chat).count()) > 0) await newConversation(page, chat);
      const usage = { inputTokens: percent * 100 - 10, outputTokens: 10 };
      models.script({ answer: { text: "Yes.", usage }, times: 1 });
      await send(chat, "Does it fit?");
      await answer(chat);
      const item = usageItem(page);
      await item.getByText(text, { exact: true }).waitFor();
      const classes = (await item.getAttribute("class")) ?? "";
      assert.equal(/\b(?:warning|error)-kind\b/.exec(classes)?.[0], background);
      await screenshot(page, `usage-${percent}`);
    });
  }

  it("opens a menu of what fills the context and what can be done", async () => {
    await usageItem(page).click();
    const menu = quickInput(page);
    for (const text of ["Summarize", "Switch model", "Recover"]) await menu.getByText(text).first().waitFor();
    await screenshot(page, "usage-menu");
    await page.keyboard.press("Escape");
  });
});

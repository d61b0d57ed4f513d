/** The transcript beside the exact request, with every strategy and after a switch of the model; markers with their why. */

import assert from "node:assert/strict";
import type { Frame, Page } from "playwright-core";
import { answer, leaveContext, messages, openConversationMenu, press, send, usageItem } from "./support/chat.ts";
import { lastQuestion } from "./support/lastQuestion.ts";
import { useModelSession } from "./support/modelSession.ts";
import { picturesOfSideBar } from "./support/pictures.ts";
import { entries, filterPicker, pick, quickInput, runCommand } from "./support/workbench.ts";

const [house, large] = ["house-model", "large-model"];
const limits = { contextWindow: 16_000, maxOutput: 4_000 };
const largeLimits = { contextWindow: 64_000, maxOutput: 8_000 };
const notes = "## Goal\nThe harbour office signs each tide table. The limit is 417 metres.";

/** Label, and how the oldest and the newest messages are sent with it once there is a summary. */
const STRATEGIES = [
  ["Pipeline", "summary"],
  ["Tool calls", "summary"],
  ["Threshold", "summary"],
  ["Goals", "summary"],
  ["Sandwich", "summary"],
  ["Archive", "summary"],
  ["Tree", "summary"],
  ["Sliding window", "notSent"],
] as const;

describe("the transcript beside the exact request", () => {
  let page: Page;
  let chat: Frame;
  let asked = 0;
  const session = useModelSession(
    "sent",
    {
      "forge.models": { [house]: limits, [large]: largeLimits },
      "forge.tools.enabled": false,
      "forge.context.infinity": true,
    },
    {
      models: [
        { id: house, ...limits },
        { id: large, ...largeLimits },
      ],
    },
  );

  const marker = () => chat.locator(".row.summary");

  async function ask(): Promise<void> {
    asked++;
    const question = `Question ${String(asked)} of the harbour office?`;
    session.models.script({ match: question, answer: { text: `About: ${question} It signs the tide table.` } });
    await send(chat, `${question} ${"The tide table is signed. ".repeat(6)}`);
    await answer(chat);
  }

  async function choose(strategy: string): Promise<void> {
    await openConversationMenu(page, chat);
    await pick(page, "Strategy");
    await filterPicker(page, "Nothing is ever removed from the history", strategy);
    await entries(page, strategy).first().click();
    await quickInput(page).waitFor({ state: "hidden" });
    await leaveContext(chat);
  }

  /** Compares the rows, while the answer to one more question is held, with the request that was sent for it. */
  async function compare(): Promise<readonly string[]> {
    asked++;
    const question = `Question ${String(asked)} of`;
    const fault = { kind: "pause", afterPieces: 1 } as const;
    session.models.reset(); // after an order to go on, pauses are passed
    session.models.script({ match: question, answer: { text: "It is held. And now it goes on." }, fault });
    await send(chat, `${question} the harbour office?`);
    await messages(chat, "assistant", "streaming").getByText("It is held").first().waitFor();
    const texts = textsOf(lastQuestion(session.models));
    const rows = await messages(chat).evaluateAll((found) =>
      found.map((row) => ({ sent: row.dataset["sent"] ?? "", role: row.dataset["role"], text: row.textContent })),
    );
    const told: string[] = [];
    for (const { sent, role, text } of rows) {
      const name = /Question \d+ of/.exec(text)?.[0];
      if (name === undefined) continue;
      const begin = role === "user" ? name : `About: ${name}`;
      const inRequest = texts.some((each) => each.split("\n").some((line) => line.startsWith(begin)));
      assert.equal(inRequest, sent === "original", `${begin}: ${sent}`);
      told.push(sent);
    }
    assert.ok(told.length > 24, String(told.length));
    const isSent = texts.some((each) => each.split("\n").includes("[Earlier conversation summary]"));
    assert.equal((await marker().getAttribute("data-use")) === "sent", isSent);
    session.models.goOn();
    await answer(chat);
    return told;
  }

  before(async function () {
    this.timeout(180_000);
    ({ page, chat } = await session.openChat());
    await page.setViewportSize({ width: 1_100, height: 1_000 });
    for (let turn = 0; turn < 12; turn++) await ask();
    session.models.script({ match: "<transcript>", answer: { text: notes } });
    await runCommand(page, "Forge: Summarize Context");
    await marker().waitFor();
  });

  const isTheSame = (strategy: string, oldest: "summary" | "notSent" | "original"): void => {
    it(`is the same with ${strategy}`, async function () {
      this.timeout(180_000);
      await choose(strategy);
      const told = await compare();
      assert.equal(told[0], oldest);
      assert.equal(told.at(-1), "original");
      await usageItem(page).click();
      await press(chat, "Show exact request");
      await page.locator(".tab.active", { hasText: "Next request to" }).waitFor();
      await leaveContext(chat);
      await picturesOfSideBar(
        page,
        `sent-${strategy.toLowerCase().replace(" ", "-")}`,
        oldest === "notSent" ? chat.locator(".unsent-above") : marker(),
      );
    });
  };
  for (const [strategy, oldest] of STRATEGIES) isTheSame(strategy, oldest);

  it("lists in the context view what the strategy does not send", async function () {
    this.timeout(120_000);
    await choose("Sliding window");
    await usageItem(page).click();
    const part = chat.locator('[data-part="omitted"]');
    await part.getByRole("button").first().click();
    await part.locator(".item-name", { hasText: "You: Question 1 of" }).waitFor();
    await picturesOfSideBar(page, "sent-context-omitted", part);
    await leaveContext(chat);
    await choose("Pipeline");
  });

  it("has the originals again with a larger model, and says that their summary is not needed now", async function () {
    this.timeout(120_000);
    assert.equal((await compare())[0], "summary");
    await runCommand(page, "Forge: Switch Model");
    await pick(page, large);
    await marker().getByText("not needed now").waitFor();
    assert.equal((await compare())[0], "original");
    await picturesOfSideBar(page, "sent-larger", marker());
  });

  it("says of a summary why it was made, in the chat and in the context view", async function () {
    this.timeout(120_000);
    await marker().getByRole("button").first().click();
    await marker().getByText("harbour office signs").first().waitFor();
    const text = await marker().innerText();
    assert.match(text, /Summary 1 · .*, you asked/);
    assert.match(text, /Request: [\d.]+k? → [\d.]+k? tokens/);
    assert.match(text, /house-model · .* · /);
    await picturesOfSideBar(page, "sent-why", marker());
    await runCommand(page, "Forge: Switch Model");
    await pick(page, house);
    await marker().getByText("not needed now").first().waitFor({ state: "detached" });
    await usageItem(page).click();
    const part = chat.locator('[data-part="summaries"]');
    await part.getByRole("button").first().click();
    await part.getByText(/^Stands for .* you asked · Request: .* tokens · house-model · /).waitFor();
    await picturesOfSideBar(page, "sent-context-why", part);
  });

  // The last one: what it brings back is sent as long as it fits, also with another strategy.
  isTheSame("Full history", "original");
});

/** Texts of a request's messages. */
function textsOf(body: unknown): readonly string[] {
  const sent: unknown = typeof body === "object" && body !== null ? Reflect.get(body, "messages") : undefined;
  assert.ok(Array.isArray(sent), "the request has messages");
  return sent.map((message: unknown) => {
    const content: unknown = typeof message === "object" && message !== null ? Reflect.get(message, "content") : "";
    if (!Array.isArray(content)) return String(content);
    return content
      .map((part: unknown) => String(typeof part === "object" && part !== null ? Reflect.get(part, "text") : ""))
      .join("");
  });
}

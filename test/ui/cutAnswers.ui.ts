import assert from "node:assert/strict";
import type { Frame, Page } from "playwright-core";
import { listIn, member, stringField } from "../../src/core/json.ts";
import { answer, messages, openChat, press, seen, send } from "./support/chat.ts";
import { useModelSession } from "./support/modelSession.ts";
import { picture } from "./support/pictures.ts";

const beginning = "The ship of this program:\n\n```ts\nconst ship = the";
const said = "Answer cut at its limit of 300 tokens. Everything you saw is kept.";

describe("cut answers", () => {
  let page: Page;
  let chat: Frame;
  const session = useModelSession(
    "cut",
    { "forge.provider": "openaiCompatible" },
    { models: [{ id: "small-local", contextWindow: 32_000, maxOutput: 16_000 }] },
  );
  before(async () => {
    ({ page, chat } = await session.openChat());
  });

  /** Each answer: why it stopped, its code, what is said about its end, and the buttons there. */
  const answers = (): Promise<unknown> =>
    messages(chat, "assistant").evaluateAll((rows) =>
      rows.map((row) => [
        row.getAttribute("data-stop-reason"),
        row.querySelector("pre")?.textContent,
        row.querySelector(".ending p")?.textContent,
        [...row.querySelectorAll(".ending button")].map((button) => button.textContent),
      ]),
    );
  const cut = [["maxTokens", "const ship = the", said, ["Continue"]]];

  it("L1 say why, and go on in the same block of code, also after a reload", async () => {
    const usage = { inputTokens: 100, outputTokens: 300 };
    session.models.script({ answer: { text: beginning, stop: "maxTokens", usage }, times: 1 });
    await send(chat, "Write the ship.");
    await answer(chat);
    assert.deepEqual(await answers(), cut);
    await picture(page, "cut-at-limit");

    await page.reload();
    chat = await openChat(page);
    await answer(chat);
    assert.deepEqual(await answers(), cut);

    // As llama.cpp does, which repeats what it was given.
    session.models.script({ answer: { text: `${beginning}Queen();\n\`\`\`\nThat is all.` }, times: 1 });
    await press(chat, "Continue");
    await seen(chat, "That is all.").waitFor();
    await answer(chat);
    const whole = [["endTurn", "const ship = theQueen();", undefined, []]];
    assert.deepEqual(await answers(), whole);
    await picture(page, "cut-continued");
    const body: unknown = session.models.requests.findLast(({ method }) => method === "POST")?.body;
    const last = listIn(body, "messages").at(-1);
    assert.deepEqual(
      [stringField(last, "role"), stringField(last, "content"), member(body, "continue_final_message")],
      ["assistant", beginning, true],
    );

    await page.reload();
    chat = await openChat(page);
    await seen(chat, "That is all.").waitFor();
    assert.deepEqual(await answers(), whole);
  });
});

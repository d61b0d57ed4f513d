/** A model that can not call tools: it gets none, the user is told, and can have them offered again. */

import assert from "node:assert/strict";
import type { ModelServer } from "../servers/protocol.ts";
import { startOpenAiServer } from "../servers/openaiServer.ts";
import { answer, leaveContext, modelButton, openChat, openConversationMenu, send } from "./support/chat.ts";
import { noProblem } from "./support/problem.ts";
import { useSession } from "./support/session.ts";
import { entries, quickInput, runCommand, screenshot } from "./support/workbench.ts";

const model = "house-model";

describe("a model without tools", () => {
  let models: ModelServer;
  before(async () => {
    const served = { id: model, contextWindow: 32_000, maxOutput: 8_000, refuses: ["tools"] };
    models = await startOpenAiServer({ dialect: "vllm", models: [served] });
  });
  after(() => models.close());
  const session = useSession({
    name: "modelTools",
    settings: () => ({ "forge.openaiCompatible.baseUrl": `${models.url}/v1` }),
  });
  const offers = (): readonly boolean[] =>
    models.requests
      .filter(({ method }) => method === "POST")
      .map(({ body }) => JSON.stringify(body).includes('"tools":['));

  it("is asked without them, says so in every menu, and is offered them again on the user's word", async function () {
    this.timeout(120_000);
    const page = await session.openWindow();
    const chat = await openChat(page);
    models.script({ answer: { text: "Hello." } });
    await send(chat, "Hello?");
    assert.equal(await answer(chat), "Hello.");
    await noProblem(chat);
    assert.deepEqual(offers(), [true, false]);
    await send(chat, "Hello again?");
    await chat.getByRole("log").getByText("Hello.", { exact: true }).nth(1).waitFor();
    assert.deepEqual(offers(), [true, false, false]);

    await openConversationMenu(page, chat);
    await entries(page, `None: ${model} can not call tools`).waitFor();
    await screenshot(page, "model-tools-context");
    await page.keyboard.press("Escape");
    await leaveContext(chat);
    await modelButton(chat).click();
    await entries(page, "no tools").waitFor();
    await screenshot(page, "model-tools-picker");
    await page.keyboard.press("Escape");

    await runCommand(page, "Forge: Choose Tools");
    await quickInput(page).getByPlaceholder(`${model} can not call tools`).waitFor();
    await screenshot(page, "model-tools-choose");
    await quickInput(page).getByRole("button", { name: "OK" }).click();
    await quickInput(page).waitFor({ state: "hidden" });
    await send(chat, "And now?");
    await chat.getByRole("log").getByText("Hello.", { exact: true }).nth(2).waitFor();
    assert.deepEqual(offers(), [true, false, false, true, false]);
  });
});

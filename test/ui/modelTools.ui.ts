import assert from "node:assert/strict";
import { answer, leaveContext, modelButton, openConversationMenu, send } from "./support/chat.ts";
import { useModelSession } from "./support/modelSession.ts";
import { picture } from "./support/pictures.ts";
import { noProblem } from "./support/problem.ts";
import { closePicker, entries, quickInput, runCommand } from "./support/workbench.ts";

const model = "house-model";

describe("a model without tools", () => {
  const served = { id: model, contextWindow: 32_000, maxOutput: 8_000, refuses: ["tools"] };
  const session = useModelSession("modelTools", {}, { models: [served] });
  const offers = (): readonly boolean[] =>
    session.models.requests
      .filter(({ method }) => method === "POST")
      .map(({ body }) => JSON.stringify(body).includes('"tools":['));

  it("gets requests without tools, is marked in every menu, and gets them again when the user chooses so", async function () {
    this.timeout(120_000);
    const { page, chat } = await session.openChat();
    session.models.script({ answer: { text: "Hello." } });
    await send(chat, "Hello?");
    assert.equal(await answer(chat), "Hello.");
    await noProblem(chat);
    assert.deepEqual(offers(), [true, false]);
    await send(chat, "Hello again?");
    await chat.getByRole("log").getByText("Hello.", { exact: true }).nth(1).waitFor();
    assert.deepEqual(offers(), [true, false, false]);

    await openConversationMenu(page, chat);
    await entries(page, `None: ${model} cannot call tools`).waitFor();
    await picture(page, "model-tools-context");
    await closePicker(page);
    await leaveContext(chat);
    await modelButton(chat).click();
    await entries(page, "no tools").waitFor();
    await picture(page, "model-tools-picker");
    await closePicker(page);

    await runCommand(page, "Forge: Choose Tools");
    await quickInput(page).getByPlaceholder(`${model} cannot call tools`).waitFor();
    await picture(page, "model-tools-choose");
    await quickInput(page).getByRole("button", { name: "OK" }).click();
    await quickInput(page).waitFor({ state: "hidden" });
    await send(chat, "And now?");
    await chat.getByRole("log").getByText("Hello.", { exact: true }).nth(2).waitFor();
    assert.deepEqual(offers(), [true, false, false, true, false]);
  });
});

/** Values in the settings that cannot be used are told in the chat, until they are corrected. */

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { narrowSideBar, openChat, press } from "./support/chat.ts";
import { useModelSession } from "./support/modelSession.ts";
import { picture } from "./support/pictures.ts";
import { expectProblem, noProblem } from "./support/problem.ts";

const model = "house-model";
const limits = { contextWindow: 40_000, maxOutput: 10_000 };
/** Nothing, less than nothing, no whole number, and no number. */
const wrong = {
  "forge.context.slidingWindow.last": 0,
  "forge.context.sandwich.top": -1,
  "forge.context.tree.levels": 2.5,
  "forge.models": { [model]: { ...limits, contextWindow: "40k" } },
};
const right = {
  "forge.context.sandwich.top": 1,
  "forge.context.tree.levels": 2,
  "forge.models": { [model]: limits },
};

describe("settings that cannot be used", () => {
  const session = useModelSession("settings", wrong, { models: [{ id: model, ...limits }] });

  it("are named, with what counts instead, and no longer when they are corrected", async () => {
    const { page, chat } = await session.openChat();
    const outOfBounds = (name: string, found: string, bounds: string, standard: number): string =>
      `The setting forge.context.${name} is not used: ${found} is not a whole number from ${bounds}. ${String(standard)} counts instead.`;
    const buttons = ["Open settings", "Close this message"];
    await expectProblem(chat, {
      text: [
        `A limit in the setting forge.models is not used: contextWindow of “${model}” is "40k", not a whole number above 0. What Forge knows of the model counts instead.`,
        outOfBounds("sandwich.top", "-1", "0 to 100", 5),
        outOfBounds("tree.levels", "2.5", "1 to 10", 3),
        "So is 1 more setting.",
      ].join(" "),
      buttons,
    });
    await narrowSideBar(page);
    await picture(page, "settings-wrong");
    const file = path.join(session.server.runDirectory, "data/User/settings.json");
    const written = JSON.parse(readFileSync(file, "utf8")) as object;
    writeFileSync(file, JSON.stringify({ ...written, ...right, "forge.context.slidingWindow.last": 0 }));
    await page.reload();
    const again = await openChat(page);
    await expectProblem(again, { text: outOfBounds("slidingWindow.last", "0", "1 to 10000", 20), buttons });
    await press(again, "Open settings");
    await page.locator(".settings-editor .suggest-input-container").click();
    await page.keyboard.press("Control+A");
    await page.keyboard.type("forge.context.slidingWindow.last");
    const field = page.locator('.settings-editor [data-key="forge.context.slidingWindow.last"] input').first();
    await field.waitFor();
    await picture(page, "settings-wrong-zero");
    await field.fill("10");
    await noProblem(again);
  });
});

import assert from "node:assert/strict";
import { SLASH_COMMANDS } from "../../../src/protocol/slashCommand.ts";
import { commandChoices } from "../../../src/webview/composer/composerMenuItems.ts";

describe("slash command menu", () => {
  for (const [typed, offered] of [
    ["", SLASH_COMMANDS],
    ["mod", ["model"]],
    ["IN", ["find", "pin"]],
    ["port", ["export"]],
    ["e", ["export", "context", "summarize", "model", "new", "recover", "help"]],
    ["exports", []],
  ] as const) {
    it(`offers for /${typed}: ${offered.join(", ") || "none"}`, () => {
      assert.deepEqual(
        commandChoices(typed).map(({ id }) => id),
        offered,
      );
    });
  }
});

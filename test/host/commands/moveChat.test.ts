import assert from "node:assert/strict";
import { before, describe, it } from "mocha";
import type { moveChat as Move } from "../../../src/host/commands/moveChat.ts";
import { withEditorModule } from "../../support/editor/editorModule.ts";

let known: readonly string[] = [];
const executed: (readonly unknown[])[] = [];
const editor = {
  commands: {
    getCommands: () => Promise.resolve(known),
    executeCommand: (...call: readonly unknown[]) => Promise.resolve(executed.push(call)),
  },
};

describe("moveChat", () => {
  let moveChat: typeof Move;
  before(async () => {
    ({ moveChat } = await withEditorModule("moveChat", editor, () => import("../../../src/host/commands/moveChat.ts")));
  });

  const primary = "workbench.view.extension.forge";
  const secondary = "workbench.view.extension.forgeSecondary";
  const views = ["forge.chat", "forge.waiting"];
  for (const { to, editorHas, expected } of [
    {
      to: "secondary",
      editorHas: [primary, secondary],
      expected: ["vscode.moveViews", { viewIds: views, destinationId: secondary }],
    },
    {
      to: "primary",
      editorHas: [primary, secondary],
      expected: ["vscode.moveViews", { viewIds: views, destinationId: primary }],
    },
    // An editor that keeps its secondary side bar to itself.
    { to: "secondary", editorHas: [primary], expected: ["workbench.action.moveFocusedView", "forge.chat"] },
    {
      to: "primary",
      editorHas: [primary],
      expected: ["vscode.moveViews", { viewIds: views, destinationId: primary }],
    },
  ] as const) {
    it(`moves to the ${to} side bar in an editor that has ${editorHas.length} of the two`, async () => {
      known = editorHas;
      executed.length = 0;
      await moveChat(to);
      assert.deepEqual(executed, [expected]);
    });
  }
});

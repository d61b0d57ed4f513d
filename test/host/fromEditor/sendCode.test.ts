import type { Session } from "../../../src/host/session/session.ts";
import assert from "node:assert/strict";
import type { sendCode } from "../../../src/host/fromEditor/sendCode.ts";
import { withEditorModule } from "../../support/editor/editorModule.ts";
import { openSession } from "../../support/session/openSession.ts";
import { scriptedProvider } from "../../support/models/scriptedProvider.ts";

class Range {
  readonly start = { line: 0, character: 0 };
  readonly end = { line: 0, character: 14 };
  readonly isEmpty = false;
  readonly isSingleLine = true;
}
const editor = {
  Range,
  window: {
    activeTextEditor: {
      document: { uri: {}, languageId: "typescript", getText: () => "let tides = 2;" },
      selection: new Range(),
    },
  },
  workspace: { asRelativePath: () => "a.ts" },
};

describe("a selection added to the chat", () => {
  let send: typeof sendCode;
  before(async () => {
    const load = (): Promise<{ readonly sendCode: typeof sendCode }> =>
      import("../../../src/host/fromEditor/sendCode.ts");
    ({ sendCode: send } = await withEditorModule("sendCode", editor, load));
  });

  it("is placed after the typed text and counted with it", async () => {
    const { session } = await openSession(scriptedProvider());
    await session.composer.setText("Why?");
    const happened: string[] = [];
    const presenter = {
      showBanner: () => assert.fail("nothing fails here"),
      showDraftTokens: (_tokens: number, { composer }: Session) => void happened.push(composer.text),
    };
    const views = {
      focusAndPost: () => assert.fail("the composer tells the pages"),
      focus: () => happened.push("focus"),
    };
    await send("forge.addSelection", undefined, session, presenter, views);
    const [, code = ""] = /^Why\?\n\n(.*)$/s.exec(session.composer.text) ?? [];
    assert.match(code, /let tides = 2;/);
    assert.deepEqual(happened, ["focus", session.composer.text]);
  });
});

import assert from "node:assert/strict";
import { inList } from "../../../../src/host/editor/boxes/inList.ts";
import { proseInMessage } from "../../../../src/host/tools/hiddenText.ts";
import { withEditorModule } from "../../../support/editor/editorModule.ts";

describe("texts of others in the editor's own places", () => {
  const cases: readonly (readonly [written: string, shown: string])[] = [
    ["plain words", "plain words"],
    ["$(check) done", "$(check) done"],
    ["$(comment) run $(pwd) and $(trash)", "$(comment) run $\u2060(pwd) and $\u2060(trash)"],
    ["run $(pwd)", "run $\u2060(pwd)"],
    ["$(sync~spin) x", "$\u2060(sync~spin) x"],
    ["$(check)$(check) x", "$\u2060(check)$\u2060(check) x"],
  ];
  for (const [written, shown] of cases)
    it(`E:icons are drawn at the beginning alone: ${written}`, () => {
      const item = { label: written, description: written, detail: written, kind: 0, value: written };
      const expected = { ...item, label: shown, description: shown, detail: shown };
      assert.deepEqual(inList([item, { label: written }]), [expected, { label: shown }]);
      assert.deepEqual(inList(inList([item])), [expected], "once is enough");
    });

  it("E:icons and links of titles are text in a message, and joiners stay", () => {
    assert.equal(
      proseInMessage("می‌خواهم 👨‍👩‍👧 [a](command:x) $(trash)\u202e\n"),
      "\u2068می‌خواهم 👨‍👩‍👧 [a]\u2060(command:x) $\u2060(trash)[U+202E][U+000A]\u2069",
    );
  });

  it("E:icons: links are no links in any message", async () => {
    const shown: unknown[] = [];
    const show = (...message: readonly unknown[]): Promise<unknown> => {
      shown.push(message);
      return Promise.resolve(message.at(-1));
    };
    const editor = { window: { showInformationMessage: show, showWarningMessage: show } };
    const { showInformation, showWarning } = await withEditorModule(
      "messages",
      editor,
      () => import("../../../../src/host/editor/boxes/messages.ts"),
    );
    assert.equal(await showInformation("“[a](command:x)” was deleted", "Undo"), "Undo");
    await showWarning("[b](https://c.example) gone", { modal: true, detail: "[c](d)" }, "Yes");
    assert.deepEqual(shown, [
      ["“[a]\u2060(command:x)” was deleted", "Undo"],
      ["[b]\u2060(https://c.example) gone", { modal: true, detail: "[c](d)" }, "Yes"],
    ]);
  });
});

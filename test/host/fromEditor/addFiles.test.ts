import assert from "node:assert/strict";
import type { addFiles } from "../../../src/host/fromEditor/addFiles.ts";
import { openSession } from "../../support/session/openSession.ts";
import { scriptedProvider } from "../../support/models/scriptedProvider.ts";
import { withEditorModule } from "../../support/editor/editorModule.ts";

class Uri {
  readonly #address: string;
  constructor(address: string) {
    this.#address = address;
  }
  toString(): string {
    return this.#address;
  }
}
const [one, other] = [new Uri("file:///shop/a.ts"), new Uri("file:///shop/src")];

describe("files that are picked in the editor's lists", () => {
  let add: typeof addFiles;
  before(async () => {
    const load = (): Promise<{ readonly addFiles: typeof addFiles }> =>
      import("../../../src/host/fromEditor/addFiles.ts");
    ({ addFiles: add } = await withEditorModule("addFiles", { Uri }, load));
  });

  for (const [name, context, expected] of [
    ["the one that was clicked", one, ["file:///shop/a.ts"]],
    ["all that are selected", [one, other], ["file:///shop/a.ts", "file:///shop/src"]],
    ["nothing where the editor names none", undefined, []],
  ] as const) {
    it(`adds ${name}, with the keyboard in the composer, and counts the message then`, async () => {
      const happened: unknown[] = [];
      const { session } = await openSession(scriptedProvider());
      const attaching = { handle: (message: object) => Promise.resolve(void happened.push(message)) };
      const presenter = { showDraftTokens: () => happened.push("counted") };
      await add(context, session, attaching, presenter, { focus: () => happened.push("focus") });
      assert.deepEqual(happened, ["focus", { kind: "attachUris", uris: expected }, "counted"]);
    });
  }
});

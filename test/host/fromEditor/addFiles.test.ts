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

describe("addFiles", () => {
  let add: typeof addFiles;
  before(async () => {
    const load = (): Promise<{ readonly addFiles: typeof addFiles }> =>
      import("../../../src/host/fromEditor/addFiles.ts");
    ({ addFiles: add } = await withEditorModule("addFiles", { Uri }, load));
  });

  for (const [name, context, expected] of [
    ["the clicked file", one, ["file:///shop/a.ts"]],
    ["all selected files", [one, other], ["file:///shop/a.ts", "file:///shop/src"]],
    ["nothing if the editor names no file", undefined, []],
  ] as const) {
    it(`focuses the composer, adds ${name}, and then counts the draft's tokens`, async () => {
      const happened: unknown[] = [];
      const { session } = await openSession(scriptedProvider());
      const attaching = { handle: (message: object) => Promise.resolve(void happened.push(message)) };
      const presenter = { showDraftTokens: () => happened.push("counted") };
      await add(context, session, attaching, presenter, { focus: () => happened.push("focus") });
      assert.deepEqual(happened, ["focus", { kind: "attachUris", uris: expected }, "counted"]);
    });
  }
});

import assert from "node:assert/strict";
import { addThings } from "../../src/webview/droppedThings.ts";

/** As a browser hands over a folder, or a file that is gone by the time it is read. */
class UnreadableFile extends File {
  override arrayBuffer(): Promise<ArrayBuffer> {
    return Promise.reject(new DOMException("gone", "NotFoundError"));
  }
}

describe("what is dropped on the composer", () => {
  const check = (what: string, files: readonly File[], expected: readonly string[]): void => {
    it(what, async () => {
      const told: string[] = [];
      const data = { files, getData: () => "" };
      await addThings(
        data,
        (message) => told.push(message.kind === "attachData" ? `${message.name}: ${message.dataBase64}` : message.kind),
        (why) => told.push(why),
      );
      assert.deepEqual(told, expected);
    });
  };
  const note = new File(["hi"], "note.txt");
  check("is handed over", [note], ["note.txt: aGk="]);
  check(
    "is handed over without what can not be read, which is said",
    [new UnreadableFile([], "src"), note],
    ["src could not be read, so it was not added.", "note.txt: aGk="],
  );

  it("fails loudly where the page itself is wrong", async () => {
    const broken = { files: [note], getData: () => "" };
    const wrong = (): never => {
      throw new TypeError("a bug");
    };
    await assert.rejects(() => addThings(broken, wrong, wrong), TypeError);
  });
});

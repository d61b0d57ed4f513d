import assert from "node:assert/strict";
import { attachItems, hasItems } from "../../../src/webview/composer/droppedItems.ts";

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
      await attachItems(
        data,
        (message) => told.push(message.kind === "attachData" ? `${message.name}: ${message.dataBase64}` : message.kind),
        (why) => told.push(why),
      );
      assert.deepEqual(told, expected);
    });
  };
  const unreadable = "src could not be read, so it was not added.";
  const note = new File(["hi"], "note.txt");
  check("is handed over", [note], ["note.txt: aGk="]);
  check(
    "is handed over without what cannot be read, which is said",
    [new UnreadableFile([], "src"), note],
    ["src could not be read, so it was not added.", "note.txt: aGk="],
  );

  const many = (count: number, file: File): readonly File[] => Array.from({ length: count }, () => file);
  check(
    "is handed over, thirty at once",
    many(30, note),
    many(30, note).map(() => "note.txt: aGk="),
  );
  check("is told how many are left out where there are too many", many(53, note), [
    "At most 50 can be added at a time; 3 were left out.",
    ...many(50, note).map(() => "note.txt: aGk="),
  ]);
  check("is told all reasons, of which the first are said whole", many(5, new UnreadableFile([], "src")), [
    ...[1, 2, 3].map((count) => Array(count).fill(unreadable).join(" ")),
    ...[1, 2].map((more) => `${Array(3).fill(unreadable).join(" ")} ${String(more)} more`),
  ]);

  it("is the text, where the clipboard holds a picture of it as well", () => {
    const clipboard = (text: string, ...files: readonly File[]): boolean =>
      hasItems({
        files,
        types: ["text/plain", "Files"],
        getData: (type: string) => (type === "text/plain" ? text : ""),
      });
    const picture = new File(["png"], "image.png");
    assert.equal(clipboard("1\t2", picture), false);
    assert.equal(clipboard("", picture), true);
    assert.equal(clipboard("note.txt", note), true);
  });

  it("fails loudly where the page itself is wrong", async () => {
    const broken = { files: [note], getData: () => "" };
    const wrong = (): never => {
      throw new TypeError("a bug");
    };
    await assert.rejects(() => attachItems(broken, wrong, wrong), TypeError);
  });
});

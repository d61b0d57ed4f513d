import assert from "node:assert/strict";
import { attachItems, hasItems } from "../../../src/webview/composer/droppedItems.ts";

/** A folder, or a file that is deleted before it is read, as browsers provide them. */
class UnreadableFile extends File {
  override arrayBuffer(): Promise<ArrayBuffer> {
    return Promise.reject(new DOMException("gone", "NotFoundError"));
  }
}

describe("items dropped on the composer", () => {
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
  check("are posted with their content", [note], ["note.txt: aGk="]);
  check(
    "are posted without unreadable ones, which are reported",
    [new UnreadableFile([], "src"), note],
    ["src could not be read, so it was not added.", "note.txt: aGk="],
  );

  const many = (count: number, file: File): readonly File[] => Array.from({ length: count }, () => file);
  check(
    "are all posted when there are thirty",
    many(30, note),
    many(30, note).map(() => "note.txt: aGk="),
  );
  check("report how many exceed the limit", many(53, note), [
    "At most 50 can be added at a time; 3 were left out.",
    ...many(50, note).map(() => "note.txt: aGk="),
  ]);
  check("report the first three reasons in full and count the others", many(5, new UnreadableFile([], "src")), [
    ...[1, 2, 3].map((count) => Array(count).fill(unreadable).join(" ")),
    ...[1, 2].map((more) => `${Array(3).fill(unreadable).join(" ")} ${String(more)} more`),
  ]);

  it("do not include a clipboard picture that accompanies text", () => {
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

  it("propagate an error of the page's own code", async () => {
    const broken = { files: [note], getData: () => "" };
    const wrong = (): never => {
      throw new TypeError("a bug");
    };
    await assert.rejects(() => attachItems(broken, wrong, wrong), TypeError);
  });
});

import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { readAddedParts } from "../../../src/core/journal/addedParts.ts";
import { bestMatches, fuzzyScore } from "../../../src/host/mentions/fuzzyScore.ts";
import { imagePart, mediaTypeOf } from "../../../src/host/mentions/imageFile.ts";
import { nameWithLines, pathMention } from "../../../src/host/mentions/namedFiles.ts";

const best = (query: string, paths: readonly string[]): readonly string[] => bestMatches(query, paths, String, 3);

describe("finding mentions", () => {
  it("matches letters in order, preferring the file's own name and the beginnings of words", () => {
    assert.deepEqual(best("upl", ["src/up/l.ts", "src/upload.ts", "docs/couplet.md"]), [
      "src/upload.ts",
      "docs/couplet.md",
      "src/up/l.ts",
    ]);
    assert.equal(best("cm", ["src/context/manager.ts", "src/ContextManager.ts"])[0], "src/ContextManager.ts");
    assert.equal(best("net/up", ["src/net/upload.ts", "upload/net.ts"])[0], "src/net/upload.ts");
    assert.equal(fuzzyScore("xyz", "src/upload.ts"), undefined);
  });
  it("§2 finds names in another composition of their letters", () => {
    const names = ["spécial.ts", "학점.md"].flatMap((name) => [name, name.normalize("NFD")]);
    const found = (query: string): readonly string[] => bestMatches(query, names, (name) => name, 9);
    assert.deepEqual(found("spé"), names.slice(0, 2));
    assert.deepEqual(found("spé".normalize("NFD")), names.slice(0, 2));
    assert.deepEqual(found("학점"), names.slice(2));
  });

  it("§9 finds names with blanks, signs and brackets, and none for a mention with words after it", () => {
    const names = ["src/My Component.tsx", "src/myClass.ts", "img/icon@2x.png", "app/[id] (1).tsx", "학점 계산.md"];
    const found = Object.fromEntries(
      ["my c", "my component.tsx", "icon@2x", "[id] (1", "학점 계".normalize("NFD"), "myc", "myclass now", "my  c"].map(
        (query) => [query, best(query, names)],
      ),
    );
    assert.deepEqual(found, {
      "my c": ["src/My Component.tsx"],
      "my component.tsx": ["src/My Component.tsx"],
      "icon@2x": ["img/icon@2x.png"],
      "[id] (1": ["app/[id] (1).tsx"],
      ["학점 계".normalize("NFD")]: ["학점 계산.md"],
      myc: ["src/myClass.ts", "src/My Component.tsx"],
      "myclass now": [],
      "my  c": [],
    });
  });

  for (const [query, named] of [
    ["upl", undefined],
    ["upl:", { name: "upl" }],
    ["upl:10", { name: "upl", lines: { first: 10, last: 10 } }],
    ["upl:10-20", { name: "upl", lines: { first: 10, last: 20 } }],
    ["net/upl#L10-L20", { name: "net/upl", lines: { first: 10, last: 20 } }],
    ["upl:10-2", { name: "upl", lines: { first: 10, last: 10 } }],
    ["upl:0", { name: "upl", lines: { first: 1, last: 1 } }],
    ["std::upload", undefined],
  ] as const) {
    it(`reads name and lines of ${JSON.stringify(query)}`, () => {
      assert.deepEqual(nameWithLines(query), named);
    });
  }

  it("shows a file by its name and folder, a folder as one", () => {
    assert.deepEqual(
      [pathMention("src/net/upload.ts", { first: 2, last: 4 }), pathMention("src/net/"), pathMention("a:7")],
      [
        {
          kind: "file",
          label: "upload.ts:2-4",
          description: "src/net",
          path: "src/net/upload.ts",
          lines: { first: 2, last: 4 },
        },
        { kind: "folder", label: "net", description: "src", path: "src/net" },
        { kind: "file", label: "a:7", description: "", path: "a:7" },
      ],
    );
  });

  it("recognizes an image by its bytes", () => {
    const png = Buffer.alloc(40);
    png.write("\x89PNG\r\n\x1a\n", "latin1");
    png.writeUInt32BE(1280, 16);
    png.writeUInt32BE(720, 20);
    const image = imagePart(png);
    assert.ok(image.ok);
    assert.deepEqual([image.value.mediaType, image.value.widthPx, image.value.heightPx], ["image/png", 1280, 720]);
    assert.equal(mediaTypeOf(Buffer.from("<svg onload=alert(1)>")), undefined);
    assert.equal(imagePart(Buffer.concat([png, Buffer.alloc(5_000_000)])).ok, false);
    for (let length = 0; length < 40; length++) imagePart(png.subarray(0, length)); // none throws
    imagePart(Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0xff]));
  });

  it("reads stored attachments and skips invalid ones", () => {
    const parts = [{ kind: "attachment", label: "a", text: "b" }, { kind: "image", mediaType: "image/png" }, null, 7];
    assert.deepEqual(readAddedParts(parts), [{ kind: "attachment", label: "a", text: "b" }]);
    assert.deepEqual(readAddedParts("no"), []);
  });
});

import assert from "node:assert/strict";
import { fileNameFromLink, fileNamesIn, wholeFileName } from "../../../src/webview/answer/fileNames.ts";
import { codeInfo } from "../../../src/webview/answer/markdown/codeInfo.ts";

const written = (name: { path: string; line: number; column: number } | null): string =>
  name === null ? "" : [name.path, name.line, name.column].join(":").replace(/(?::0)+$/, "");

describe("fileNamesIn", () => {
  for (const [text, names] of [
    ["see src/net/upload.ts.", ["src/net/upload.ts"]],
    ["(src/a.ts:12:3), ./b.ts#L7-L9 and test/c.test.ts: x", ["src/a.ts:12:3", "b.ts:7", "test/c.test.ts"]],
    ["a.ts:12-20, b.ts:12–20; c.ts:L7-L9 and d.ts:1:2-3:4.", ["a.ts:12", "b.ts:12", "c.ts:7", "d.ts:1:2"]],
    ["src/a.ts(12,3): error, b.cs(7) and (c.ts(1, 2))", ["src/a.ts:12:3", "b.cs:7", "c.ts:1:2"]],
    ["a.ts(x), b.ts() and c.ts(1,2,3)", ["a.ts", "b.ts", "c.ts"]],
    ["größe/Übung.ts and @scope/pkg/index.d.ts", ["größe/Übung.ts", "@scope/pkg/index.d.ts"]],
    ["/srv/shop/a.ts", ["/srv/shop/a.ts"]],
    [
      "in C:\\work\\shop\\a.ts:12, d:/shop/b.ts and src\\c.ts",
      ["C:\\work\\shop\\a.ts:12", "d:/shop/b.ts", "src\\c.ts"],
    ],
    ["see spe\u0301cial.ts and \u1112\u1161\u11a8.md:3", ["spe\u0301cial.ts", "\u1112\u1161\u11a8.md:3"]],
    ["e.g. this, i.e. that, 1.5 and 3.x", []],
    ["https://example.com/a.ts and me@example.com", []],
    ["no names here", []],
    ["a.ts ".repeat(150), Array.from({ length: 100 }, () => "a.ts")],
  ] as const) {
    it(JSON.stringify(text.slice(0, 60)), () => {
      assert.deepEqual(fileNamesIn(text).map(written), names);
    });
  }

  it("gives the positions of the names", () => {
    const text = "see src/a.ts:12 and src/b.ts:7-9 there, c.ts(1,2)";
    assert.deepEqual(
      fileNamesIn(text).map(({ start, end }) => text.slice(start, end)),
      ["src/a.ts:12", "src/b.ts:7-9", "c.ts(1,2)"],
    );
  });

  it("reads 20,000 characters in less than 100 ms whatever the text", () => {
    for (const hostile of ["a.", "a/", "a.a/", ".", "-", "a".repeat(99) + ".", "@/", "a.a(1,", "a\\", "c:\\"]) {
      const startMs = performance.now();
      fileNamesIn(hostile.repeat(20_000 / hostile.length));
      wholeFileName(hostile.repeat(100));
      const tookMs = performance.now() - startMs;
      assert.ok(tookMs < 100, `${JSON.stringify(hostile.slice(0, 5))} takes ${tookMs.toFixed(0)} ms`);
    }
  });
});

describe("wholeFileName", () => {
  for (const [text, name] of [
    ["src/a.ts", "src/a.ts"],
    ["src/a.ts:12", "src/a.ts:12"],
    ["src/a.ts:12-20", "src/a.ts:12"],
    ["src/a.ts#L12C3-L20C5", "src/a.ts:12"],
    ["src/a.ts:12-b", ""],
    ["src/a.ts(12,3)", "src/a.ts:12:3"],
    ["src/a.ts(12)", "src/a.ts:12"],
    ["src/a.ts(12,b)", ""],
    ["./src", "src"],
    ["Makefile", "Makefile"],
    ["a.b", "a.b"],
    ["name", ""],
    ["My Component.tsx", "My Component.tsx"],
    ["src/My Component.tsx:12", "src/My Component.tsx:12"],
    ["app/[id]/(shop)/page.tsx", "app/[id]/(shop)/page.tsx"],
    ["a (1).ts(12,3)", "a (1).ts:12:3"],
    ["icon@2x.png", "icon@2x.png"],
    ["re\u0301sume\u0301.md:7", "re\u0301sume\u0301.md:7"],
    ["C:\\work\\My Shop\\a.ts:7", "C:\\work\\My Shop\\a.ts:7"],
    ["c:/shop/src", "c:/shop/src"],
    ["c:shop", ""],
    ["a  b.ts", ""],
    ["a b", ""],
    ["x = a.b", ""],
    ["f(x); a.b", ""],
    ["call(x.y)", ""],
    ["...", ""],
    ["https://a.example/x.ts", ""],
  ] as const) {
    it(`reads ${text} as "${name}"`, () => {
      assert.equal(written(wholeFileName(text)), name);
    });
  }
});

describe("fileNameFromLink", () => {
  for (const [address, name] of [
    ["src/a.ts", "src/a.ts"],
    ["./src/a%20b.ts#L12", "src/a b.ts:12"],
    ["src/a.ts:12", "src/a.ts:12"],
    ["src/a.ts:12-20", "src/a.ts:12"],
    ["src/a.ts#L12C3-L20C5", "src/a.ts:12"],
    ["src/a.ts(12,3)", "src/a.ts:12:3"],
    ["readme.md:12-20", "readme.md:12"],
    ["100%.md", "100%.md"],
    ["#heading", ""],
    ["//evil.example/a", ""],
    ["command:x", ""],
    ["javascript:a.b", ""],
    ["file:///etc/passwd", "/etc/passwd"], // the host opens nothing outside the workspace
    ["file:///srv/a%20shop/a.ts#L12", "/srv/a shop/a.ts:12"],
    ["file:///srv/shop/a.ts:12:3", "/srv/shop/a.ts:12:3"],
    ["FILE://localhost/srv/shop/a.ts", "/srv/shop/a.ts"],
    ["file:///C:/shop/a.ts#L7", "C:/shop/a.ts:7"],
    ["file:///c%3A/shop/a.ts", "c:/shop/a.ts"],
    ["file://evil.example/share/a.ts", ""],
    ["file:////evil.example/share/a.ts", ""],
    ["file:///\\evil.example/share/a.ts", ""],
    ["file:srv/a.ts", ""],
    ["file://", ""],
    ["file:///", ""],
    ["vscode-resource://a/b", ""],
    ["", ""],
  ] as const) {
    it(`reads ${address} as "${name}"`, () => {
      assert.equal(written(fileNameFromLink(address)), name);
    });
  }
});

describe("codeInfo", () => {
  for (const [info, text, language, path] of [
    ["ts", "let a;", "ts", ""],
    ["ts src/a.ts", "let a;", "ts", "src/a.ts"],
    ["ts:src/a.ts", "let a;", "ts", "src/a.ts"],
    ['ts title="src/a.ts" {1,2}', "let a;", "ts", "src/a.ts"],
    ["12:40:src/a.ts", "let a;", "", "src/a.ts"],
    ["ts showLineNumbers", "let a;", "ts", ""],
    ["ts", "// src/net/a.ts\nlet a;", "ts", "src/net/a.ts"],
    ["py", "# a.py\nx = 1", "py", "a.py"],
    ["html", "<!-- a/b.html -->\n<p>", "html", "a/b.html"],
    ["ts", "// see src/net/a.ts\nlet a;", "ts", ""],
    ["sh", "# install\nnpm ci", "sh", ""],
    [undefined, "x", "", ""],
  ] as const) {
    it(`reads ${String(info)} ${JSON.stringify(text)}`, () => {
      assert.deepEqual(codeInfo(info, text), { language, path });
    });
  }
});

/** The file worker thread on a real disk: reads, finds, searches, and is terminated on timeout or cancellation. */

import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { FileHits, ReadRequest, SearchRequest, WalkRequest } from "../../../../src/host/tools/files/fileTask.ts";
import { type FileThreadOptions, runFileTask } from "../../../../src/host/tools/files/fileThread.ts";
import { writeFiles } from "../../../support/filesOnDisk.ts";

const workerFile = path.resolve(import.meta.dirname, "../../../../src/host/tools/files/fileWorker.ts");
const live = new AbortController().signal;

describe("the file worker thread", () => {
  let root: string;
  let options: FileThreadOptions;

  before(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), "forge-thread-"));
    options = { workerFile, folders: [root] };
    writeFiles(root, {
      ".gitignore": "dist/\n*.log\n",
      "src/a.ts": "const needle = 1;\nconst other = 2;\n",
      "src/b.ts": "// Needle, too\nconst token = 'ghp_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0fG';\n",
      "src/deep/c.md": "no needle here\r\nneedle there\r\n",
      "dist/bundle.js": "needle",
      "run.log": "needle",
      ".env": "needle=1",
      ".git/config": "needle",
      "picture.png": Buffer.from("needle\0"),
      "large.txt": "needle\n".repeat(700_000),
      "zz/slow.txt": `${"a".repeat(40)}!\n`,
    });
    if (process.platform !== "win32") fs.symlinkSync("src/a.ts", path.join(root, "link.ts"));
  });
  after(() => {
    fs.rmSync(root, { recursive: true, force: true });
  });

  const walk: WalkRequest = {
    ...{ rootIndex: 0, relative: "", shown: "." },
    ...{ glob: undefined, excludes: [], useIgnoreFiles: true, most: 100 },
  };
  const search = (pattern: string, more: Partial<SearchRequest> = {}): SearchRequest => ({
    ...walk,
    query: { pattern, isRegex: false, ignoreCase: true },
    encoding: "utf8",
    unsaved: new Map(),
    ...more,
  });
  const read = (relative: string, more: Partial<ReadRequest> = {}): ReadRequest => ({
    ...{ rootIndex: 0, relative, shown: relative, origin: { kind: "disk" }, range: { first: 1, last: 9 } },
    ...{ encoding: "utf8", mayHoldSecrets: false },
    ...more,
  });

  const runRead = (request: ReadRequest) =>
    runFileTask(
      options,
      { kind: "read", read: request },
      {
        cancel: live,
        pickResult: (message) => (message.kind === "read" ? message.result : undefined),
      },
    );
  const runFind = (request: WalkRequest) =>
    runFileTask(
      options,
      { kind: "find", walk: request },
      {
        cancel: live,
        pickResult: (message) => (message.kind === "find" ? message.result : undefined),
      },
    );
  const runSearch = async (
    request: SearchRequest,
    limits: Partial<FileThreadOptions> = {},
    cancel: AbortSignal = live,
  ) => {
    const hits: FileHits[] = [];
    const result = await runFileTask(
      { ...options, ...limits },
      { kind: "search", search: request },
      {
        cancel,
        pickResult: (message) => {
          if (message.kind === "hits") hits.push(message.hits);
          return message.kind === "search" ? message.result : undefined;
        },
      },
    );
    return { result, hits };
  };
  const lines = (hits: readonly FileHits[]): readonly string[] =>
    hits.flatMap(({ file, lines: found }) => found.map(({ line, text }) => `${file}:${line}: ${text}`));

  it("reads lines of a file", async () => {
    const result = await runRead(read("src/a.ts"));
    assert.ok(result.ok && result.value.kind === "lines");
    assert.deepEqual(result.value.lines, ["const needle = 1;", "const other = 2;"]);
  });
  it("reads unsaved text, refuses git's folder and asks before a file that may hold secrets", async () => {
    const origin = { kind: "text", text: "unsaved\n", stamp: "unsaved:3" } as const;
    const unsaved = await runRead(read("src/a.ts", { origin }));
    assert.deepEqual(unsaved.ok && unsaved.value.kind === "lines" && unsaved.value.lines, ["unsaved"]);
    const guarded = await runRead(read(".git/config", { origin }));
    assert.equal(!guarded.ok && guarded.error.code, "NOT_ALLOWED");
    const secret = await runRead(read(".env", { origin }));
    assert.deepEqual(secret, { ok: true, value: { kind: "askFirst" } });
    const agreed = await runRead(read(".env", { mayHoldSecrets: true }));
    assert.deepEqual(agreed.ok && agreed.value.kind === "lines" && agreed.value.lines, ["needle=1"]);
  });
  it("finds files without ignored ones, a folder's own files before those of its subfolders", async () => {
    const all = await runFind(walk);
    const expected = [".env", ".gitignore", "large.txt", "link.ts", "picture.png", "src/a.ts", "src/b.ts"];
    assert.deepEqual(all, { ok: true, value: { files: [...expected, "src/deep/c.md", "zz/slow.txt"], isCut: false } });
    const below = await runFind({ ...walk, relative: "src", glob: "*.ts" });
    assert.deepEqual(below, { ok: true, value: { files: ["src/a.ts", "src/b.ts"], isCut: false } });
    const ignored = await runFind({ ...walk, relative: "dist", glob: "**/*.js" });
    assert.deepEqual(ignored, { ok: true, value: { files: ["dist/bundle.js"], isCut: false } });
    const cut = await runFind({ ...walk, most: 2 });
    assert.deepEqual(cut, { ok: true, value: { files: [".env", ".gitignore"], isCut: true } });
    const without = await runFind({ ...walk, excludes: ["**/src", "*.png", "**/*.txt"] });
    assert.deepEqual(without, { ok: true, value: { files: [".env", ".gitignore", "link.ts"], isCut: false } });
    assert.equal((await runFind({ ...walk, relative: "none" })).ok, false);
  });
  it("searches and counts the files that it skips", async () => {
    const { result, hits } = await runSearch(search("needle"));
    assert.deepEqual(lines(hits), [
      "src/a.ts:1: const needle = 1;",
      "src/b.ts:1: // Needle, too",
      "src/deep/c.md:1: no needle here",
      "src/deep/c.md:2: needle there",
    ]);
    const skipped = { mayHoldSecrets: 1, tooLarge: 1 };
    assert.deepEqual(result, { ok: true, value: { filesSearched: 5, isCut: false, skipped } });
  });
  it("searches by case, regular expression and glob, and in unsaved text", async () => {
    const exact = await runSearch(
      search("Needle", { query: { pattern: "Needle", isRegex: false, ignoreCase: false } }),
    );
    assert.deepEqual(lines(exact.hits), ["src/b.ts:1: // Needle, too"]);
    const query = { pattern: "^const \\w+ = 2", isRegex: true, ignoreCase: false };
    assert.deepEqual(lines((await runSearch(search("", { query }))).hits), ["src/a.ts:2: const other = 2;"]);
    const inMarkdown = await runSearch(search("needle", { glob: "**/*.md", most: 1 }));
    assert.deepEqual(lines(inMarkdown.hits), ["src/deep/c.md:1: no needle here"]);
    assert.equal(inMarkdown.result.ok && inMarkdown.result.value.isCut, false);
    const unsaved = new Map([["src/a.ts", "nothing\nnew needle\n"]]);
    assert.equal(lines((await runSearch(search("needle", { unsaved }))).hits)[0], "src/a.ts:2: new needle");
    const literal = await runSearch(search("1;", { query: { pattern: "= 1;", isRegex: false, ignoreCase: true } }));
    assert.deepEqual(lines(literal.hits), ["src/a.ts:1: const needle = 1;"]);
  });
  it("redacts secrets in the lines that it finds", async () => {
    const { hits } = await runSearch(search("token"));
    assert.deepEqual(lines(hits), ["src/b.ts:2: const token = '[redacted: GitHub token]';"]);
  });
  it("times out on a runaway regular expression and keeps the earlier hits", async () => {
    const query = { pattern: "needle|^(a+)+$", isRegex: true, ignoreCase: true };
    const start = performance.now();
    const { result, hits } = await runSearch(search("", { query, glob: "**/*.{txt,md,ts}" }), { limitMs: 300 });
    assert.equal(!result.ok && result.error.code, "TIMED_OUT");
    assert.ok(performance.now() - start < 5_000);
    assert.deepEqual(
      hits.map(({ file }) => file),
      ["src/a.ts", "src/b.ts", "src/deep/c.md"],
    );
  });
  it("stops a search when the user cancels it", async () => {
    const controller = new AbortController();
    const query = { pattern: "^(a+)+$", isRegex: true, ignoreCase: true };
    const running = runSearch(search("", { query }), {}, controller.signal);
    const start = performance.now();
    setTimeout(() => {
      controller.abort();
    }, 200);
    const { result } = await running;
    assert.equal(!result.ok && result.error.code, "CANCELLED");
    assert.ok(performance.now() - start < 2_000);
  });
});

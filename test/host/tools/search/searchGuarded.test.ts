/** Search and listing: git's own folder and files that usually hold secrets stay closed under any name, links included. */

import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { FileHits, SearchRequest, WalkRequest } from "../../../../src/host/tools/files/fileTask.ts";
import { LocalAccess } from "../../../../src/host/tools/files/localAccess.ts";
import { findOnDisk, searchOnDisk } from "../../../../src/host/tools/files/searchDisk.ts";
import { writeFiles } from "../../../support/filesOnDisk.ts";
import { needsLinks } from "../../../support/skipped.ts";

describe("search in guarded folders", () => {
  let root = "";
  let access: LocalAccess;

  before(function () {
    needsLinks(this);
    root = fs.mkdtempSync(path.join(os.tmpdir(), "forge-guarded-"));
    writeFiles(root, {
      ".git/config": "needle",
      ".git/hooks/x": "needle",
      ".aws/settings": "needle",
      "src/a.ts": "needle\n",
    });
    fs.symlinkSync(".git", path.join(root, "history"));
    fs.symlinkSync(".aws", path.join(root, "docs"));
    fs.symlinkSync("src", path.join(root, "code"));
    access = new LocalAccess([root]);
  });
  after(() => {
    if (root !== "") fs.rmSync(root, { recursive: true, force: true });
  });

  const search = (relative: string, unsaved: ReadonlyMap<string, string> = new Map()) => {
    const walk: WalkRequest = {
      ...{ rootIndex: 0, relative, shown: relative },
      ...{ glob: undefined, excludes: [], useIgnoreFiles: true, most: 50 },
    };
    const query = { pattern: "needle", isRegex: false, ignoreCase: true };
    const request: SearchRequest = { ...walk, query, encoding: "utf8", unsaved };
    const hits: FileHits[] = [];
    const searched = searchOnDisk(
      access,
      request,
      () => false,
      (told) => {
        if (told.kind === "hits") hits.push(told.hits);
      },
    );
    const found = findOnDisk(access, walk, () => false);
    return {
      hits: hits.map(({ file }) => file),
      searched: searched.ok ? searched.value.skipped.mayHoldSecrets : searched.error.code,
      found: found.ok ? found.value.files : found.error.code,
      listed: access.list(0, relative).ok,
    };
  };
  const refused = { hits: [], searched: "NOT_ALLOWED", found: "NOT_ALLOWED", listed: false };

  for (const folder of [".git", ".git/hooks", "history", "history/hooks"]) {
    it(`refuses git's own folder, requested as ${folder}`, () => {
      assert.deepEqual(search(folder), refused);
    });
  }
  for (const folder of [".aws", "docs"]) {
    it(`finds no text in files that usually hold secrets, requested as ${folder}`, () => {
      const closed = { hits: [], searched: 1, found: [`${folder}/settings`], listed: true };
      assert.deepEqual(search(folder), closed);
      assert.deepEqual(search(folder, new Map([[`${folder}/settings`, "needle"]])), closed);
    });
  }
  it("searches every other folder, also through a link", () => {
    assert.deepEqual(search("code"), { hits: ["code/a.ts"], searched: 0, found: ["code/a.ts"], listed: true });
    const everything = {
      hits: ["src/a.ts"],
      searched: 1,
      found: ["code", "docs", "history", ".aws/settings", "src/a.ts"],
    };
    assert.deepEqual(search(""), { ...everything, listed: true });
  });
});

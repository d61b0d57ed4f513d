import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nodeFiles, systemErrorCode, type Files } from "../../../src/adapters/node/files.ts";
import { threadFiles } from "../../../src/adapters/node/threadFiles.ts";
import { temporaryFolder } from "../../support/storage/storeBuilders.ts";

type Call = (files: Files, at: (name: string) => string) => Promise<unknown>;

const CALLS: Readonly<Record<string, Call>> = {
  "lists a folder": async (files, at) => (await files.list(at(""))).toSorted(),
  "lists a folder that is missing": (files, at) => files.list(at("missing")),
  "lists a file": (files, at) => files.list(at("file")),
  "reads a file": (files, at) => files.readText(at("file")),
  "reads a file that is missing": (files, at) => files.readText(at("missing")),
  "reads a folder": (files, at) => files.readText(at("folder")),
  "writes a new file": (files, at) => files.writeNew(at("new"), "täxt"),
  "writes a new file durably": (files, at) => files.writeNew(at("new"), Uint8Array.of(1, 2), { isDurable: true }),
  "writes over a file": (files, at) => files.writeNew(at("file"), "other"),
  "writes over a file durably": (files, at) => files.writeNew(at("file"), "other", { isDurable: true }),
  "links a file": (files, at) => files.link(at("file"), at("new")),
  "links a file to a name that is taken": (files, at) => files.link(at("file"), at("other")),
  "renames a file": (files, at) => files.rename(at("file"), at("other")),
  "renames a file that is missing": (files, at) => files.rename(at("missing"), at("other")),
  "unlinks a file": (files, at) => files.unlink(at("file")),
  "unlinks a folder": (files, at) => files.unlink(at("folder")),
  "unlinks a file that is missing": (files, at) => files.unlink(at("missing")),
  "makes folders": (files, at) => files.makeFolder(at("new/and/deep")),
  "makes a folder that is there": (files, at) => files.makeFolder(at("folder")),
  "makes a folder in a file": (files, at) => files.makeFolder(at("file/new")),
};

/** Outcome of a call, and the files that are there then. */
async function outcomeOf(files: Files, call: Call): Promise<unknown> {
  const { path, remove } = temporaryFolder();
  const at = (name: string): string => join(path, name);
  try {
    for (const name of ["file", "other"]) writeFileSync(at(name), `text of ${name}`);
    mkdirSync(at("folder"));
    const answer = await call(files, at).catch((error: unknown) => systemErrorCode(error) ?? error);
    const left = readdirSync(path, { recursive: true, encoding: "utf8" }).toSorted();
    const contents = left.map((name) => {
      const { mode } = statSync(at(name));
      return [name, mode, statSync(at(name)).isFile() ? readFileSync(at(name), "latin1") : ""];
    });
    return { answer, contents };
  } finally {
    remove();
  }
}

describe("File calls that hold the thread", () => {
  for (const [title, call] of Object.entries(CALLS)) {
    it(`${title} as those do that do not`, async () => {
      assert.deepEqual(await outcomeOf(threadFiles, call), await outcomeOf(nodeFiles, call));
    });
  }
});

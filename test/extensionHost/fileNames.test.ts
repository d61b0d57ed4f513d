/** Names in the `@` menu as the editor's own watcher reports changes. */

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import * as vscode from "vscode";
import manifest from "../../package.json" with { type: "json" };
import { systemClock } from "../../src/adapters/node/clock.ts";
import { FileNames } from "../../src/host/mentions/names/fileNames.ts";
import { until } from "../../scripts/vscode/until.ts";
import { report, workspaceFolder } from "../support/editor/hostTools.ts";
import { writeFiles } from "../support/filesOnDisk.ts";

const FOLDER = "names";

describe("E:mentions names in the menu", () => {
  let names: FileNames;
  const inFolder = (name: string): string => path.join(workspaceFolder(), FOLDER, name);

  before(() => {
    const extension = vscode.extensions.getExtension(`${manifest.publisher}.${manifest.name}`);
    assert.ok(extension, "Forge is installed");
    names = new FileNames(path.join(extension.extensionPath, "dist"), systemClock);
    writeFiles(workspaceFolder(), { [`${FOLDER}/first.ts`]: "" });
  });
  after(() => {
    names.dispose();
    fs.rmSync(inFolder(""), { recursive: true, force: true });
  });

  async function listed(): Promise<readonly string[]> {
    const found = await names.find("", 100_000, new AbortController().signal);
    return (found?.paths ?? []).filter((name) => name.startsWith(`${FOLDER}/`)).toSorted();
  }

  const list = (...those: readonly string[]): readonly string[] =>
    ["", ...those].map((name) => `${FOLDER}/${name}`).toSorted();
  const burst = Array.from({ length: 5_000 }, (_, at) => `burst/b${String(at % 50)}/f${String(at)}.ts`);
  const folders = Array.from({ length: 50 }, (_, at) => `burst/b${String(at)}/`);

  for (const [title, act, expected] of [
    [
      "a new file",
      () => {
        fs.writeFileSync(inFolder("new.ts"), "");
      },
      ["first.ts", "new.ts"],
    ],
    [
      "a renamed file",
      () => {
        fs.renameSync(inFolder("new.ts"), inFolder("other.ts"));
      },
      ["first.ts", "other.ts"],
    ],
    [
      "a deleted file",
      () => {
        fs.rmSync(inFolder("other.ts"));
      },
      ["first.ts"],
    ],
    [
      "a file in a new folder",
      () => {
        writeFiles(inFolder(""), { "x/y/deep.ts": "" });
      },
      ["first.ts", "x/", "x/y/", "x/y/deep.ts"],
    ],
    [
      "a renamed folder",
      () => {
        fs.renameSync(inFolder("x"), inFolder("z"));
      },
      ["first.ts", "z/", "z/y/", "z/y/deep.ts"],
    ],
    [
      "a deleted folder",
      () => {
        fs.rmSync(inFolder("z"), { recursive: true });
      },
      ["first.ts"],
    ],
    [
      "5,000 files at once",
      () => {
        writeFiles(inFolder(""), Object.fromEntries(burst.map((name) => [name, ""])));
      },
      ["first.ts", "burst/", ...folders, ...burst],
    ],
    [
      "5,000 files that are gone at once",
      () => {
        fs.rmSync(inFolder("burst"), { recursive: true });
      },
      ["first.ts"],
    ],
  ] as const) {
    it(`follow ${title}`, async function () {
      this.timeout(60_000);
      const before = await listed();
      act();
      const wanted = list(...expected).join("\n");
      const begunMs = performance.now();
      const isThere = async (): Promise<true | undefined> =>
        (await listed()).join("\n") === wanted ? true : undefined;
      await until(isThere, 30_000);
      report(`@ follows ${title}: ${String(Math.round(performance.now() - begunMs))} ms`);
      assert.deepEqual(await listed(), list(...expected));
      assert.ok(before.length > 0);
    });
  }
});

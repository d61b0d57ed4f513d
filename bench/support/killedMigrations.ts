/** Kills migrations at their file calls: the file must have the old version or the new one. */

import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { SCHEMA_VERSION } from "../../src/adapters/sqlite/schema.ts";
import { nodeFileCalls } from "../../src/adapters/sqlite/engine/shim/fileCalls.ts";
import { loadSqlJs, type SqlJsShim } from "../../src/adapters/sqlite/engine/sqlJsShim.ts";
import { runAndKill } from "../../test/support/storage/killedChild.ts";
import { judge } from "../../test/support/storage/nativeJudge.ts";
import { makeVersion, shapeOfFile } from "../../test/support/storage/schemaVersions.ts";
import { SQL_JS_FILE } from "../../test/support/storage/sqliteStore.ts";

const MESSAGES = 30;

export interface KilledMigrations {
  readonly kills: number;
  /** Files with neither version. */
  readonly wrong: number;
}

/** Kills `times` migrations, spread over all file calls, of every version to the next, the last of which is made up. */
export async function killedMigrations(root: string, times: number): Promise<KilledMigrations> {
  const shim = await loadSqlJs(SQL_JS_FILE, nodeFileCalls);
  const each = Math.ceil(times / SCHEMA_VERSION);
  let [kills, wrong] = [0, 0];
  for (let version = 1; version <= SCHEMA_VERSION; version++) {
    const step = await killedStep(shim, { root: join(root, String(version)), version, times: each });
    kills += step.kills;
    wrong += step.wrong;
  }
  return { kills, wrong };
}

interface KilledStep {
  readonly root: string;
  readonly version: number;
  readonly times: number;
}

async function killedStep(shim: SqlJsShim, { root, version, times }: KilledStep): Promise<KilledMigrations> {
  const [sound, folder] = [join(root, "sound"), join(root, "run")];
  mkdirSync(sound, { recursive: true });
  makeVersion(shim, sound, version, MESSAGES);
  const old = shapeOfFile(sound);
  const migrate = async (nth: number) => {
    rmSync(folder, { recursive: true, force: true });
    cpSync(sound, folder, { recursive: true });
    const args = [folder, String(version + 1), String(nth)];
    return runAndKill({ script: new URL("migratingChild.ts", import.meta.url).href, args });
  };
  const whole = await migrate(-1);
  const calls = Number(/^done (\d+)/.exec(whole.lines[0] ?? "")?.[1]);
  const migrated = shapeOfFile(folder);
  let [kills, wrong] = [0, isDeepStrictEqual(old, migrated) ? 1 : 0];
  for (let index = 0; index < times; index++) {
    const { signal } = await migrate(Math.floor((index * calls) / times));
    if (signal === "SIGKILL") kills++;
    const isWhole = judge(folder).integrity === "ok";
    const shape = shapeOfFile(folder);
    if (!isWhole || !(isDeepStrictEqual(shape, old) || isDeepStrictEqual(shape, migrated))) wrong++;
  }
  return { kills, wrong };
}

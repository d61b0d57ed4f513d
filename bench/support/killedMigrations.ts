/** Migrations that are killed at their file calls: the file must be of the old version or of the new one, never between. */

import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { runAndKill } from "../../test/support/killedChild.ts";
import { judge } from "../../test/support/nativeJudge.ts";
import { openStore } from "../../test/support/sqliteStore.ts";
import { addMessage } from "../../test/support/storeBuilders.ts";
import { SCHEMA_VERSION } from "../../src/adapters/sqlite/schema.ts";

const MESSAGES = 30;

/** Kills `times` migrations, evenly over all their file calls; answers how many files were neither old nor new. */
export async function killedMigrations(root: string, times: number): Promise<number> {
  const [sound, folder] = [join(root, "sound"), join(root, "run")];
  mkdirSync(sound, { recursive: true });
  const store = await openStore(sound);
  for (let id = 0; id < MESSAGES; id++) await store.commit([addMessage(id, "text ".repeat(200))]);
  await store.close();
  const migrate = async (nth: number) => {
    rmSync(folder, { recursive: true, force: true });
    cpSync(sound, folder, { recursive: true });
    return runAndKill({ script: new URL("migratingChild.ts", import.meta.url).href, args: [folder, String(nth)] });
  };
  const whole = await migrate(-1);
  const calls = Number(/^done (\d+)/.exec(whole.lines[0] ?? "")?.[1]);
  let wrong = isOldOrNew(folder) ? 0 : 1;
  for (let index = 0; index < times; index++) {
    await migrate(Math.floor((index * calls) / times));
    if (judge(folder).integrity !== "ok" || !isOldOrNew(folder)) wrong++;
  }
  return wrong;
}

function isOldOrNew(folder: string): boolean {
  const database = new DatabaseSync(join(folder, "conversation.sqlite"));
  try {
    const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
    const count = (sql: string): number => Number(database.prepare(sql).get()?.["n"]);
    const messages = count("SELECT count(*) AS n FROM message");
    const hasTable = count("SELECT count(*) AS n FROM sqlite_master WHERE name = 'extra'") === 1;
    const hasColumn = count("SELECT count(*) AS n FROM pragma_table_info('message') WHERE name = 'added'") === 1;
    if (messages !== MESSAGES || hasTable !== hasColumn) return false;
    if (!hasTable) return version === SCHEMA_VERSION;
    return version === SCHEMA_VERSION + 1 && count("SELECT count(*) AS n FROM extra") === MESSAGES;
  } finally {
    database.close();
  }
}

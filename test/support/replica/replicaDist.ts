import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { SQL_JS_FILE } from "../storage/sqliteStore.ts";

const WORKER = fileURLToPath(new URL("../../../src/host/replica/thread/replicaWorker.ts", import.meta.url));

/** Builds the thread that replicates, as it is shipped, into a new folder. */
export async function buildReplicaDist(dist: string): Promise<void> {
  await mkdir(dist, { recursive: true });
  await build({
    entryPoints: [WORKER],
    outfile: join(dist, "replicaWorker.cjs"),
    ...{ bundle: true, platform: "node", target: "node22", format: "cjs", minify: true },
  });
  for (const name of ["sql-wasm-debug.js", "sql-wasm-debug.wasm"])
    await copyFile(join(dirname(SQL_JS_FILE), name), join(dist, name));
}

/** The shipped files that the index over all conversations needs, with this source as the worker. */

import { copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { SQL_JS_FILE } from "../../../test/support/storage/sqliteStore.ts";

export async function buildScaleDist(dist: string, worker: URL): Promise<void> {
  mkdirSync(dist, { recursive: true });
  for (const name of ["sql-wasm-debug.js", "sql-wasm-debug.wasm"])
    copyFileSync(join(dirname(SQL_JS_FILE), name), join(dist, name));
  await build({
    entryPoints: { storageWorker: fileURLToPath(worker) },
    outdir: dist,
    outExtension: { ".js": ".cjs" },
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    logLevel: "warning",
  });
}

/** The store as it is shipped, in bundles that start as fast as the real ones. */

import { rmSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { projectDirectory } from "../../scripts/command.ts";
import { WORKER_FILE } from "../../test/support/storage/sqliteStore.ts";

/** A bundled program and the bundled worker beside it. */
export interface Bundled {
  readonly child: string;
  readonly worker: string;
  readonly remove: () => void;
}

/** Bundles the program `source` and the storage worker. */
export async function bundled(source: URL): Promise<Bundled> {
  // Inside the project, so that packages are found from there.
  const folder = join(
    projectDirectory,
    "node_modules",
    ".cache",
    `forge-bench-${process.pid}`,
    basename(source.pathname, ".ts"),
  );
  const child = join(folder, "child.mjs");
  const worker = join(folder, "storageWorker.cjs");
  const common = { bundle: true, platform: "node", target: "node22", packages: "external" } as const;
  await build({ ...common, entryPoints: [fileURLToPath(source)], outfile: child, format: "esm" });
  await build({ ...common, entryPoints: [WORKER_FILE], outfile: worker, format: "cjs" });
  return {
    child,
    worker,
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

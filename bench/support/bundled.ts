/** Bundles of the store as shipped, so that they start as fast as the real ones. */

import { rmSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { projectDirectory } from "../../scripts/command.ts";
import { WORKER_FILE } from "../../test/support/storage/sqliteStore.ts";

/** Paths of a bundled program and the bundled worker. */
export interface Bundled {
  readonly child: string;
  readonly worker: string;
  readonly remove: () => void;
}

export async function bundled(source: URL): Promise<Bundled> {
  // Inside the project, so that packages are resolved.
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

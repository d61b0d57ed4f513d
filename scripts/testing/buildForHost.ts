/** Bundles TypeScript of the tests for an editor's extension host. */

import { copyFileSync, cpSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { projectDirectory } from "../command.ts";

/** Builds `entryPoints` into CommonJS files in `outdir`, which is emptied first. */
export async function buildForHost(outdir: string, entryPoints: readonly string[]): Promise<void> {
  rmSync(outdir, { recursive: true, force: true });
  await build({
    absWorkingDir: projectDirectory,
    entryPoints: [...entryPoints],
    outdir,
    outExtension: { ".js": ".cjs" },
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node22",
    external: ["vscode", "mocha"],
    sourcemap: "inline",
    logLevel: "warning",
  });
}

/** Builds an extension of `test/support/extensions` into `folder`: NAME.ts, with NAME.json as its manifest. */
export async function buildExtension(name: string, folder: string): Promise<void> {
  await buildForHost(folder, [`test/support/extensions/${name}.ts`]);
  copyFileSync(path.join(projectDirectory, `test/support/extensions/${name}.json`), path.join(folder, "package.json"));
}

/** Fills `directory` with the extensions of `installed` and the extension `name` of `test/support/extensions`. */
export async function installBeside(installed: string, directory: string, name: string): Promise<void> {
  for (const folder of readdirSync(installed)) {
    // A new server regenerates the list.
    if (folder !== "extensions.json") {
      cpSync(path.join(installed, folder), path.join(directory, folder), { recursive: true });
    }
  }
  await buildExtension(name, path.join(directory, `forge-tests.${name}-0.0.1`));
}

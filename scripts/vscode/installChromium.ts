/** Installs Chromium, and `ps`, which the editor's server calls. */

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

const browserNames = ["chromium", "chromium-browser", "google-chrome"];
const installCommand = "apt-get install -y --no-install-recommends chromium procps";

/**
 * Path of Chromium: `$CHROMIUM`, else the first on the PATH. If it or `ps` is missing, root installs both from the
 * distribution; any other user gets an error with the command.
 */
export function installChromium(): string {
  const found = findChromium();
  if (found !== undefined && findOnPath("ps") !== undefined) return found;
  if (process.getuid?.() !== 0 || findOnPath("apt-get") === undefined) {
    throw new Error(`Chromium or ps is missing. As root: ${installCommand}`);
  }
  console.error("installing Chromium (once)");
  execFileSync("apt-get", ["update"], { stdio: ["ignore", "ignore", "inherit"] });
  const [program = "", ...rest] = installCommand.split(" ");
  execFileSync(program, rest, {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const installed = findChromium();
  if (installed === undefined) throw new Error("Chromium was installed, but is not on the PATH");
  return installed;
}

function findChromium(): string | undefined {
  return process.env["CHROMIUM"] ?? browserNames.map(findOnPath).find((file) => file !== undefined);
}

function findOnPath(program: string): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(path.delimiter);
  return folders.map((folder) => path.join(folder, program)).find((file) => existsSync(file));
}

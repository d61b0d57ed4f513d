import { type StdioOptions, execFileSync } from "node:child_process";
import manifest from "../../package.json" with { type: "json" };

/** The `code` program, if it is installed, can show a window and is new enough for Forge. */
export function desktopCode(): string | undefined {
  const needsDisplay = process.platform === "linux";
  const hasDisplay = process.env["DISPLAY"] !== undefined || process.env["WAYLAND_DISPLAY"] !== undefined;
  if (needsDisplay && !hasDisplay) return undefined;
  const code = process.platform === "win32" ? "code.cmd" : "code";
  const [major = 0, minor = 0] = versionOf(code).split(".").map(Number);
  const [, lowest = 0] = manifest.engines.vscode.replace("^", "").split(".").map(Number);
  return major === 1 && minor >= lowest ? code : undefined;
}

/** "1.139.1"; "" if there is no such program. */
function versionOf(code: string): string {
  try {
    const isShellNeeded = process.platform === "win32"; // `code` is a batch file there
    const stdio: StdioOptions = ["ignore", "pipe", "ignore"];
    return execFileSync(code, ["--version"], { encoding: "utf8", shell: isShellNeeded, stdio }).split("\n")[0] ?? "";
  } catch {
    return "";
  }
}

import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { ChildOutput } from "./killedChild.ts";

/** Copies the folder of a conversation that could not be opened, and prints where it is and how the opening ended. */
export function keepFailedOpen(
  step: string,
  folder: string,
  { lines, signal, exitCode, errorText }: ChildOutput,
): void {
  const kept = join(mkdtempSync(join(tmpdir(), "forge-failed-open-")), basename(folder));
  cpSync(folder, kept, { recursive: true });
  console.log(`${step}: could not be opened (exit ${String(exitCode)}, ${String(signal)}); its folder: ${kept}`);
  console.log(`  its output: ${lines.join(" | ").slice(-500)}\n  its errors: ${errorText.slice(-2_000)}`);
}

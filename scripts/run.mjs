/**
 * Runs scripts/NAME.ts: `node scripts/run.mjs NAME [arguments]`. Node 24 and later runs TypeScript; an older one
 * fetches a newer one first. Exits with the script's code.
 */
import { spawn } from "node:child_process";
import path from "node:path";
import process from "node:process";
import { ensureNode, scriptsNode } from "./vscode/nodeRuntime.mjs";

const [name, ...rest] = process.argv.slice(2);
if (name === undefined) throw new Error("usage: node scripts/run.mjs NAME [arguments]");

const isNewEnough = Number(process.versions.node.split(".")[0]) >= 24;
const node = isNewEnough ? process.execPath : ensureNode(scriptsNode);
const script = path.join(import.meta.dirname, `${name}.ts`);
const child = spawn(node, [script, ...rest], { stdio: "inherit" });

for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`${name} did not start: ${error.message}`);
  process.exitCode = 1;
});
child.on("exit", (code, signal) => {
  if (code === null) console.error(`${name} was ended by ${signal}`);
  process.exitCode = code ?? 1;
});

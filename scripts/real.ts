/**
 * `npm run real -- [LEG…] [--data DIR] [--full]`: puts Forge before a real language model on this machine, and its replica
 * into a real object store. Installs them into `.vscode-test/real/`, and writes `.vscode-test/real/report.md`. Legs: `chat`
 * (the packaged extension in the real workbench), `wire` (the adapters), `summaries`, `servers`, `ollama`, `s3`; all of them
 * by default.
 */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { projectDirectory } from "./command.ts";
import { chat } from "./real/chat.ts";
import { Checks } from "./real/checks.ts";
import type { Leg } from "./real/leg.ts";
import { LLAMA_SERVER, MODEL_NAME } from "./real/llamaServer.ts";
import { realDirectory } from "./real/packages.ts";
import { closingLine, hasSucceeded, reportDocument } from "./real/report.ts";
import { ollama } from "./real/ollama.ts";
import { s3 } from "./real/s3.ts";
import { servers } from "./real/servers.ts";
import { summaries } from "./real/summaries.ts";
import { wire } from "./real/wire.ts";

const legs: readonly Leg[] = [chat, wire, summaries, servers, ollama, s3];

const { values, positionals } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  allowPositionals: true,
  options: { data: { type: "string" }, full: { type: "boolean", default: false } },
});
const unknown = positionals.find((name) => legs.every((leg) => leg.name !== name));
if (unknown !== undefined) throw new Error(`no leg "${unknown}": choose ${legs.map(({ name }) => name).join(", ")}`);

// Programs that were started end with this process, on `exit`.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(130));

const pictures = "pictures";
const begun = new Date();
const run: Checks[] = [];
for (const leg of legs) {
  const isNamed = positionals.includes(leg.name);
  if (positionals.length > 0 && !isNamed) continue;
  const checks = new Checks(leg.name, path.join(realDirectory, pictures), console.log);
  run.push(checks);
  const options = { data: values.data, full: values.full, isNamed };
  const missing = leg.missing(options);
  if (missing === undefined)
    await leg.run(checks, options).catch(async (error: unknown) => {
      await checks.check("runs to its end", () => {
        throw error;
      });
    });
  else checks.skip("all of it", missing);
}

const results = run.flatMap((checks) => checks.results);
const file = path.join(realDirectory, "report.md");
mkdirSync(realDirectory, { recursive: true });
writeFileSync(
  file,
  reportDocument({ facts: factsOf(), results, tables: run.flatMap(({ tables }) => tables), pictures }),
);
console.log(`see ${path.relative(projectDirectory, file)}`);
console.log(closingLine(results));
process.exit(hasSucceeded(results) ? 0 : 1);

function factsOf(): Readonly<Record<string, string>> {
  const { version } = JSON.parse(readFileSync(path.join(projectDirectory, "package.json"), "utf8")) as {
    readonly version: string;
  };
  const cpus = os.cpus();
  const gigabytes = Math.round(os.totalmem() / 1e9);
  return {
    Forge: version,
    begun: begun.toISOString(),
    minutes: ((Date.now() - begun.getTime()) / 60_000).toFixed(1),
    machine: `${String(cpus.length)} × ${cpus[0]?.model ?? "?"}, ${String(gigabytes)} GB, ${os.platform()} ${os.release()}`,
    server: LLAMA_SERVER,
    model: MODEL_NAME,
  };
}

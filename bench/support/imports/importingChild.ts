/**
 * Imports a file as the host does, in a process of its own, and prints the figures. Arguments: the file, the folder of
 * the conversations, and the folder of the shipped files.
 */

import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { parseConversationId } from "../../../src/core/ids.ts";
import { invariant } from "../../../src/core/result.ts";
import { importFromFile } from "../../../src/host/conversations/transfer/importFromFile.ts";
import { LoopProbe } from "../long/loopProbe.ts";
import { PeakMemory } from "../long/peakMemory.ts";

const [, , file = "", root = "", dist = ""] = process.argv;
const id = parseConversationId(randomUUID());
invariant(id !== undefined, "a new UUID is an id");
const places = {
  file,
  id,
  root,
  workerFile: join(dist, "storageWorker.cjs"),
  sqlJsFile: join(dist, "sql-wasm-debug.js"),
  ranksFolder: join(dist, "ranks"),
  cancel: new AbortController().signal,
};
const memory = new PeakMemory();
const probe = new LoopProbe();
const figures: Record<string, unknown> = {};
const { peakMb } = await memory.growthDuring(async () => {
  probe.reset();
  const [began, before] = [performance.now(), process.cpuUsage()];
  figures["imported"] = await importFromFile(places);
  figures["seconds"] = (performance.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(before);
  figures["cpuSeconds"] = (user + system) / 1e6;
  figures["hostBlockMs"] = probe.longestMs;
});
await memory.end();
console.log(JSON.stringify({ ...figures, peakMb }));
process.exit();

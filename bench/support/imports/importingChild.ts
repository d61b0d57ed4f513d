/**
 * Imports a file in a process of its own, and prints the figures. Arguments: the file, the folder of the conversations,
 * and the folder of the shipped files.
 */

import { LoopProbe } from "../long/loopProbe.ts";
import { PeakMemory } from "../long/peakMemory.ts";
import { importInto } from "./importInto.ts";

const [, , file = "", root = "", dist = ""] = process.argv;
const memory = new PeakMemory();
const probe = new LoopProbe();
const figures: Record<string, unknown> = {};
const { peakMb } = await memory.growthDuring(async () => {
  probe.reset();
  const [began, before] = [performance.now(), process.cpuUsage()];
  figures["imported"] = await importInto(file, { root, dist });
  figures["seconds"] = (performance.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(before);
  figures["cpuSeconds"] = (user + system) / 1e6;
  figures["hostBlockMs"] = probe.longestMs;
});
await memory.end();
console.log(JSON.stringify({ ...figures, peakMb }));
process.exit();

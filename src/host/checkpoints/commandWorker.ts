/** Entry point of the thread that reads the folders around a command. */

import { parentPort, workerData } from "node:worker_threads";
import { CheckpointFolder } from "../../adapters/node/checkpoints/checkpointFolder.ts";
import { beginCommand, endCommand } from "../../adapters/node/checkpoints/commandFiles.ts";
import { systemClock } from "../../adapters/node/clock.ts";
import { ok } from "../../core/result.ts";
import type { CommandTask, CommandTaskAnswer } from "./commandTask.ts";

const { kept, git, begins } = workerData as CommandTask; // only this program's own host starts the thread
const services = { store: new CheckpointFolder(kept), ...(git === undefined ? {} : { git }) };

async function run(): Promise<CommandTaskAnswer> {
  if (begins === undefined) return endCommand(services, systemClock.nowMs());
  const begun = await beginCommand(begins.command, begins.folders, services);
  return begun.ok ? ok(undefined) : begun;
}

void run().then((answer) => parentPort?.postMessage(answer));

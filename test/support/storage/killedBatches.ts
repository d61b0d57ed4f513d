/**
 * Kills turns with tools at every step of a batch, and resumes them as a user would. No call may run twice or lack a
 * result, and every shown result must be stored.
 */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { keepFailedOpen } from "./failedOpen.ts";
import { runAndKill, type ChildOutput } from "./killedChild.ts";
import { judge } from "./nativeJudge.ts";
import { BATCH_STEPS } from "../session/batchSteps.ts";

/** Failures over all kills. */
export interface KilledBatches {
  kills: number;
  orphanToolCalls: number;
  callsRunTwice: number;
  /** Shown results missing in the history, or calls that ran but are recorded as not started. */
  lost: number;
  integrityErrors: number;
  failedOpens: number;
}

/** Kills per conversation: a long one takes longer to open. */
const NEW_FOLDER_EVERY = 16;
/** Upper bound of file calls per step in one child. */
const MOST_MOMENTS = 24;

/** Kills `times` children at all steps in turn, at moments spread over each. `child` is the URL of `toolsChild`. */
export async function killedBatches(root: string, child: string, times: number): Promise<KilledBatches> {
  const found = { kills: 0, orphanToolCalls: 0, callsRunTwice: 0, lost: 0, integrityErrors: 0, failedOpens: 0 };
  let folder = "";
  let shown: readonly string[] = [];
  for (let round = 0; round <= times; round++) {
    const isNew = round % NEW_FOLDER_EVERY === 0;
    if (isNew) {
      if (folder !== "") await look(found, { child, folder, shown });
      folder = join(root, String(round), "conversation");
      mkdirSync(folder, { recursive: true });
      shown = [];
    }
    const step = BATCH_STEPS[round % BATCH_STEPS.length] ?? "open";
    const moment = (round * 5) % MOST_MOMENTS;
    const output = await runAndKill({ script: child, args: [folder, step, String(moment)] });
    const isOwnKill = output.signal === "SIGKILL";
    if (isOwnKill) found.kills++;
    shown = [...shown, ...tally(found, { output, isOwnKill, shown, folder })];
  }
  await look(found, { child, folder, shown });
  return found;
}

/** Checks the last kill of a folder, too. */
async function look(
  found: KilledBatches,
  { child, folder, shown }: { readonly child: string; readonly folder: string; readonly shown: readonly string[] },
): Promise<void> {
  for (let time = 0; time < 2; time++) {
    const output = await runAndKill({ script: child, args: [folder, "none", "0"] });
    tally(found, { output, isOwnKill: false, shown, folder });
  }
}

interface Finding {
  readonly orphans: number;
  readonly done: readonly string[];
  /** Number of effects by call. */
  readonly effects: Readonly<Record<string, number>>;
}

interface Round {
  readonly output: ChildOutput;
  readonly isOwnKill: boolean;
  /** Calls whose result was shown by earlier children. */
  readonly shown: readonly string[];
  readonly folder: string;
}

/** Counts a child's results. Returns the calls whose results it showed. */
function tally(found: KilledBatches, { output, isOwnKill, shown, folder }: Round): readonly string[] {
  const { lines } = output;
  if (judge(folder).integrity !== "ok") found.integrityErrors++;
  const said = (word: string): readonly string[] =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
  const [finding] = said("found").map((json): Finding => JSON.parse(json) as Finding);
  if (finding === undefined) {
    if (!isOwnKill) {
      found.failedOpens++;
      keepFailedOpen("batch", folder, output);
    }
    return [];
  }
  const [open = {}] = said("open").map((json) => JSON.parse(json) as Readonly<Record<string, string>>);
  const isKnown = (callId: string): boolean => finding.done.includes(callId) || open[callId] === "done";
  found.orphanToolCalls += finding.orphans;
  found.callsRunTwice += Object.values(finding.effects).filter((times) => times > 1).length;
  found.lost += shown.filter((callId) => !isKnown(callId)).length;
  found.lost += Object.keys(finding.effects).filter((callId) => open[callId] === "notStarted").length;
  return said("shown");
}

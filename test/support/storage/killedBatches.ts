/**
 * Turns with tools that are killed at every step of a batch, and gone on with as a user would who says Resume. No call may
 * run twice, none may be without a result, and what was shown of one must be there.
 */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { runAndKill } from "./killedChild.ts";
import { judge } from "./nativeJudge.ts";
import { BATCH_STEPS } from "../session/batchSteps.ts";

/** What went wrong, over all kills. */
export interface KilledBatches {
  kills: number;
  orphanToolCalls: number;
  callsRunTwice: number;
  /** Results that were shown and are not in the history, or calls that ran and are said not to have been started. */
  lost: number;
  integrityErrors: number;
  failedOpens: number;
}

/** A new conversation after so many kills: a long one takes longer to open. */
const NEW_FOLDER_EVERY = 16;
/** A step takes fewer file calls than this in one child. */
const MOST_MOMENTS = 24;

/** Kills `times` children, at all steps in turn and at moments spread over each. `child` is the address of `toolsChild`. */
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
    const { lines, signal } = await runAndKill({ script: child, args: [folder, step, String(moment)] });
    if (signal === "SIGKILL") found.kills++;
    shown = [...shown, ...tally(found, { lines, isOwnKill: signal === "SIGKILL", shown, folder })];
  }
  await look(found, { child, folder, shown });
  return found;
}

/** The last kill of a folder is looked at too. */
async function look(
  found: KilledBatches,
  { child, folder, shown }: { readonly child: string; readonly folder: string; readonly shown: readonly string[] },
): Promise<void> {
  for (let time = 0; time < 2; time++) {
    const { lines } = await runAndKill({ script: child, args: [folder, "none", "0"] });
    tally(found, { lines, isOwnKill: false, shown, folder });
  }
}

interface Finding {
  readonly orphans: number;
  /** Calls with a result in the history. */
  readonly done: readonly string[];
  /** How often each call had its effect. */
  readonly effects: Readonly<Record<string, number>>;
}

interface Round {
  readonly lines: readonly string[];
  readonly isOwnKill: boolean;
  /** Calls whose result was shown before. */
  readonly shown: readonly string[];
  readonly folder: string;
}

/** Adds what one child found; answers the calls whose results it showed. */
function tally(found: KilledBatches, { lines, isOwnKill, shown, folder }: Round): readonly string[] {
  if (judge(folder).integrity !== "ok") found.integrityErrors++;
  const said = (word: string): readonly string[] =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
  const [finding] = said("found").map((json): Finding => JSON.parse(json) as Finding);
  if (finding === undefined) {
    if (!isOwnKill) {
      found.failedOpens++;
      console.log(`a batch could not be opened: ${lines.join(" | ").slice(0, 200)}`);
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

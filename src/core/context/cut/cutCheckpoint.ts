/**
 * The point at which a cut was made. The cut follows from checkpoint and history alone, so a conversation that is
 * reloaded is sent as before.
 */

import type { FullHistory } from "../../history/fullHistory.ts";
import type { ConversationRecord, IndexRecord } from "../../history/records.ts";
import { toolOf } from "../../history/summaries/summary.ts";
import { isStrategySetting } from "../strategyParameters.ts";

export interface CutCheckpoint {
  /** Number of messages then; later ones are appended unchanged. */
  readonly entries: number;
  /** Number of summaries then; later ones are not used. */
  readonly summaries: number;
  /** Blocks whose summaries have ids below this may be refined: those made before the last model change. */
  readonly restorable: number;
  /**
   * Summaries with ids below this may be sent in the parts that they were made of, where there is room again: those of
   * earlier moments. A compaction does not undo itself.
   */
  readonly splittable: number;
  /** How much of the budget finer blocks may fill: after a compaction up to the target, else up to the next one. */
  readonly fill: "compaction" | "target" | "restore";
  /** Numbers of messages and summaries when the conversation returned to this cut's model. */
  readonly returned?: {
    readonly entries: number;
    readonly summaries: number;
    /** State when the model was left; absent if the checkpoint says already what was sent then. */
    readonly visit?: ModelVisit;
  };
}

/** State when the conversation left a model, and the checkpoint that the records had led to. */
export interface ModelVisit {
  readonly checkpoint: CutCheckpoint;
  readonly entries: number;
  readonly summaries: number;
  /** Number of changes until then that affect a cut. */
  readonly changes: number;
}

/** Number of returns to this model since the last non-message record, as far back as they are tracked. */
export function returnsIn({ returned }: CutCheckpoint): number {
  return returned?.visit === undefined ? 0 : 1 + returnsIn(returned.visit.checkpoint);
}

export const FIRST_CHECKPOINT: CutCheckpoint = {
  entries: 0,
  summaries: 0,
  restorable: 0,
  splittable: 0,
  fill: "restore",
};

/**
 * The checkpoint after `record`, which is in `history` already; `undefined` if the cut continues. A compaction shows no
 * more than it must; undoing, pinning and hiding restore what fits. What was summarized since the last model change is
 * never restored automatically, or a compaction would undo itself.
 */
export function checkpointAfter(
  record: IndexRecord | ConversationRecord,
  checkpoint: CutCheckpoint,
  history: FullHistory,
): CutCheckpoint | undefined {
  const restorable = restorableFrom(checkpoint);
  switch (record.kind) {
    case "summary":
      // One of another tool is no compaction here.
      if (toolOf(record.summary) !== undefined) return checkpointNow(history, restorable, "restore");
      return { ...checkpointNow(history, restorable, "compaction"), splittable: splittableAfter(checkpoint, history) };
    case "summaryState":
      return record.state === "active"
        ? { ...checkpointNow(history, Math.min(restorable, record.id), "target"), splittable: record.id }
        : checkpointNow(history, restorable, "restore");
    case "setting":
      if (!isStrategySetting(record.name)) return undefined;
      // Who chooses to send everything has all of it sent that fits, whatever was summarized before.
      return checkpointNow(
        history,
        record.name === "strategy" && record.value === "fullHistory" ? history.summaryCount : restorable,
        "restore",
      );
    case "visibility":
    case "pin":
    case "leftOut":
    case "erasure":
      return checkpointNow(history, restorable, "restore");
    default:
      return undefined;
  }
}

/** Which blocks the next cut may refine: returning to a model counts as a model change. */
export function restorableFrom({ restorable, returned }: CutCheckpoint): number {
  return returned?.summaries ?? restorable;
}

/** The summaries of one compaction are recorded with no message between them. */
function splittableAfter({ entries, splittable, fill }: CutCheckpoint, history: FullHistory): number {
  const isSameCompaction = fill === "compaction" && entries === history.length;
  return isSameCompaction ? splittable : history.summaryCount - 1;
}

function checkpointNow(history: FullHistory, restorable: number, fill: CutCheckpoint["fill"]): CutCheckpoint {
  const summaries = history.summaryCount;
  return { entries: history.length, summaries, restorable, splittable: summaries, fill };
}

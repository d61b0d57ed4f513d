/**
 * The moment at which a cut was made. From a checkpoint and the history alone the cut follows, so a conversation that is read
 * again is sent as it was before.
 */

import type { FullHistory } from "../../history/fullHistory.ts";
import type { ConversationRecord, IndexRecord } from "../../history/records.ts";

/** When a cut was made, and how much it may show. */
export interface CutCheckpoint {
  /** Number of messages at that moment; later ones are appended as they are. */
  readonly entries: number;
  /** Number of summaries at that moment; later ones are not used. */
  readonly summaries: number;
  /** Blocks whose summaries have ids below this may be shown finer: those made before the last change of the model. */
  readonly restorable: number;
  /** How much of the budget finer blocks may fill: after a compaction only the target, else all up to the next one. */
  readonly fill: "target" | "restore";
  /** When the conversation came back to this cut's model: messages and summaries at that moment. */
  readonly returned?: {
    readonly entries: number;
    readonly summaries: number;
    /** How it was left; absent where the checkpoint says already what was sent then. */
    readonly visit?: ModelVisit;
  };
}

/** How a conversation stood when it went on with another model, and the checkpoint that the records had put its cut at. */
export interface ModelVisit {
  readonly checkpoint: CutCheckpoint;
  readonly entries: number;
  readonly summaries: number;
  /** Number of changes until then that a cut depends on. */
  readonly changes: number;
}

/** Number of returns to this model since the last record that is no message, as far back as they are followed. */
export function returnsIn({ returned }: CutCheckpoint): number {
  return returned?.visit === undefined ? 0 : 1 + returnsIn(returned.visit.checkpoint);
}

/** The checkpoint of an empty conversation. */
export const FIRST_CHECKPOINT: CutCheckpoint = { entries: 0, summaries: 0, restorable: 0, fill: "restore" };

/**
 * The checkpoint after `record`, which `history` holds already; `undefined` when the cut goes on. A compaction shows no more
 * than it must; undoing, pinning and hiding bring back what fits. What was summarized since the model was changed never
 * comes back by itself, or a compaction would undo itself.
 */
export function checkpointAfter(
  record: IndexRecord | ConversationRecord,
  checkpoint: CutCheckpoint,
  history: FullHistory,
): CutCheckpoint | undefined {
  const restorable = restorableFrom(checkpoint);
  switch (record.kind) {
    case "summary":
      return checkpointNow(history, restorable, "target");
    case "summaryState":
      return record.state === "active"
        ? checkpointNow(history, Math.min(restorable, record.id), "target")
        : checkpointNow(history, restorable, "restore");
    case "setting":
      return record.name === "strategy" ? checkpointNow(history, restorable, "restore") : undefined;
    case "visibility":
    case "pin":
    case "leftOut":
    case "erasure":
      return checkpointNow(history, restorable, "restore");
    default:
      return undefined;
  }
}

/** Which blocks the next cut may show finer: coming back to a model is a change of the model. */
export function restorableFrom({ restorable, returned }: CutCheckpoint): number {
  return returned?.summaries ?? restorable;
}

/** A checkpoint of this moment. */
function checkpointNow(history: FullHistory, restorable: number, fill: CutCheckpoint["fill"]): CutCheckpoint {
  return { entries: history.length, summaries: history.summaryCount, restorable, fill };
}

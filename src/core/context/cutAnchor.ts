/**
 * The moment at which a cut was made. From an anchor and the history alone the cut follows, so a conversation that is read
 * again is sent as it was before.
 */

import type { FullHistory } from "../history/fullHistory.ts";
import type { ConversationRecord, IndexRecord } from "../history/records.ts";

/** When a cut was made, and how much it may show. */
export interface CutAnchor {
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
    /** When it left off with it; absent where the anchor says already what was sent then. */
    readonly left?: LeftAt;
  };
}

/** When a conversation left off with a model, and the anchor that the records had put its cut at. */
export interface LeftAt {
  readonly anchor: CutAnchor;
  readonly entries: number;
  readonly summaries: number;
  /** How much had happened. */
  readonly happened: number;
}

/** How often a conversation came back to a model since something other than a message happened, as far as that is looked at. */
export function returnsIn({ returned }: CutAnchor): number {
  return returned?.left === undefined ? 0 : 1 + returnsIn(returned.left.anchor);
}

/** The anchor of an empty conversation. */
export const FIRST_ANCHOR: CutAnchor = { entries: 0, summaries: 0, restorable: 0, fill: "restore" };

/**
 * The anchor after `record`, which `history` holds already; `undefined` when the cut goes on. A compaction shows no more
 * than it must; undoing, pinning and hiding bring back what fits. What was summarized since the model was changed never
 * comes back by itself, or a compaction would undo itself.
 */
export function anchorAfter(
  record: IndexRecord | ConversationRecord,
  anchor: CutAnchor,
  history: FullHistory,
): CutAnchor | undefined {
  const restorable = restorableFrom(anchor);
  switch (record.kind) {
    case "summary":
      return anchorNow(history, restorable, "target");
    case "summaryState":
      return record.state === "active"
        ? anchorNow(history, Math.min(restorable, record.id), "target")
        : anchorNow(history, restorable, "restore");
    case "setting":
      return record.name === "strategy" ? anchorNow(history, restorable, "restore") : undefined;
    case "visibility":
    case "pin":
    case "leftOut":
    case "erasure":
      return anchorNow(history, restorable, "restore");
    default:
      return undefined;
  }
}

/** Which blocks the next cut may show finer: coming back to a model is a change of the model. */
export function restorableFrom({ restorable, returned }: CutAnchor): number {
  return returned?.summaries ?? restorable;
}

/** An anchor of this moment. */
function anchorNow(history: FullHistory, restorable: number, fill: CutAnchor["fill"]): CutAnchor {
  return { entries: history.length, summaries: history.summaryCount, restorable, fill };
}

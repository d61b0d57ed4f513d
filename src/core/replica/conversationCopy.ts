/** A conversation as one machine has it, folded from its records: the index, and which record is which elsewhere. */

import { FullHistory, type StoredRecord } from "../history/fullHistory.ts";
import { isUserChoice } from "../history/modelChoice.ts";
import type { GlobalId, SegmentInfo } from "../history/segmentInfo.ts";
import type { MessageId } from "../ids.ts";
import { GlobalIds } from "./globalIds.ts";

export class ConversationCopy {
  readonly history = new FullHistory();
  readonly ids = new GlobalIds();
  /** Number of the last record that set a value, by its name. */
  readonly #setBy = new Map<string, number>();

  /** Records must be applied in their order. */
  apply(record: StoredRecord): void {
    this.history.apply(record);
    this.applyToIds(record);
  }

  /** Follows for what was applied to `history` alone. */
  applyToIds(record: StoredRecord): void {
    const name = valueName(record);
    if (name !== undefined) this.#setBy.set(name, this.ids.recordCount);
    this.ids.apply(record);
  }

  /** The last visible message; `undefined` if there is none. */
  get end(): MessageId | undefined {
    return this.history.lastVisible?.id;
  }

  /**
   * True if record `index` of `segment` sets a value that this copy has by a later one. Of two that know nothing of each
   * other the one with the greater epoch counts, then the one of the greater writer: so all copies get the same.
   */
  isSuperseded(record: StoredRecord, segment: SegmentInfo, index: number): boolean {
    const name = valueName(record);
    const number = name === undefined ? undefined : this.#setBy.get(name);
    if (number === undefined) return false;
    const own = this.ids.idOf(number);
    if (own === undefined) return true; // it will be published with a greater epoch
    const info = this.ids.segment(own.segment);
    return (
      info !== undefined && compareStamps(stampOf(info, own), stampOf(segment, { segment: segment.hash, index })) > 0
    );
  }
}

type Stamp = readonly (number | string)[];

function stampOf({ epoch, writer, sequence }: SegmentInfo, { segment, index }: GlobalId): Stamp {
  return [epoch, writer, sequence, segment, index];
}

function compareStamps(one: Stamp, other: Stamp): number {
  const at = one.findIndex((part, place) => part !== other[place]);
  const [mine, its] = [one[at] ?? 0, other[at] ?? 0];
  return at < 0 ? 0 : mine < its ? -1 : 1;
}

/** Names what a record sets, of which the newest value applies; `undefined` for records that add something. */
function valueName(record: StoredRecord): string | undefined {
  switch (record.kind) {
    case "title":
      return "title";
    case "model":
      return isUserChoice(record) ? "model" : undefined;
    case "setting":
      return `setting ${record.name}`;
    case "pin":
      return `pin ${String(record.id)}`;
    case "leftOut":
      return `leftOut ${String(record.id)}`;
    case "summaryState":
      return `summary ${String(record.id)}`;
    default:
      return undefined;
  }
}

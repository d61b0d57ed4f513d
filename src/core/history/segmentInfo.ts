/** Segments of the replica: records that one machine wrote, in an object that never changes. */

/** Lower-case hexadecimal digits of a part of the SHA-256 hash of its bytes, which names an object. */
export type ObjectHash = string;
/** Random, and new at each start of replication on a machine: a copied disk goes on as another writer. */
export type WriterId = string;

export interface SegmentInfo {
  readonly hash: ObjectHash;
  readonly writer: WriterId;
  /** 0, 1, 2, … among those of its writer in this conversation. Two with the same one are versions, as any others. */
  readonly sequence: number;
  /** Greater than those of all segments that its writer had. */
  readonly epoch: number;
  /** Segments that its writer had, without those that these name in turn; includes the one that it continues. */
  readonly after: readonly ObjectHash[];
  /** Number of its records. */
  readonly count: number;
  /** Name of the machine, for the reader. */
  readonly machine: string;
}

/** From record `number` here on, `count` of them are those from `index` of the segment on. */
export interface SegmentRun {
  readonly number: number;
  readonly index: number;
  readonly count: number;
}

/** A record here, and the id of the message or the summary that it made. */
export type RecordPlace = readonly [number: number, id: number];

/** A record, the same in all copies. */
export interface GlobalId {
  readonly segment: ObjectHash;
  readonly index: number;
}

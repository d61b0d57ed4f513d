/**
 * Scans the frames of a write-ahead log as SQLite does, and then past the first bad frame. SQLite silently stops there,
 * which is right for a commit that a power cut interrupted and wrong for a damaged log.
 */

/** Reads `length` bytes of the log at `position`. The next call reuses the buffer. */
export type ReadLog = (position: number, length: number) => Uint8Array;

/** Offsets of the newest copy of each page in a log. */
export interface LogFrames {
  /** By page number, up to the last valid commit: what SQLite sees. */
  readonly committed: ReadonlyMap<number, number>;
  /** By page number, from every frame with this log's salt. */
  readonly all: ReadonlyMap<number, number>;
  /** Commits after the first invalid frame. */
  readonly commitsAfterBreak: number;
  readonly isHeaderValid: boolean;
}

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const LITTLE_ENDIAN_MAGIC = 0x377f0682;
/**
 * End of the search for frames of this log: so much without one. A log has at most 8 MB of earlier frames behind its own
 * (`journal_size_limit`), and 256 KB of zeros (`LogReserve`); a sparse file may claim terabytes of them.
 */
const MOST_FOREIGN_BYTES = 64 * 1024 * 1024;

type Sums = readonly [number, number];

export function readLogFrames(read: ReadLog, sizeBytes: number, pageBytes: number): LogFrames {
  const committed = new Map<number, number>();
  const all = new Map<number, number>();
  let commitsAfterBreak = 0;
  if (sizeBytes < HEADER_BYTES) return { committed, all, commitsAfterBreak, isHeaderValid: true };
  const header = viewOf(read(0, HEADER_BYTES));
  const littleEndian = header.getUint32(0) === LITTLE_ENDIAN_MAGIC;
  let sums = checksumOf(header, 0, HEADER_BYTES - 8, { littleEndian, sums: [0, 0] });
  const isHeaderValid = sums[0] === header.getUint32(24) && sums[1] === header.getUint32(28);
  const frameBytes = FRAME_HEADER_BYTES + pageBytes;
  const salt = isHeaderValid ? saltAt(header, 16) : commonestSalt(read, sizeBytes, frameBytes);
  let isSound = isHeaderValid;
  let sinceCommit = new Map<number, number>();
  let ownEnd = HEADER_BYTES;
  for (let at = HEADER_BYTES; at + frameBytes <= sizeBytes && at - ownEnd < MOST_FOREIGN_BYTES; at += frameBytes) {
    const frame = viewOf(read(at, isSound ? frameBytes : FRAME_HEADER_BYTES));
    const page = frame.getUint32(0);
    const isCommit = frame.getUint32(4) > 0;
    const isOfThisLog = saltAt(frame, 8) === salt && page > 0;
    if (isOfThisLog) {
      all.set(page, at + FRAME_HEADER_BYTES);
      ownEnd = at + frameBytes;
    }
    if (isSound) {
      sums = checksumOf(frame, 0, 8, { littleEndian, sums });
      sums = checksumOf(frame, FRAME_HEADER_BYTES, pageBytes, { littleEndian, sums });
      isSound = isOfThisLog && sums[0] === frame.getUint32(16) && sums[1] === frame.getUint32(20);
    }
    if (!isSound) {
      if (isOfThisLog && isCommit) commitsAfterBreak++;
      continue;
    }
    sinceCommit.set(page, at + FRAME_HEADER_BYTES);
    if (!isCommit) continue;
    for (const [number, offset] of sinceCommit) committed.set(number, offset);
    sinceCommit = new Map();
  }
  return { committed, all, commitsAfterBreak, isHeaderValid };
}

/** The salt is shared by a log's header and frames, and differs from that of earlier logs in the same file. */
function saltAt(view: DataView, offset: number): bigint {
  return view.getBigUint64(offset);
}

/** The salt of most frames, for a log whose header is lost. */
function commonestSalt(read: ReadLog, sizeBytes: number, frameBytes: number): bigint | undefined {
  const counts = new Map<bigint, number>();
  let best: bigint | undefined;
  let filledEnd = HEADER_BYTES;
  for (let at = HEADER_BYTES; at + frameBytes <= sizeBytes && at - filledEnd < MOST_FOREIGN_BYTES; at += frameBytes) {
    const salt = saltAt(viewOf(read(at, FRAME_HEADER_BYTES)), 8);
    if (salt === 0n) continue; // reserved zeros, no frame (see `LogReserve`)
    filledEnd = at + frameBytes;
    const count = (counts.get(salt) ?? 0) + 1;
    counts.set(salt, count);
    if (best === undefined || count > (counts.get(best) ?? 0)) best = salt;
  }
  return best;
}

interface Checksumming {
  readonly littleEndian: boolean;
  readonly sums: Sums;
}

function checksumOf(view: DataView, from: number, length: number, { littleEndian, sums }: Checksumming): Sums {
  let [a, b] = sums;
  for (let at = from; at < from + length; at += 8) {
    a = (a + view.getUint32(at, littleEndian) + b) >>> 0;
    b = (b + view.getUint32(at + 4, littleEndian) + a) >>> 0;
  }
  return [a, b];
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * The seam behind which the SQLite engine stands. All calls are synchronous and run in the store's worker.
 * They throw an {@link EngineError} when SQLite refuses; `storageServer.ts` is the one place that catches it.
 */

/** What SQLite stores in a column. */
export type SqlValue = number | string | Uint8Array | null;
/** A row, by the names of its columns. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** A statement that is parsed once and run many times. */
export interface Prepared {
  /** Runs it for its effect. */
  run(parameters?: readonly SqlValue[]): void;
  /** Runs it for its rows. */
  all(parameters?: readonly SqlValue[]): readonly SqlRow[];
}

/** One open database. */
export interface Engine {
  /** Runs any number of statements, without parameters, for their effect. */
  exec(sql: string): void;
  /** Runs one statement for its rows. */
  all(sql: string, parameters?: readonly SqlValue[]): readonly SqlRow[];
  /** Parses a statement for use until `close`. */
  prepare(sql: string): Prepared;
  /** Checkpoints, closes the file and frees it. */
  close(): void;
}

/** SQLite refused. `resultCode` is its primary result code, `systemCode` what the operating system had said. */
export class EngineError extends Error {
  readonly resultCode: number;
  readonly systemCode: string | undefined;

  constructor(message: string, resultCode: number, systemCode: string | undefined) {
    super(message);
    this.name = "EngineError";
    this.resultCode = resultCode;
    this.systemCode = systemCode;
  }
}

/** The library's system calls are not the ones that the shim knows: starting would write into nowhere. */
export class EngineChanged extends Error {}

/** A row was read that is not what was once written. */
export class DamagedRow extends Error {}

/** Reads a column that holds a number; throws {@link DamagedRow} when it does not: the tables allow nothing else. */
export function numberIn(row: SqlRow | undefined, column: string): number {
  const value = row?.[column];
  if (typeof value !== "number") throw new DamagedRow(`column ${column} holds no number`);
  return value;
}

/** Reads a column that holds text; throws {@link DamagedRow} when it does not. */
export function textIn(row: SqlRow | undefined, column: string): string {
  const value = row?.[column];
  if (typeof value !== "string") throw new DamagedRow(`column ${column} holds no text`);
  return value;
}

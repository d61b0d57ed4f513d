/**
 * Interface of the SQLite engine. All calls are synchronous, run in a storage worker, and throw an {@link EngineError}
 * when SQLite fails; `storageErrors.ts` turns it into a value.
 */

export type SqlValue = number | string | Uint8Array | null;
/** Values by column name. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

export interface PreparedStatement {
  run(parameters?: readonly SqlValue[]): void;
  all(parameters?: readonly SqlValue[]): readonly SqlRow[];
}

/** One open database. */
export interface Engine {
  /** Runs any number of statements and ignores their rows. */
  exec(sql: string): void;
  /** Runs one statement and returns its rows. */
  all(sql: string, parameters?: readonly SqlValue[]): readonly SqlRow[];
  /** The statement stays valid until `close`. */
  prepare(sql: string): PreparedStatement;
  /** Opens the database file at `path` on the same connection, as `schema`. */
  attach(path: string, schema: string): void;
  /** Makes `action` a function of SQL with as many parameters as it declares; replaces an earlier one. */
  define(name: string, action: (...values: SqlValue[]) => SqlValue): void;
  /** Checkpoints the log and closes the file. */
  close(): void;
}

/** `resultCode` is SQLite's primary result code; `systemCode` is the system error that caused it, such as `ENOSPC`. */
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

/** sql.js does not make the system calls that the shim expects; its writes would not reach the disk. */
export class EngineChanged extends Error {}

/** A row is missing or not what was written. */
export class DamagedRow extends Error {}

/** Throws {@link DamagedRow} if the column is not a number: the schema allows nothing else. */
export function numberColumn(row: SqlRow | undefined, column: string): number {
  const value = row?.[column];
  if (typeof value !== "number") throw new DamagedRow(`column ${column} holds no number`);
  return value;
}

/** Throws {@link DamagedRow} if the column is not text. */
export function textColumn(row: SqlRow | undefined, column: string): string {
  const value = row?.[column];
  if (typeof value !== "string") throw new DamagedRow(`column ${column} holds no text`);
  return value;
}

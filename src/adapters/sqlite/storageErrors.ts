/** Maps SQLite errors to storage failures. SQLite's result codes are known only here, except SQLITE_BUSY in `erase`. */

import { storageFailed, type StorageFailed } from "../../core/errors.ts";
import { DamagedRow, EngineChanged, EngineError } from "./engine/engine.ts";
import { systemCodeOf } from "./engine/shim/errno.ts";

const SQLITE_ERROR = 1;
const SQLITE_NOMEM = 7;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_CONSTRAINT = 19;
const SQLITE_NOTADB = 26;

/** A row violated a constraint or trigger: a bug of the caller, not a disk failure. */
export function isConstraintViolation(error: unknown): boolean {
  return error instanceof EngineError && error.resultCode === SQLITE_CONSTRAINT;
}

/** ROLLBACK failed because SQLite had already rolled back by itself. */
export function isNoTransaction(error: unknown): boolean {
  return error instanceof EngineError && error.resultCode === SQLITE_ERROR;
}

export function notWritable(journalMode: string, systemCode: string | undefined): EngineError {
  return new EngineError(`the file can only be read (journal mode ${journalMode})`, SQLITE_READONLY, systemCode);
}

/** Converts an expected storage error; rethrows anything else, which is a bug. */
export function storageFailureOf(error: unknown): StorageFailed {
  if (error instanceof EngineChanged) return failed("engineChanged", error.message);
  if (error instanceof Refused) return error.failure;
  if (error instanceof DamagedRow) return failed("damaged", error.message);
  if (error instanceof EngineError) return engineFailure(error);
  const systemCode = systemCodeOf(error);
  if (systemCode !== undefined && error instanceof Error) return storageFailed(systemCode, error.message);
  throw error;
}

/** Thrown when the store itself refuses, before calling SQLite. */
export class Refused extends Error {
  readonly failure: StorageFailed;

  constructor(failure: StorageFailed) {
    super(failure.detail);
    this.failure = failure;
  }
}

function engineFailure(error: EngineError): StorageFailed {
  const system = error.systemCode;
  const detail = system === undefined ? error.message : `${error.message} (${system})`;
  switch (error.resultCode) {
    case SQLITE_FULL:
      return failed("diskFull", detail);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return failed("damaged", detail);
    case SQLITE_READONLY:
      return failed(system === "EACCES" || system === "EPERM" ? "noPermission" : "readOnly", detail);
    case SQLITE_CANTOPEN:
      return storageFailed(system, `the database file cannot be opened (${system ?? "unknown reason"})`);
    case SQLITE_IOERR:
      // No system call failed, so the page lies beyond the end of a truncated file.
      return system === undefined ? failed("damaged", detail) : storageFailed(system, detail);
    case SQLITE_NOMEM:
      return failed("ioError", "out of memory");
    default:
      // SQLITE_ERROR: the tables are not those of the file's version, or SQLite reports a logic error.
      return failed(error.resultCode === SQLITE_ERROR ? "damaged" : "ioError", detail);
  }
}

function failed(reason: StorageFailed["reason"], detail: string): StorageFailed {
  return { code: "STORAGE_FAILED", reason, detail };
}

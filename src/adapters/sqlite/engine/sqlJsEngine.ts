/** {@link Engine} implementation: sql.js on a real file. */

import type { Database, SqlJsStatic, Statement } from "sql.js";
import { EngineError, type Engine, type SqlRow, type SqlValue } from "./engine.ts";
import type { HostFiles } from "./shim/hostFiles.ts";
import { attachDatabase, openDatabase, type SqlJsShim } from "./sqlJsShim.ts";

/** Opens or creates the database at `path`; with `onlyRead`, nothing is written. Throws {@link EngineError}. */
export function openSqlJsEngine(shim: SqlJsShim, path: string, onlyRead = false): Engine {
  const { files } = shim;
  const database = openDatabase(shim, { path, onlyRead }, codedDatabase(shim.sql, files));
  /** Clears the last system error on success, so that it is not reported as the cause of a later failure. */
  const succeeding = <T>(action: () => T): T => {
    const value = action();
    files.forgetFailure();
    return value;
  };
  return {
    exec: (sql) => {
      succeeding(() => database.run(sql));
    },
    all: (sql, parameters) =>
      succeeding(() => {
        const statement = database.prepare(sql);
        try {
          return rowsOf(statement, parameters);
        } finally {
          statement.free();
        }
      }),
    prepare: (sql) => {
      let statement: Statement | undefined; // a file that is opened for a moment needs few of them
      const prepared = (): Statement => (statement ??= database.prepare(sql));
      return {
        run: (parameters) => {
          succeeding(() => runOf(prepared(), parameters));
        },
        all: (parameters) => succeeding(() => allOf(prepared(), parameters)),
      };
    },
    attach: (attached, schema) => {
      succeeding(() => {
        attachDatabase(shim, attached, (name) => {
          database.exec(`ATTACH '${name}' AS ${schema}`);
        });
      });
    },
    define: (name, action) => {
      database.create_function(name, action);
    },
    close: () => {
      database.close();
    },
  };
}

/** The library's class, with errors that carry the result code besides the message. */
function codedDatabase(sql: SqlJsStatic, files: HostFiles): new () => Database {
  return class CodedDatabase extends sql.Database {
    override handleError(resultCode = 0): null {
      if (resultCode === 0) return null;
      const inherited: { handleError(code: number): null } = { handleError: super.handleError.bind(this) };
      throw new EngineError(wordsOf(inherited, resultCode), resultCode, files.lastFailure);
    }
  };
}

/** The library exposes its error message only by throwing it. */
function wordsOf(inherited: { handleError(code: number): null }, resultCode: number): string {
  try {
    inherited.handleError(resultCode);
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  return `SQLite result ${resultCode}`;
}

function runOf(statement: Statement, parameters: readonly SqlValue[] = []): void {
  try {
    statement.bind([...parameters]);
    statement.step();
  } finally {
    statement.reset();
  }
}

function allOf(statement: Statement, parameters: readonly SqlValue[] | undefined): readonly SqlRow[] {
  try {
    return rowsOf(statement, parameters);
  } finally {
    statement.reset();
  }
}

function rowsOf(statement: Statement, parameters: readonly SqlValue[] = []): readonly SqlRow[] {
  statement.bind([...parameters]);
  const rows: SqlRow[] = [];
  let names: readonly string[] | undefined; // the library's `getAsObject` asks for them at each row
  while (statement.step()) {
    const values = statement.get();
    names ??= statement.getColumnNames();
    rows.push(Object.fromEntries(names.map((name, at) => [name, values[at] ?? null])));
  }
  return rows;
}

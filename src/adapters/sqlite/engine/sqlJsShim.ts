/**
 * Gives an unmodified sql.js real page I/O on a real file.
 *
 * Emscripten's `instantiateWasm` option exposes the functions that the wasm module imports. The file system calls among
 * them are wrapped: calls for our files go to the operating system, all others to sql.js's own in-memory file system.
 * SQLite's pager, rollback journal and write-ahead log run unchanged on top.
 * Invariant: unless all 21 calls are wrapped, loading fails.
 */

import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Database, SqlJsStatic } from "sql.js";
import { EngineChanged } from "./engine.ts";
import type { FileCalls } from "./shim/fileCalls.ts";
import { HostFiles, type HostFilesOptions } from "./shim/hostFiles.ts";
import { systemCalls } from "./shim/systemCalls.ts";
import { WasmMemory } from "./shim/wasmMemory.ts";
import { memoryOf, startWasm, type ImportTable, type WasmInstance } from "./shim/wasmModule.ts";

export interface SqlJsShim {
  readonly sql: SqlJsStatic;
  readonly files: HostFiles;
}

export const WRAPPED_CALLS = 21;

interface SqlJsOptions {
  /** The debug build prints a line whenever its memory grows. */
  print(): void;
  printErr(): void;
  instantiateWasm(imports: Record<string, ImportTable>, done: (instance: WasmInstance) => void): object;
}
type InitSqlJs = (options: SqlJsOptions) => Promise<SqlJsStatic>;

/**
 * Loads the library from `sqlJsFile`: `sql-wasm-debug.js`, whose import names are not minified, and the `.wasm` file
 * next to it. Rejects with {@link EngineChanged} if its import table is not the expected one.
 */
export function loadSqlJs(sqlJsFile: string, calls: FileCalls, options: HostFilesOptions = {}): Promise<SqlJsShim> {
  const load = createRequire(sqlJsFile);
  Reflect.deleteProperty(load.cache, sqlJsFile); // the module caches one instance per load
  const init: unknown = load(sqlJsFile);
  if (!isInitSqlJs(init)) throw new EngineChanged(`${sqlJsFile} exports no function`);
  const wasm = readFileSync(sqlJsFile.replace(/\.js$/, ".wasm"));
  const files = new HostFiles(calls, options);
  const memory = new WasmMemory();

  return new Promise((resolve, reject) => {
    // An exception in this callback would leave the library's promise pending forever, so it rejects ours.
    const instantiateWasm: SqlJsOptions["instantiateWasm"] = (imports, done) => {
      try {
        wrapImports(imports, files, memory);
        const instance = startWasm(wasm, imports);
        const exported = memoryOf(instance);
        if (exported === undefined) throw new EngineChanged("the module exports no memory");
        memory.attach(exported);
        done(instance);
        return instance.exports;
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
        return {};
      }
    };
    const silent = (): void => undefined;
    init({ instantiateWasm, print: silent, printErr: silent }).then((sql) => {
      resolve({ sql, files });
    }, reject);
  });
}

export interface DatabaseOpening {
  readonly path: string;
  readonly onlyRead: boolean;
}

/** Opens or creates a database. */
export function openDatabase(
  shim: SqlJsShim,
  { path, onlyRead }: DatabaseOpening,
  DatabaseClass: new () => Database,
): Database {
  shim.files.bindNextName(path, onlyRead);
  const database = new DatabaseClass();
  if (!shim.files.wasBound) throw new EngineChanged("the library opened no database file");
  return database;
}

/** Opens the database at `path` on a connection that `attach` makes open the given name. */
export function attachDatabase(shim: SqlJsShim, path: string, attach: (name: string) => void): void {
  shim.files.bindNextName(path);
  attach(`dbfile_${randomInt(2 ** 32)}`); // named as the library names its own
  if (!shim.files.wasBound) throw new EngineChanged("the library opened no attached file");
}

function wrapImports(imports: Record<string, ImportTable>, files: HostFiles, memory: WasmMemory): void {
  const tables = new Set(Object.values(imports)); // namespaces may share a table
  const closeTwin = [...tables].map((table) => table["fd_close"]).find((call) => call !== undefined);
  const wrappers = systemCalls(files, memory, (descriptor) => closeTwin?.(descriptor));
  let wrapped = 0;
  for (const table of tables) {
    for (const [name, original] of Object.entries(table)) {
      const wrapper = wrappers[name];
      if (wrapper === undefined) continue;
      table[name] = (...args) => wrapper(args.map(Number), () => original(...args));
      wrapped++;
    }
  }
  if (wrapped !== WRAPPED_CALLS || Object.keys(wrappers).length !== WRAPPED_CALLS) {
    throw new EngineChanged(`${wrapped} of ${WRAPPED_CALLS} system calls of sql.js were found`);
  }
}

function isInitSqlJs(value: unknown): value is InitSqlJs {
  return typeof value === "function";
}

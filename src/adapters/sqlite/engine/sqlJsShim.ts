/**
 * sql.js with real page I/O on a real file, without rebuilding it.
 *
 * Emscripten's `instantiateWasm` option hands over the table of functions that the wasm module imports. Its file system
 * calls are wrapped: one that concerns a file of ours goes to the operating system, any other goes on to sql.js's own
 * in-memory file system. SQLite's pager, rollback journal and write-ahead log run unchanged on top.
 * Invariant: either all 21 calls are wrapped, or nothing starts.
 */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Database, SqlJsStatic } from "sql.js";
import { EngineChanged } from "./engine.ts";
import type { FileCalls } from "./shim/fileCalls.ts";
import { HostFiles } from "./shim/hostFiles.ts";
import { systemCalls } from "./shim/systemCalls.ts";
import { WasmMemory } from "./shim/wasmMemory.ts";
import { memoryOf, startWasm, type ImportTable, type WasmInstance } from "./shim/wasmModule.ts";

/** A loaded library, bound to real files. */
export interface SqlJsShim {
  readonly sql: SqlJsStatic;
  readonly files: HostFiles;
}

/** How many calls must be wrapped. */
export const WRAPPED_CALLS = 21;

interface SqlJsOptions {
  /** The debug build speaks of every growth of its memory. */
  print(): void;
  printErr(): void;
  instantiateWasm(imports: Record<string, ImportTable>, done: (instance: WasmInstance) => void): object;
}
type InitSqlJs = (options: SqlJsOptions) => Promise<SqlJsStatic>;

/**
 * Loads the library from `sqlJsFile` (`sql-wasm-debug.js`, whose import names are plain, with its `.wasm` beside it).
 * Throws {@link EngineChanged} when its import table is not the known one.
 */
export function loadSqlJs(sqlJsFile: string, calls: FileCalls): Promise<SqlJsShim> {
  const load = createRequire(sqlJsFile);
  Reflect.deleteProperty(load.cache, sqlJsFile); // the library keeps one instance per load of its module
  const init: unknown = load(sqlJsFile);
  if (!isInitSqlJs(init)) throw new EngineChanged(`${sqlJsFile} exports no function`);
  const wasm = readFileSync(sqlJsFile.replace(/\.js$/, ".wasm"));
  const files = new HostFiles(calls);
  const memory = new WasmMemory();

  return new Promise((resolve, reject) => {
    // A failure inside the callback would leave the library's own promise pending for ever, so it is passed on here.
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

/** What is opened, and whether nothing in it may change. */
export interface DatabaseOpening {
  readonly path: string;
  readonly onlyRead: boolean;
}

/** Opens a database, or makes an empty one. */
export function openDatabase(
  shim: SqlJsShim,
  { path, onlyRead }: DatabaseOpening,
  DatabaseClass: new () => Database,
): Database {
  shim.files.expect(path, onlyRead);
  const database = new DatabaseClass();
  if (!shim.files.wasBound) throw new EngineChanged("the library opened no database file");
  return database;
}

function wrapImports(imports: Record<string, ImportTable>, files: HostFiles, memory: WasmMemory): void {
  const tables = new Set(Object.values(imports)); // the namespaces may share one table
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

import { nodeFiles, type Files } from "../../../src/adapters/node/files.ts";

/** Returns the system error code of the `index`-th call (from 0), if it fails. */
export type Fault = (call: { readonly name: keyof Files; readonly index: number }) => string | undefined;

export function faultyFiles(fault: Fault): Files {
  let index = 0;
  const guardNow = <T>(name: keyof Files, call: () => T): T => {
    const code = fault({ name, index: index++ });
    if (code === undefined) return call();
    throw Object.assign(new Error(`${code}: ${name}`), { code });
  };
  const guard = async <T>(name: keyof Files, call: () => Promise<T>): Promise<T> => guardNow(name, call);
  return {
    list: (folder) => guard("list", () => nodeFiles.list(folder)),
    readText: (path) => guard("readText", () => nodeFiles.readText(path)),
    readStart: (path, count) => guard("readStart", () => nodeFiles.readStart(path, count)),
    readPart: (path, start, count) => guard("readPart", () => nodeFiles.readPart(path, start, count)),
    readBytes: (path) => guard("readBytes", () => nodeFiles.readBytes(path)),
    writeNew: (path, text, options) => guard("writeNew", () => nodeFiles.writeNew(path, text, options)),
    append: (path, text) => guard("append", () => nodeFiles.append(path, text)),
    overwrite: (path, text) => guard("overwrite", () => nodeFiles.overwrite(path, text)),
    link: (path, newPath) => guard("link", () => nodeFiles.link(path, newPath)),
    rename: (path, newPath) => guard("rename", () => nodeFiles.rename(path, newPath)),
    truncate: (path) => guard("truncate", () => nodeFiles.truncate(path)),
    unlink: (path) => guard("unlink", () => nodeFiles.unlink(path)),
    removeEmptyFolder: (folder) => guard("removeEmptyFolder", () => nodeFiles.removeEmptyFolder(folder)),
    makeFolder: (folder) => guard("makeFolder", () => nodeFiles.makeFolder(folder)),
    stat: (path) => guard("stat", () => nodeFiles.stat(path)),
    statNow: (path) => guardNow("statNow", () => nodeFiles.statNow(path)),
    lstat: (path) => guard("lstat", () => nodeFiles.lstat(path)),
    syncFolder: (folder) => guard("syncFolder", () => nodeFiles.syncFolder(folder)),
  };
}

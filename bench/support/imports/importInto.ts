/** Imports a file as the host does. */

import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { ForgeError } from "../../../src/core/errors.ts";
import { parseConversationId } from "../../../src/core/ids.ts";
import { invariant, type Result } from "../../../src/core/result.ts";
import { importFromFile, type ImportedFile } from "../../../src/host/conversations/transfer/importFromFile.ts";

export interface ImportPlaces {
  /** Folder of the conversations. */
  readonly root: string;
  /** Folder of the shipped files. */
  readonly dist: string;
}

export function importInto(file: string, { root, dist }: ImportPlaces): Promise<Result<ImportedFile, ForgeError>> {
  const id = parseConversationId(randomUUID());
  invariant(id !== undefined, "a new UUID is an id");
  return importFromFile({
    file,
    id,
    root,
    workerFile: join(dist, "storageWorker.cjs"),
    sqlJsFile: join(dist, "sql-wasm-debug.js"),
    ranksFolder: join(dist, "ranks"),
    cancel: new AbortController().signal,
  });
}

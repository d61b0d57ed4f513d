/** Writes a conversation to a file that is somebody's own: whole, or not at all. */

import { open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { codeOf, fileFailure } from "../../adapters/node/files.ts";
import type { ForgeError } from "../../core/errors.ts";
import { exportMarkdown } from "../../core/history/markdownExport.ts";
import type { ReadContents } from "../../core/history/readPages.ts";
import { saveConversation } from "../../core/history/savedConversation.ts";
import { err, ok, type Result } from "../../core/result.ts";
import type { TransferFailed } from "../words/explainFiles.ts";
import type { OpenConversation } from "../transcript/openConversation.ts";

/** Writes what is read back by an import; to a name that ends in `.md`, what people read. Replaces a file that is there. */
export async function exportToFile(
  target: string,
  { manager, store }: Pick<OpenConversation, "manager" | "store">,
): Promise<Result<void, TransferFailed>> {
  const readContents: ReadContents = async (ids) => {
    const read = await store.readMessages(ids);
    return read.ok ? ok(read.value.map(({ message }) => message)) : read;
  };
  const written = path.extname(target).toLowerCase() === ".md" ? exportMarkdown : saveConversation;
  return replaceWhole(target, (write) => written(manager.history, readContents, write));
}

async function replaceWhole(
  target: string,
  writeTo: (write: (piece: string) => Promise<void>) => Promise<Result<void, ForgeError>>,
): Promise<Result<void, TransferFailed>> {
  const unfinished = `${target}.unfinished`;
  try {
    const file = await open(unfinished, "w", 0o600);
    try {
      const written = await writeTo((piece) => file.appendFile(piece));
      if (!written.ok) return err({ of: "conversation", error: written.error });
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, target);
    return ok(undefined);
  } catch (error) {
    return err({ of: "file", error: codeOf(error) === "EISDIR" ? { code: "FOLDER" } : fileFailure(error) });
  } finally {
    await rm(unfinished, { force: true });
  }
}

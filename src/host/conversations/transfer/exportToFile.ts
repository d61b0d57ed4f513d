/** Exports a conversation to a file, atomically: an existing file is replaced by a complete one or not at all. */

import { open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { systemErrorCode, fileFailure } from "../../../adapters/node/files.ts";
import type { ForgeError } from "../../../core/errors.ts";
import type { ContextManager } from "../../../core/context/contextManager.ts";
import type { CooperativeTask } from "../../../core/cooperativeTask.ts";
import { exportMarkdown, markdownOutline, type MarkdownOutline } from "../../../core/documents/markdownExport.ts";
import type { ReadContents } from "../../../core/history/readPages.ts";
import { savedOutline, saveConversation } from "../../../core/documents/savedConversation.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import { readInSlices } from "../../background/readInSlices.ts";
import { HIDDEN_IN_PROSE, makeVisible } from "../../tools/hiddenText.ts";
import type { TransferFailed } from "../../words/explainFiles.ts";
import type { OpenConversation } from "../../opening/openConversation.ts";

/** `everything` can be imported again; `markdown` is for reading. */
export type ExportFormat = "everything" | "markdown";

export interface ExportOptions {
  /** Used unless the file's extension says otherwise; default `everything`. */
  readonly form?: ExportFormat;
  /** Aborting it leaves the target file unchanged. */
  readonly cancel: CancelSignal;
}

/** Resolves to the number of messages. The format follows the file's extension; with an unknown one, `form`. */
export async function exportToFile(
  target: string,
  { manager, store }: Pick<OpenConversation, "manager" | "store">,
  { form = "everything", cancel }: ExportOptions,
): Promise<Result<number, TransferFailed>> {
  const { history } = manager;
  const readContents: ReadContents = async (ids) => {
    if (cancel.aborted) return err({ code: "CANCELLED" });
    const read = await store.readMessages(ids);
    return read.ok ? ok(read.value.map(({ message }) => message)) : read;
  };
  return replaceAtomically(target, async (write) => {
    const isMarkdown = formatOf(target, form) === "markdown";
    const outline = await readInSlices(
      manager,
      function* () {
        const count = history.length;
        return isMarkdown
          ? { count, markdown: yield* markdownOf(manager) }
          : { count, saved: yield* savedOutline(history) };
      },
      cancel,
    );
    if (!outline.ok) return outline;
    const { count, markdown, saved } = outline.value;
    const written = await (markdown === undefined
      ? saveConversation(saved, readContents, write)
      : exportMarkdown(markdown, readContents, (piece) => write(makeVisible(piece, HIDDEN_IN_PROSE).text)));
    return written.ok ? ok(count) : written;
  });
}

function* markdownOf(manager: ContextManager): CooperativeTask<MarkdownOutline> {
  yield* manager.buildCutAhead();
  return yield* markdownOutline(manager);
}

function formatOf(target: string, form: ExportFormat): ExportFormat {
  const ending = path.extname(target).toLowerCase();
  return ending === ".md" ? "markdown" : ending === ".json" ? "everything" : form;
}

async function replaceAtomically(
  target: string,
  writeTo: (write: (piece: string) => Promise<void>) => Promise<Result<number, ForgeError>>,
): Promise<Result<number, TransferFailed>> {
  const temporaryFile = `${target}.unfinished`;
  try {
    let written: Result<number, ForgeError>;
    const file = await open(temporaryFile, "w", 0o600);
    try {
      written = await writeTo((piece) => file.appendFile(piece));
      if (!written.ok) return err({ of: "conversation", error: written.error });
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporaryFile, target);
    return written;
  } catch (error) {
    return err({ of: "file", error: systemErrorCode(error) === "EISDIR" ? { code: "FOLDER" } : fileFailure(error) });
  } finally {
    await rm(temporaryFile, { force: true });
  }
}

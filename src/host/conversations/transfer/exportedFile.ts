/** Writes a conversation to a file that is somebody's own: whole, or not at all. */

import { open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { codeOf, fileFailure } from "../../../adapters/node/files.ts";
import type { ForgeError } from "../../../core/errors.ts";
import { exportMarkdown, markdownOutline } from "../../../core/documents/markdownExport.ts";
import type { ReadContents } from "../../../core/history/readPages.ts";
import { savedOutline, saveConversation } from "../../../core/documents/savedConversation.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import { lookInSlices } from "../../background/lookInSlices.ts";
import type { TransferFailed } from "../../words/explainFiles.ts";
import type { OpenConversation } from "../../opening/openConversation.ts";

/** `everything`: what is read back by an import. `markdown`: what people read. */
export type ExportForm = "everything" | "markdown";

/** How a conversation is written. */
export interface ExportOptions {
  /** What the name's ending may overrule. */
  readonly form?: ExportForm;
  /** Aborting it ends the export, and nothing is replaced. */
  readonly cancel: CancelSignal;
}

/**
 * Writes what the ending of the name says, and where that says nothing, `form`. Replaces a file that is there; answers how
 * many messages there were.
 */
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
  return replaceWhole(target, async (write) => {
    const isRead = formOf(target, form) === "markdown";
    const outline = await lookInSlices(
      manager,
      function* () {
        const count = history.length;
        return isRead
          ? { count, markdown: yield* markdownOutline(history) }
          : { count, saved: yield* savedOutline(history) };
      },
      cancel,
    );
    if (!outline.ok) return outline;
    const { count, markdown, saved } = outline.value;
    const written = await (markdown === undefined
      ? saveConversation(saved, readContents, write)
      : exportMarkdown(markdown, readContents, write));
    return written.ok ? ok(count) : written;
  });
}

function formOf(target: string, form: ExportForm): ExportForm {
  const ending = path.extname(target).toLowerCase();
  return ending === ".md" ? "markdown" : ending === ".json" ? "everything" : form;
}

async function replaceWhole(
  target: string,
  writeTo: (write: (piece: string) => Promise<void>) => Promise<Result<number, ForgeError>>,
): Promise<Result<number, TransferFailed>> {
  const unfinished = `${target}.unfinished`;
  try {
    let written: Result<number, ForgeError>;
    const file = await open(unfinished, "w", 0o600);
    try {
      written = await writeTo((piece) => file.appendFile(piece));
      if (!written.ok) return err({ of: "conversation", error: written.error });
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, target);
    return written;
  } catch (error) {
    return err({ of: "file", error: codeOf(error) === "EISDIR" ? { code: "FOLDER" } : fileFailure(error) });
  } finally {
    await rm(unfinished, { force: true });
  }
}

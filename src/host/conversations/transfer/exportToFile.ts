/** Exports a conversation to a file, atomically: an existing file is replaced by a complete one or not at all. */

import { open, rm } from "node:fs/promises";
import path from "node:path";
import { fileFailure, nodeFiles, systemErrorCode } from "../../../adapters/node/files.ts";
import type { ForgeError } from "../../../core/errors.ts";
import type { ContextManager } from "../../../core/context/contextManager.ts";
import type { CooperativeTask } from "../../../core/cooperativeTask.ts";
import {
  exportRequest,
  requestOutline,
  type RequestOutline,
  type RequestWriter,
} from "../../../core/context/request/requestExport.ts";
import { exportMarkdown, markdownOutline, type MarkdownOutline } from "../../../core/documents/markdownExport.ts";
import type { ReadContents } from "../../../core/history/readPages.ts";
import { savedOutline, saveConversation, type SavedOutline } from "../../../core/documents/savedConversation.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import { readInSlices } from "../../background/readInSlices.ts";
import { HIDDEN_IN_PROSE, makeVisible } from "../../tools/hiddenText.ts";
import type { TransferFailed } from "../../words/explainFiles.ts";
import type { OpenConversation } from "../../opening/openConversation.ts";

/** `everything` can be imported again; `markdown` is for reading; the others are requests of an API. */
export type ExportFormat = "everything" | "markdown" | RequestForm;
type RequestForm = "anthropic" | "openai";

export interface ExportOptions {
  /** Default `everything`. */
  readonly form?: ExportFormat;
  /** Aborting it leaves the target file unchanged. */
  readonly cancel: CancelSignal;
}

/** Resolves to the number of messages. The format is `form`, unless the file's extension is that of other formats. */
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
  const format = formatOf(target, form);
  return replaceAtomically(target, async (write) => {
    const outline = await readInSlices(
      manager,
      function* () {
        return { count: history.length, outline: yield* outlineOf(format, manager) };
      },
      cancel,
    );
    if (!outline.ok) return outline;
    const written = await writeOutline(outline.value.outline, readContents, write);
    return written.ok ? ok(outline.value.count) : written;
  });
}

type ExportOutline =
  | { readonly format: "everything"; readonly saved: SavedOutline }
  | { readonly format: "markdown"; readonly markdown: MarkdownOutline }
  | { readonly format: RequestForm; readonly request: RequestOutline };

function* outlineOf(format: ExportFormat, manager: ContextManager): CooperativeTask<ExportOutline> {
  switch (format) {
    case "everything":
      return { format, saved: yield* savedOutline(manager.history) };
    case "markdown":
      return { format, markdown: yield* markdownOf(manager) };
    case "anthropic":
    case "openai":
      return { format, request: yield* requestOutline(manager) };
  }
}

async function writeOutline(
  outline: ExportOutline,
  readContents: ReadContents,
  write: (piece: string) => Promise<void>,
): Promise<Result<void, ForgeError>> {
  switch (outline.format) {
    case "everything":
      return saveConversation(outline.saved, readContents, write);
    case "markdown":
      return exportMarkdown(outline.markdown, readContents, (piece) => write(makeVisible(piece, HIDDEN_IN_PROSE).text));
    case "anthropic":
    case "openai":
      return exportRequest(outline.request, await requestWriter(outline.format), readContents, write);
  }
}

async function requestWriter(form: RequestForm): Promise<RequestWriter> {
  if (form === "anthropic") {
    const { MessagesRequestWriter } = await import("../../../adapters/anthropic/requestWriter.ts");
    return new MessagesRequestWriter();
  }
  const { ChatRequestWriter } = await import("../../../adapters/openai/chat/requestWriter.ts");
  return new ChatRequestWriter();
}

function* markdownOf(manager: ContextManager): CooperativeTask<MarkdownOutline> {
  yield* manager.buildCutAhead();
  return yield* markdownOutline(manager);
}

function formatOf(target: string, form: ExportFormat): ExportFormat {
  const ending = path.extname(target).toLowerCase();
  if (ending === ".md") return "markdown";
  return ending === ".json" && form === "markdown" ? "everything" : form;
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
    await nodeFiles.rename(temporaryFile, target);
    return written;
  } catch (error) {
    return err({ of: "file", error: systemErrorCode(error) === "EISDIR" ? { code: "FOLDER" } : fileFailure(error) });
  } finally {
    await rm(temporaryFile, { force: true });
  }
}

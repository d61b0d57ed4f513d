/** User texts for files that cannot be exported or imported. Pure. */

import type { ForgeError, StorageFailed, ValidationError } from "../../core/errors.ts";
import type { Action, Banner } from "../../protocol/toView.ts";
import { localize } from "../../protocol/localize.ts";
import { failure } from "./banners.ts";
import { explain } from "./explain.ts";

/** Failure of an export or an import: of the user's own file, or of the stored conversation. */
export type TransferFailed =
  { readonly of: "file"; readonly error: FileFault } | { readonly of: "conversation"; readonly error: ForgeError };

/** `NO_FILE`: a pipe, a socket or a device. */
export type FileFault = StorageFailed | ValidationError | { readonly code: "FOLDER" | "NO_FILE" | "EMPTY" };

export function explainExport({ of, error }: TransferFailed, file: string): Banner {
  if (of === "conversation") return explain(error, "");
  const again: Action = { label: localize("Export elsewhere"), command: "exportConversation" };
  return failure(`${whyNotWritten(error, file)} ${localize("The conversation is safe where it is.")}`, [
    again,
    close(),
  ]);
}

export function explainImport({ of, error }: TransferFailed, file: string): Banner {
  if (of === "conversation") return explain(error, "");
  const again: Action = { label: localize("Choose another file"), command: "importConversation" };
  return failure(`${whyNotRead(error, file)} ${localize("Nothing was changed.")}`, [again, close()]);
}

/** The fault is not Forge's: the banner can be closed without doing anything about it. */
function close(): Action {
  return { label: localize("Close this message"), command: "closeBanner" };
}

function whyNotWritten(error: FileFault, file: string): string {
  if (error.code === "FOLDER") return localize("{0} is a folder, so no file can be written there.", file);
  if (error.code !== "STORAGE_FAILED") return localize("{0} cannot be written.", file);
  switch (error.reason) {
    case "noPermission":
      return localize("Forge has no permission to write to {0}.", file);
    case "readOnly":
      return localize("{0} is on a disk that can only be read.", file);
    case "diskFull":
      return localize("There is no room for {0}: the disk is full.", file);
    case "fileGone":
      return localize("The folder for {0} is not there.", file);
    default:
      return localize("{0} cannot be written. The system says: {1}", file, error.detail);
  }
}

function whyNotRead(error: FileFault, file: string): string {
  switch (error.code) {
    case "FOLDER":
      return localize("{0} is a folder. An import takes one file.", file);
    case "NO_FILE":
      return localize("{0} is a pipe, a socket or a device. An import takes one file.", file);
    case "EMPTY":
      return localize("{0} is empty.", file);
    case "VALIDATION_ERROR":
      return invalidFileText(error, file);
    case "STORAGE_FAILED":
      if (error.reason === "noPermission") return localize("Forge has no permission to read {0}.", file);
      if (error.reason === "fileGone") return localize("{0} is not there.", file);
      return localize("{0} cannot be read. The system says: {1}", file, error.detail);
  }
}

/** Tells faults apart by their field, as `core/documents` names it. */
function invalidFileText({ field, expected, found }: ValidationError, file: string): string {
  if (field === "document" && expected === "a JSON document") {
    return localize("{0} is not JSON, or a part of it is missing.", file);
  }
  if (field === "document.compression") {
    return localize("{0} is compressed with {1}, which this version of the editor cannot unpack.", file, found);
  }
  if (field === "document.version" && found === "nothing") {
    return localize("{0} is not a conversation of Forge, or of another tool that Forge can read.", file);
  }
  if (field === "document.format") {
    return localize("{0} is {1}. Forge cannot read these yet.", file, formatName(found));
  }
  const isNothingSaid = field === "document.messages" && found === "a list of 0";
  if (isNothingSaid || (field === "document" && expected === "at least one message")) {
    return localize("Nothing was said in the conversation in {0}.", file);
  }
  if (/^(?:line \d+|document\[\d+\])\./.test(field)) {
    return localize(
      "{0} holds no message that can be read. At “{1}”, expected: {2}; found: {3}.",
      file,
      field,
      expected,
      found,
    );
  }
  return localize(
    "{0} is not a complete conversation. At “{1}”, expected: {2}; found: {3}.",
    file,
    field,
    expected,
    found,
  );
}

/** A format with its article, as `core/documents/foreign/formats.ts` names it. */
function formatName(name: string): string {
  switch (name) {
    case "pi":
      return localize("a pi session");
    case "Goose":
      return localize("a Goose session");
    case "the editor’s chat journal":
      return localize("a journal of the editor’s chat, not an export of it");
    case "ChatGPT":
      return localize("an export of ChatGPT");
    case "claude.ai":
      return localize("an export of claude.ai");
    case "Continue":
      return localize("a Continue session");
    case "Cline ui_messages":
      return localize("what Cline shows (ui_messages.json); api_conversation_history.json beside it can be read");
    default:
      return localize("a conversation of {0}", name);
  }
}

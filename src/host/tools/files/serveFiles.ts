/** The thread's side: does one task. Disk access, decoding and patterns may block here. */

import type { MessagePort } from "node:worker_threads";
import { invariant, ok, type Result } from "../../../core/result.ts";
import { cellsOfJson, isNotebookName, readableText } from "../../notebooks/notebookJson.ts";
import { notebookStamp, textWithOutputs } from "../../notebooks/notebookText.ts";
import { isInGitFolder, mayHoldSecrets } from "../paths/guardedFiles.ts";
import { fileMatches } from "../search/fileMatches.ts";
import { compileQuery } from "../search/matcher.ts";
import { failure, type ToolFailure } from "../toolFailure.ts";
import { type ByteSource, bytesInMemory } from "./byteSource.ts";
import {
  type BytesAnswer,
  type FileTask,
  type FileThreadMessage,
  isFileThreadData,
  isMatchInput,
  type MatchRequest,
  type ReadAnswer,
  type ReadRequest,
} from "./fileTask.ts";
import { LocalAccess } from "./localAccess.ts";
import { MOST_FILE_BYTES, readLines } from "./readLines.ts";
import { findOnDisk, searchedText, searchOnDisk } from "./searchDisk.ts";

export function serveFiles(port: MessagePort | null, start: unknown): void {
  invariant(port !== null && isFileThreadData(start), "the file worker is started as a thread, with its task");
  const { folders, names, task, deadlineMs } = start;
  const access = new LocalAccess(folders, undefined, names);
  const isOver = (): boolean => Date.now() > deadlineMs;
  const tell = (message: FileThreadMessage): void => {
    port.postMessage(message);
  };
  switch (task.kind) {
    case "locate":
      tell({ kind: "locate", result: access.locate(task.place.rootIndex, task.place.relative) });
      break;
    case "locateAll": {
      const located = task.places.map(({ rootIndex, relative }) => access.locate(rootIndex, relative));
      tell({ kind: "locateAll", result: ok(located.map((place) => (place.ok ? place.value.kind : undefined))) });
      break;
    }
    case "spelling":
      tell({
        kind: "spelling",
        result: ok(task.places.map(({ rootIndex, relative }) => access.spelling(rootIndex, relative))),
      });
      break;
    case "list":
      tell({ kind: "list", result: access.list(task.place.rootIndex, task.place.relative) });
      break;
    case "read":
      tell({ kind: "read", result: read(task.read, access, folders) });
      break;
    case "bytes":
      tell({ kind: "bytes", result: readBytes(task, access) });
      break;
    case "write": {
      const { before, after, ...target } = task.write;
      const result = before === undefined ? access.create(target, after) : access.replace(target, before, after);
      tell({ kind: "write", result });
      break;
    }
    case "find":
      tell({ kind: "find", result: findOnDisk(access, task.walk, isOver) });
      break;
    case "search":
      tell({ kind: "search", result: searchOnDisk(access, task.search, isOver, tell) });
      break;
    case "match":
      serveMatches(port, task.match, tell);
      break;
  }
}

function read(request: ReadRequest, access: LocalAccess, folders: readonly string[]): Result<ReadAnswer, ToolFailure> {
  const { origin, rootIndex, relative } = request;
  const isOnDisk = folders[rootIndex] !== "";
  if (origin.kind === "disk") {
    const opened = access.open(rootIndex, relative);
    if (!opened.ok) return opened;
    try {
      return guarded(request, opened.value.relative) ?? readFrom(opened.value, request, opened.value.stamp);
    } finally {
      opened.value.close();
    }
  }
  // An open document may have been opened through a link that leads out.
  const located = isOnDisk ? access.locate(rootIndex, relative) : ok({ relative });
  if (!located.ok) return located;
  const bytes = origin.kind === "bytes" ? origin.bytes : new TextEncoder().encode(origin.text);
  return guarded(request, located.value.relative) ?? readFrom(bytesInMemory(bytes), request, origin.stamp);
}

function readBytes(
  { place, mayHoldSecrets: hasAgreed, mostBytes }: Extract<FileTask, { kind: "bytes" }>,
  access: LocalAccess,
): Result<BytesAnswer, ToolFailure> {
  const opened = access.open(place.rootIndex, place.relative);
  if (!opened.ok) return opened;
  try {
    const { relative, sizeBytes, stamp } = opened.value;
    const refused = guarded({ shown: place.shown, mayHoldSecrets: hasAgreed }, relative);
    if (refused !== undefined) return refused;
    if (sizeBytes > mostBytes) return ok({ kind: "tooLarge" });
    return ok({ kind: "bytes", bytes: opened.value.read(0, sizeBytes), stamp });
  } finally {
    opened.value.close();
  }
}

/** The refusal or question instead of the content, by the real path; `undefined` when the file may be read. */
function guarded(
  { shown, mayHoldSecrets: hasAgreed }: Pick<ReadRequest, "shown" | "mayHoldSecrets">,
  real: string,
): Result<{ readonly kind: "askFirst" }, ToolFailure> | undefined {
  if (isInGitFolder(real)) {
    return failure("NOT_ALLOWED", `${shown} belongs to git itself. git_status and git_diff say what it knows.`);
  }
  return mayHoldSecrets(real) && !hasAgreed ? ok({ kind: "askFirst" }) : undefined;
}

function readFrom(source: ByteSource, request: ReadRequest, stamp: string): Result<ReadAnswer, ToolFailure> {
  const { relative, range, encoding, shown } = request;
  const notebook = isNotebookName(relative) ? readNotebookFile(source) : undefined;
  const lines = readLines(notebook === undefined ? source : bytesInMemory(notebook.bytes), range, encoding, shown);
  const unsaved = stamp.startsWith("unsaved:") ? "unsaved:" : "";
  const its = notebook === undefined ? stamp : unsaved + notebook.stamp;
  return lines.ok ? ok({ ...lines.value, kind: "lines", stamp: its }) : lines;
}

/** The text of a notebook in place of its JSON; `undefined` for any other content. */
function readNotebookFile(source: ByteSource): { readonly bytes: Uint8Array; readonly stamp: string } | undefined {
  if (source.sizeBytes > MOST_FILE_BYTES) return undefined;
  const cells = cellsOfJson(new TextDecoder().decode(source.read(0, source.sizeBytes)));
  if (cells === undefined) return undefined;
  return { bytes: new TextEncoder().encode(textWithOutputs(cells)), stamp: notebookStamp(cells) };
}

/** Answers each text with its matching lines, until the thread is terminated. */
function serveMatches(
  port: MessagePort,
  { query, encoding }: MatchRequest,
  tell: (message: FileThreadMessage) => void,
): void {
  const compiled = compileQuery(query);
  invariant(compiled.ok, "a query is compiled before it is sent");
  port.on("message", (message: unknown) => {
    invariant(isMatchInput(message), "only texts are sent to a search");
    const { relative, content, most } = message;
    const text =
      typeof content === "string"
        ? { kind: "text" as const, text: readableText(relative, content) }
        : searchedText(bytesInMemory(content), encoding, relative);
    const found = text.kind === "text" ? fileMatches(text.text, compiled.value, most) : undefined;
    const { lines = [], secretCount = 0, hiddenCount = 0 } = found ?? {};
    tell({ kind: "matched", lines, changes: { secretCount, hiddenCount } });
  });
}

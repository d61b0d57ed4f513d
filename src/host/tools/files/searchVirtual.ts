/**
 * Searches files that only the editor can read: the host fetches them one by one, and the thread searches their texts.
 */

import * as vscode from "vscode";
import type { CancelSignal } from "../../../core/cancellation.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import { mayHoldSecrets } from "../paths/guardedFiles.ts";
import type { SanitizeCounts } from "../resultText.ts";
import { CANCELLED_FAILURE, failure, type ToolFailure } from "../toolFailure.ts";
import type { Place } from "../workspaceRoots.ts";
import type { FileHits, FileThreadMessage, SearchAnswer, SearchRequest, MatchInput } from "./fileTask.ts";
import { FileThread, type FileThreadOptions } from "./fileThread.ts";
import { MOST_SEARCHED_BYTES } from "./searchDisk.ts";
import { listVirtual, walkVirtual } from "./virtualFiles.ts";

/** Limits for the whole search, and for one text. */
const SEARCH_LIMIT_MS = 20_000;
const TEXT_LIMIT_MS = 3_000;

export interface VirtualSearch {
  readonly options: FileThreadOptions;
  readonly place: Place;
  readonly search: SearchRequest;
  readonly onHits: (hits: FileHits, changes: SanitizeCounts) => void;
}

/** Ends when every file was searched, enough was found, or the time is over. */
export async function searchVirtual(
  { options, place, search, onHits }: VirtualSearch,
  cancel: CancelSignal,
): Promise<Result<SearchAnswer, ToolFailure>> {
  const start = await listVirtual(place);
  if (!start.ok) return start;
  const { query, encoding, unsaved } = search;
  const deadlineMs = Date.now() + SEARCH_LIMIT_MS;
  const thread = new FileThread(options, { kind: "match", match: { query, encoding } });
  const skipped = { mayHoldSecrets: 0, tooLarge: 0 };
  let filesSearched = 0;
  let left = search.most;
  try {
    for await (const { relative, isLink } of walkVirtual(place.root.uri, search, cancel)) {
      if (left === 0 || Date.now() > deadlineMs) return ok({ filesSearched, skipped, isCut: true });
      if (isLink) continue;
      if (mayHoldSecrets(relative)) {
        skipped.mayHoldSecrets++;
        continue;
      }
      const text = unsaved.get(relative);
      const fetched =
        text === undefined ? await fetchFile(place, relative) : { kind: "content" as const, content: text };
      if (fetched.kind === "tooLarge") skipped.tooLarge++;
      if (fetched.kind !== "content") continue;
      filesSearched++;
      const found = await matchInThread(thread, { relative, content: fetched.content, most: left });
      if (found === undefined) return failure("TIMED_OUT", `Searching ${relative} took too long and was ended.`);
      if (found.lines.length > 0) onHits({ file: relative, lines: found.lines }, found.changes);
      left -= found.lines.length;
    }
    return cancel.aborted ? err(CANCELLED_FAILURE) : ok({ filesSearched, skipped, isCut: false });
  } finally {
    await thread.end();
  }
}

type Fetched =
  { readonly kind: "content"; readonly content: MatchInput["content"] } | { readonly kind: "tooLarge" | "unreadable" };

async function fetchFile(place: Place, relative: string): Promise<Fetched> {
  const uri = vscode.Uri.joinPath(place.root.uri, ...relative.split("/"));
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > MOST_SEARCHED_BYTES) return { kind: "tooLarge" };
    return { kind: "content", content: await vscode.workspace.fs.readFile(uri) };
  } catch {
    return { kind: "unreadable" }; // skipped, as on a disk
  }
}

type Matched = Extract<FileThreadMessage, { kind: "matched" }>;

/** The hits in one text; `undefined` on timeout. */
function matchInThread(thread: FileThread, text: MatchInput): Promise<Matched | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, TEXT_LIMIT_MS, undefined);
    thread.listenOnce((message) => {
      clearTimeout(timer);
      resolve(message.kind === "matched" ? message : undefined);
    }, reject);
    thread.send(text);
  });
}

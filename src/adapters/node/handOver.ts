/**
 * Asking another window to let go of a conversation, through a file in the conversation's folder: the one thing that two
 * windows surely share. Requests lie in a folder of their own, so that watching it is not woken by every commit.
 */

import { randomUUID } from "node:crypto";
import { watch } from "node:fs";
import { join } from "node:path";
import type { StorageFailed } from "../../core/errors.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { codeOf, fileFailure, nodeFiles, unlinkIfThere, type Files } from "./files.ts";

/** The folder of requests in a conversation's folder. */
export const REQUESTS_FOLDER = "requests";
const POLL_MS = 2_000; // network drives and some containers tell nothing of changes

/** A request that stands until the owner has seen it. */
export interface HandOverRequest {
  /** Takes the request back: needed by who got the conversation another way, so as not to answer its own request. */
  withdraw(): Promise<void>;
}

/** Asks the owner of the conversation in `folder` to finish its commit and let go. */
export async function requestHandOver(
  folder: string,
  files: Files = nodeFiles,
): Promise<Result<HandOverRequest, StorageFailed>> {
  const request = join(folder, REQUESTS_FOLDER, randomUUID());
  try {
    await files.makeFolder(join(folder, REQUESTS_FOLDER));
    await files.writeNew(request, "");
    return ok({ withdraw: () => unlinkIfThere(files, request) });
  } catch (error) {
    return err(fileFailure(error));
  }
}

/**
 * Calls `onRequest` when another window asks for the conversation in `folder`; several requests at once are one. Requests
 * from before the watch count too. The returned function ends the watch.
 */
export function watchHandOver(folder: string, onRequest: () => void, files: Files = nodeFiles): () => void {
  const requests = join(folder, REQUESTS_FOLDER);
  let ended = false;
  let looking = false;
  const look = async (): Promise<void> => {
    if (looking || ended) return;
    looking = true;
    try {
      const names = await files.list(requests);
      for (const name of names) await unlinkIfThere(files, join(requests, name));
      if (names.length > 0 && !stopped()) onRequest();
    } catch (error) {
      if (codeOf(error) === undefined) throw error; // else the folder is not there, or not readable now: look again later
    } finally {
      looking = false;
    }
  };
  const stopped = (): boolean => ended;
  const poll = setInterval(() => void look(), POLL_MS);
  const notifier = startWatching(requests, look, files);
  void look();
  return () => {
    ended = true;
    clearInterval(poll);
    void notifier.then((stop) => {
      stop();
    });
  };
}

async function startWatching(requests: string, look: () => Promise<void>, files: Files): Promise<() => void> {
  try {
    await files.makeFolder(requests);
    const watcher = watch(requests, () => void look());
    watcher.on("error", () => {
      watcher.close(); // the poll goes on
    });
    return () => {
      watcher.close();
    };
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return () => undefined; // the poll goes on
  }
}

/**
 * Asking another window to let go of a conversation, through a file in the conversation's folder: the one thing that two
 * windows surely share. Requests lie in a folder of their own, so that watching it is not woken by every commit.
 */

import { randomUUID } from "node:crypto";
import { watch } from "node:fs";
import { join } from "node:path";
import type { StorageFailed } from "../../core/errors.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { codeOf, fileFailure, nodeFiles, unlessMissing, unlinkIfThere, type Files } from "./files.ts";
import { heldText, ownerState, ownOwner, parseLease } from "./leaseFile.ts";
import { thisPlatform, type Platform } from "./platform.ts";

/** The folder of requests in a conversation's folder. */
export const REQUESTS_FOLDER = "requests";
/** Nobody waits so long; clocks of two machines may differ. */
const REQUEST_AGE_MS = 60 * 60 * 1_000;
const POLL_MS = 2_000; // network drives and some containers tell nothing of changes

/** A request that stands until the owner has seen it. */
export interface HandOverRequest {
  /** Takes the request back: needed by who got the conversation another way, so as not to answer its own request. */
  withdraw(): Promise<void>;
}

/** What it is done with. */
export interface HandOverOptions {
  readonly files?: Files;
  readonly platform?: Platform;
}

/** Asks the owner of the conversation in `folder` to finish its commit and let go. */
export async function requestHandOver(
  folder: string,
  { files = nodeFiles, platform = thisPlatform() }: HandOverOptions = {},
): Promise<Result<HandOverRequest, StorageFailed>> {
  const request = join(folder, REQUESTS_FOLDER, randomUUID());
  try {
    await files.makeFolder(join(folder, REQUESTS_FOLDER));
    await files.writeNew(request, heldText(await ownOwner(platform)));
    return ok({ withdraw: () => withdraw(request, files) });
  } catch (error) {
    return err(fileFailure(error));
  }
}

/** Where that cannot be done, the request is of no use once it is old, or its window is gone. */
async function withdraw(request: string, files: Files): Promise<void> {
  try {
    await unlinkIfThere(files, request);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
  }
}

/** Whether somebody waits for the answer. A kill leaves a request behind, and letting go for that one helps nobody. */
async function stands(request: string, files: Files, platform: Platform): Promise<boolean> {
  const stats = await unlessMissing(files.stat(request));
  if (stats === undefined || Date.now() - stats.mtimeMs > REQUEST_AGE_MS) return false;
  const asker = parseLease((await unlessMissing(files.readText(request))) ?? "");
  return asker.kind !== "held" || (await ownerState(asker.owner, platform)) !== "dead"; // it may just be written
}

/**
 * Calls `onRequest` when another window asks for the conversation in `folder`; several requests at once are one. Requests
 * from before the watch count too. The returned function ends the watch.
 */
export function watchHandOver(
  folder: string,
  onRequest: () => void,
  { files = nodeFiles, platform = thisPlatform() }: HandOverOptions = {},
): () => void {
  const requests = join(folder, REQUESTS_FOLDER);
  let ended = false;
  let looking = false;
  const look = async (): Promise<void> => {
    if (looking || ended) return;
    looking = true;
    try {
      let isAsked = false;
      for (const name of await files.list(requests)) {
        const request = join(requests, name);
        isAsked = (await stands(request, files, platform)) || isAsked;
        await unlinkIfThere(files, request);
      }
      if (isAsked && !stopped()) onRequest();
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

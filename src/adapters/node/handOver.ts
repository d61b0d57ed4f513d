/**
 * Asks another window to release a conversation, through a file in the conversation's folder, the only channel that two
 * windows always share. Requests have their own folder, so that commits do not trigger its watcher.
 */

import { randomUUID } from "node:crypto";
import { watch } from "node:fs";
import { join } from "node:path";
import type { StorageFailed } from "../../core/errors.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { systemErrorCode, fileFailure, nodeFiles, undefinedIfMissing, unlinkIfThere, type Files } from "./files.ts";
import { serializeOwner, ownerState, createOwner, parseLease } from "./leaseFile.ts";
import { thisPlatform, type Platform } from "./platform.ts";

/** Name within a conversation's folder. */
export const REQUESTS_FOLDER = "requests";
/** Longer than anybody waits, with a margin for clock differences between machines. */
const REQUEST_AGE_MS = 60 * 60 * 1_000;
const POLL_MS = 2_000; // network drives and some containers do not report changes

/** Valid until the owner has read it. */
export interface HandOverRequest {
  /** Call after getting the conversation in another way, so as not to react to the own request as its owner. */
  withdraw(): Promise<void>;
}

export interface HandOverOptions {
  readonly files?: Files;
  readonly platform?: Platform;
}

/** Asks the owner of the conversation in `folder` to finish its commit and release the lease. */
export async function requestHandOver(
  folder: string,
  { files = nodeFiles, platform = thisPlatform() }: HandOverOptions = {},
): Promise<Result<HandOverRequest, StorageFailed>> {
  const request = join(folder, REQUESTS_FOLDER, randomUUID());
  try {
    await files.makeFolder(join(folder, REQUESTS_FOLDER));
    await files.writeNew(request, serializeOwner(await createOwner(platform)));
    return ok({ withdraw: () => withdraw(request, files) });
  } catch (error) {
    return err(fileFailure(error));
  }
}

/** Ignores file errors: a remaining request expires with its age or its window. */
async function withdraw(request: string, files: Files): Promise<void> {
  try {
    await unlinkIfThere(files, request);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
  }
}

/** Whether the requester still waits: a killed window leaves its request behind. */
async function isPending(request: string, files: Files, platform: Platform): Promise<boolean> {
  const stats = await undefinedIfMissing(files.stat(request));
  if (stats === undefined || Date.now() - stats.mtimeMs > REQUEST_AGE_MS) return false;
  const asker = parseLease((await undefinedIfMissing(files.readText(request))) ?? "");
  return asker.kind !== "held" || (await ownerState(asker.owner, platform)) !== "dead"; // torn: perhaps half-written
}

/**
 * Calls `onRequest` when another window requests the conversation in `folder`, once for simultaneous requests and also
 * for requests older than the watch. Returns a function that stops watching.
 */
export function watchHandOver(
  folder: string,
  onRequest: () => void,
  { files = nodeFiles, platform = thisPlatform() }: HandOverOptions = {},
): () => void {
  const requests = join(folder, REQUESTS_FOLDER);
  let ended = false;
  let isChecking = false;
  const checkRequests = async (): Promise<void> => {
    if (isChecking || ended) return;
    isChecking = true;
    try {
      let isAsked = false;
      for (const name of await files.list(requests)) {
        const request = join(requests, name);
        isAsked = (await isPending(request, files, platform)) || isAsked;
        await unlinkIfThere(files, request);
      }
      if (isAsked && !stopped()) onRequest();
    } catch (error) {
      if (systemErrorCode(error) === undefined) throw error; // otherwise missing or unreadable: retry at the next poll
    } finally {
      isChecking = false;
    }
  };
  const stopped = (): boolean => ended;
  const poll = setInterval(() => void checkRequests(), POLL_MS);
  const notifier = startWatching(requests, checkRequests, files);
  void checkRequests();
  return () => {
    ended = true;
    clearInterval(poll);
    void notifier.then((stop) => {
      stop();
    });
  };
}

async function startWatching(requests: string, checkRequests: () => Promise<void>, files: Files): Promise<() => void> {
  try {
    await files.makeFolder(requests);
    const watcher = watch(requests, () => void checkRequests());
    watcher.on("error", () => {
      watcher.close(); // polling continues
    });
    return () => {
      watcher.close();
    };
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return () => undefined; // polling continues
  }
}

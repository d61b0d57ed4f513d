/**
 * Counts of a conversation in `meta.json`: the lower bound of what its database must contain. The host writes it after
 * the commit that it counts, so that a kill leaves it behind the database and never ahead.
 */

import fs from "node:fs";
import { dirname, join } from "node:path";
import { countIn, tryParseJson } from "../../core/json.ts";
import type { FileCalls } from "./engine/shim/fileCalls.ts";
import { systemCodeOf } from "./engine/shim/errno.ts";

/** Numbers of messages and records; 0 when unknown. */
export interface KnownContent {
  readonly messages: number;
  readonly records: number;
}

const META_FILE = "meta.json";
/** Counts in a newer one may mean something else. */
const META_VERSION = 1;
const TEMPORARY_FILE = "tmp.meta";
/** Far more than the file has. */
const MOST_BYTES = 1 << 20;

/** Nothing is known where the file is missing, unreadable, of a newer Forge or of an earlier one without these fields. */
export function knownContent(folder: string, calls: FileCalls): KnownContent {
  const meta = readMeta(folder, calls);
  return { messages: countIn(meta, "messageCount"), records: countIn(meta, "recordCount") };
}

/** Lowers what is known to what a rescue has found. */
export function setKnownContent(folder: string, calls: FileCalls, found: KnownContent): void {
  const meta = readMeta(folder, calls);
  if (typeof meta !== "object" || meta === null) return;
  const text = JSON.stringify({ ...meta, messageCount: found.messages, recordCount: found.records }, null, 2);
  writeDurably(join(folder, TEMPORARY_FILE), `${text}\n`, calls);
  calls.rename(join(folder, TEMPORARY_FILE), join(folder, META_FILE));
  calls.syncFolder(folder);
}

function readMeta(folder: string, calls: FileCalls): unknown {
  try {
    const meta = tryParseJson(readFileText(join(folder, META_FILE), calls, MOST_BYTES));
    return countIn(meta, "version") > META_VERSION ? undefined : meta;
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error;
    return undefined;
  }
}

/** The first `most` bytes. */
export function readFileText(path: string, calls: FileCalls, most: number): string {
  const handle = calls.open(path, fs.constants.O_RDONLY, 0);
  try {
    const bytes = Buffer.alloc(Math.min(most, Number(calls.statHandle(handle).size)));
    let done = 0;
    for (let got = -1; got !== 0 && done < bytes.length; done += got)
      got = calls.read(handle, bytes, done, bytes.length - done, done);
    return bytes.toString("utf8", 0, done);
  } finally {
    calls.close(handle);
  }
}

/** Replaces the content of the file at `path` and makes it durable, with its name. */
export function writeDurably(path: string, text: string, calls: FileCalls): void {
  const bytes = Buffer.from(text, "utf8");
  const { O_CREAT, O_TRUNC, O_WRONLY } = fs.constants;
  const handle = calls.open(path, O_CREAT | O_TRUNC | O_WRONLY, 0o600);
  try {
    for (let done = 0; done < bytes.length;) done += calls.write(handle, bytes, done, bytes.length - done, done);
    calls.sync(handle);
  } finally {
    calls.close(handle);
  }
  calls.syncFolder(dirname(path));
}

/** Rescuing a damaged conversation: a new file with what could be read, and the words for what came of it. */

import path from "node:path";
import { readMeta } from "../adapters/node/conversationMeta.ts";
import { acquireLease } from "../adapters/node/lease.ts";
import type { RescueReport } from "../adapters/sqlite/rescue/rescueFolder.ts";
import { rescueConversation } from "../adapters/sqlite/rescueConversation.ts";
import type { ForgeError } from "../core/errors.ts";
import { ok, type Result } from "../core/result.ts";
import type { NoticeRow } from "../protocol/toView.ts";
import { noticeRow } from "./rows.ts";

/** What became of a damaged conversation. */
export interface Rescued extends Pick<RescueReport, "messagesKept" | "summariesLost"> {
  /** Messages that could not be read; something stands in the place of each. */
  readonly messagesLost: number;
  /** Newer messages that the list knew of, and of which nothing was found; nothing stands in their places. */
  readonly newestLost: number;
  /** Path of the damaged file. */
  readonly keptAs: string;
}

/** What a rescue needs. */
export interface RescueOptions {
  readonly folder: string;
  readonly workerFile: string;
  readonly sqlJsFile: string;
}

/** Rescues the conversation in `folder`, which is not open here. When this fails, it can be tried again. */
export async function rescueFile({ folder, ...thread }: RescueOptions): Promise<Result<Rescued, ForgeError>> {
  const lease = await acquireLease(folder);
  if (!lease.ok) return lease;
  try {
    const listed = await readMeta(folder);
    const rescued = await rescueConversation({ folder, ...thread });
    if (!rescued.ok) return rescued;
    const { messagesKept, messagesLost, summariesLost, keptAs } = rescued.value;
    return ok({
      messagesKept,
      messagesLost: messagesLost.length,
      newestLost: Math.max(0, (listed?.messageCount ?? 0) - messagesKept - messagesLost.length),
      summariesLost,
      keptAs: path.join(folder, keptAs),
    });
  } finally {
    await lease.value.release();
  }
}

/** Says in the chat what was rescued, what is missing, and where the damaged file lies. */
export function rescueNotice(rescued: Rescued): NoticeRow {
  const { messagesKept, messagesLost, newestLost, summariesLost, keptAs } = rescued;
  const isWhole = messagesKept > 0 && messagesLost + newestLost + summariesLost === 0;
  const sentences = messagesKept > 0 ? partlyRead(rescued) : [noneRead(messagesLost + newestLost)];
  if (isWhole) sentences.push("None is known to be missing.");
  if (summariesLost > 0) sentences.push(`${count(summariesLost, "summary", "summaries")} could not be read.`);
  sentences.push(`The damaged file is kept: ${keptAs}`);
  return noticeRow("rescued", { tone: isWhole ? "info" : "warning", text: sentences.join(" "), actions: [] });
}

function partlyRead({ messagesKept, messagesLost, newestLost }: Rescued): string[] {
  const sentences = [`${messages(messagesKept)} ${messagesKept === 1 ? "was" : "were"} rescued.`];
  if (messagesLost > 0) {
    const places = messagesLost === 1 ? "its place says so" : "their places say so";
    sentences.push(`${messages(messagesLost)} could not be read; ${places}.`);
  }
  if (newestLost > 0) sentences.push(`The newest ${messages(newestLost)} could not be read.`);
  return sentences;
}

function noneRead(known: number): string {
  return known === 0 ? "No message could be read." : `None of ${messages(known)} could be read.`;
}

function messages(number: number): string {
  return count(number, "message", "messages");
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}

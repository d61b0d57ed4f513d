/** Rescues a damaged conversation into a new file, and describes the result. */

import path from "node:path";
import { acquireLease } from "../../../adapters/node/lease.ts";
import type { RescueReport } from "../../../adapters/sqlite/rescue/rescueFolder.ts";
import { rescueConversation } from "../../../adapters/sqlite/rescueConversation.ts";
import type { ForgeError } from "../../../core/errors.ts";
import { ok, type Result } from "../../../core/result.ts";
import type { NoticeRow } from "../../../protocol/toView.ts";
import { localize, plural } from "../../../protocol/localize.ts";
import { noticeRow } from "../../transcript/rows.ts";

export interface RescueResult extends Pick<RescueReport, "messagesRecovered" | "summariesLost" | "answersInJournal"> {
  /** Unreadable messages; a placeholder stands for each. */
  readonly messagesLost: number;
  /** Newest messages that the list entry counted and the rescue did not find; they have no placeholders. */
  readonly newestLost: number;
  readonly keptAs: string;
}

/**
 * Rescues the conversation in `folder`, which must not be open here; `dist` is the folder of the shipped files. Can be
 * repeated after a failure.
 */
export async function rescueFile(folder: string, dist: string): Promise<Result<RescueResult, ForgeError>> {
  const lease = await acquireLease(folder);
  if (!lease.ok) return lease;
  try {
    const rescued = await rescueConversation({
      folder,
      workerFile: path.join(dist, "storageWorker.cjs"),
      sqlJsFile: path.join(dist, "sql-wasm-debug.js"),
    });
    if (!rescued.ok) return rescued;
    const { messagesRecovered, messagesLost, summariesLost, answersInJournal, preservedAs, messagesKnown } =
      rescued.value;
    return ok({
      messagesRecovered,
      messagesLost: messagesLost.length,
      newestLost: Math.max(0, messagesKnown - messagesRecovered - messagesLost.length),
      summariesLost,
      answersInJournal,
      keptAs: path.join(folder, preservedAs),
    });
  } finally {
    await lease.value.release();
  }
}

export function rescueNotice(rescued: RescueResult): NoticeRow {
  const { messagesRecovered, messagesLost, newestLost, summariesLost, answersInJournal, keptAs } = rescued;
  const isWhole = messagesRecovered > 0 && messagesLost + newestLost + summariesLost === 0;
  const sentences = messagesRecovered > 0 ? partlyRead(rescued) : [noneRead(messagesLost + newestLost)];
  if (isWhole) sentences.push(localize("None is known to be missing."));
  if (summariesLost > 0)
    sentences.push(plural(summariesLost, "1 summary could not be read.", "{0} summaries could not be read."));
  if (answersInJournal > 0)
    sentences.push(
      plural(
        answersInJournal,
        "1 answer was found apart from the messages; it is at the end.",
        "{0} answers were found apart from the messages; they are at the end.",
      ),
    );
  sentences.push(localize("The damaged file is kept: {0}", keptAs));
  return noticeRow("rescued", { tone: isWhole ? "info" : "warning", text: sentences.join(" "), actions: [] });
}

function partlyRead({ messagesRecovered, messagesLost, newestLost }: RescueResult): string[] {
  const sentences = [plural(messagesRecovered, "1 message was rescued.", "{0} messages were rescued.")];
  if (messagesLost > 0) {
    sentences.push(
      plural(
        messagesLost,
        "1 message could not be read; its place says so.",
        "{0} messages could not be read; their places say so.",
      ),
    );
  }
  if (newestLost > 0)
    sentences.push(
      plural(newestLost, "The newest 1 message could not be read.", "The newest {0} messages could not be read."),
    );
  return sentences;
}

function noneRead(known: number): string {
  return known === 0
    ? localize("No message could be read.")
    : plural(known, "None of 1 message could be read.", "None of {0} messages could be read.");
}

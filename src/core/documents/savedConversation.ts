/**
 * Exports a conversation as one JSON document: messages, summaries with their states, receipts, pins. Written in
 * chunks, so that a conversation of any size is never in memory as a whole. Saving what was loaded gives the same
 * bytes.
 */

import { modelName } from "../models/modelName.ts";
import type { ForgeError } from "../errors.ts";
import { messageId, modelId, type MessageId, type ModelId } from "../ids.ts";
import type { HistoryEntry } from "../message.ts";
import { ok, type Result } from "../result.ts";
import { MESSAGES_PER_SLICE, Slice, type CooperativeTask } from "../cooperativeTask.ts";
import { branchesOf } from "../history/branches/branchReplay.ts";
import { canonicalJson } from "./canonicalJson.ts";
import type { FullHistory } from "../history/fullHistory.ts";
import { IMPORT_LINK_SETTING } from "../history/importLink.ts";
import { readPages, type ReadContents } from "../history/readPages.ts";
import { portableProject } from "../history/project.ts";
import { GRANT_PREFIX, type UsageRecord } from "../history/records.ts";
import type { MessageRange } from "../history/summaries/summary.ts";

/** Document version; newer ones are refused. */
export const SAVED_VERSION = 1;

/** Snapshot of all but the contents of messages, so that the conversation may change while the document is written. */
export interface SavedOutline {
  /** Oldest first. */
  readonly entries: readonly HistoryEntry[];
  /** The outermost summary of each covered message. */
  readonly summaryOf: ReadonlyMap<MessageId, number>;
  /** Fields after `messages`, without `usage`. */
  readonly trailingFields: object;
  /** Oldest first. */
  readonly usage: readonly UsageRecord[];
}

/** The history must not change between two steps of this task. */
export function* savedOutline(history: FullHistory): CooperativeTask<SavedOutline> {
  const { summaries, spending, pins, settings, title, model } = history;
  const projects = history.projects.flatMap((project) => portableProject(project) ?? []);
  const branches = yield* branchesOf(history);
  const trailingFields = {
    summaries: summaries.map((summary) => ({ ...summary, generatedBy: modelName(summary.generatedBy) })),
    receipts: spending.receipts.map((receipt) => ({
      ...receipt,
      model: receipt.model.split(", ").map(modelName).join(", "),
      notes: receipt.notes?.map((report) => ({ ...report, model: modelName(report.model) })),
    })),
    pins: [...pins].sort((one, other) => one - other),
    hidden: yield* hiddenRanges(history),
    branches: branches.length === 0 ? undefined : branches,
    settings: [...settings]
      .filter(([name]) => !name.startsWith(GRANT_PREFIX) && name !== IMPORT_LINK_SETTING)
      .map(([name, value]) => ({ name, value })),
    projects: projects.length === 0 ? undefined : projects,
    title: title && { title: title.title, by: title.by, atMs: title.atMs },
    model: model && { provider: model.provider, model: modelName(model.model), atMs: model.atMs },
  };
  const summaryOf = yield* coveringSummaries(history);
  const named = <T extends { readonly model?: ModelId }>(of: T): T => {
    const name = of.model === undefined ? undefined : modelName(of.model);
    return name === undefined || name === of.model ? of : { ...of, model: modelId(name) };
  };
  return { entries: history.entries.map(named), summaryOf, trailingFields, usage: spending.records.map(named) };
}

/** Passes the document to `write` in chunks; stops at the first message that cannot be read. */
export async function saveConversation(
  { entries, summaryOf, trailingFields, usage }: SavedOutline,
  readContents: ReadContents,
  write: (piece: string) => Promise<void>,
): Promise<Result<void, ForgeError>> {
  await write(`{"version":${String(SAVED_VERSION)},"messages":[\n`);
  let separator = "";
  const read = await readPages(entries, readContents, async (page) => {
    const rows = page.map(({ entry, message }) =>
      // What was recalled is a view of the messages for one request; an import is sent anew.
      canonicalJson({
        ...entry,
        partCount: undefined,
        recalled: undefined,
        imported: undefined,
        summary: summaryOf.get(entry.id),
        parts: message.parts,
      }),
    );
    await write(separator + rows.join(",\n"));
    separator = ",\n";
  });
  if (!read.ok) return read;
  let end = `\n],${canonicalJson(trailingFields).slice(1, -1)}`;
  if (usage.length > 0) {
    await write(`${end},"usage":[`); // the last field by name, and the one that grows with every answer
    await writeUsage(usage, write);
    end = "]";
  }
  await write(`${end}}\n`);
  return ok(undefined);
}

async function writeUsage(usage: readonly UsageRecord[], write: (piece: string) => Promise<void>): Promise<void> {
  for (let start = 0; start < usage.length; start += MESSAGES_PER_SLICE) {
    const rows = usage.slice(start, start + MESSAGES_PER_SLICE).map((record) => ({ ...record, kind: undefined }));
    await write(`${start === 0 ? "" : ","}${canonicalJson(rows).slice(1, -1)}`);
  }
}

function* coveringSummaries(history: FullHistory): CooperativeTask<ReadonlyMap<MessageId, number>> {
  const covering = new Map<MessageId, number>();
  const slice = new Slice(MESSAGES_PER_SLICE);
  for (const { summary } of history.usableSummaries()) {
    for (let id: number = summary.covers.start; id < summary.covers.end; id++) {
      covering.set(messageId(id), summary.id);
      if (slice.isOver(1)) yield;
    }
  }
  return covering;
}

function* hiddenRanges(history: FullHistory): CooperativeTask<readonly MessageRange[]> {
  const ranges: { start: MessageId; end: MessageId }[] = [];
  const slice = new Slice(MESSAGES_PER_SLICE);
  for (const entry of history.entries) {
    if (slice.isOver(1)) yield;
    if (history.isVisible(entry)) continue;
    const last = ranges.at(-1);
    const end = messageId(entry.id + 1);
    if (last?.end === entry.id) last.end = end;
    else ranges.push({ start: entry.id, end });
  }
  return ranges;
}

/** Forks a conversation: a copy of its messages up to one becomes a conversation of its own. */

import { tryParseJson } from "../json.ts";
import { messageId, summaryId, type MessageId, type SummaryId } from "../ids.ts";
import { assertNever } from "../result.ts";
import type { FullHistory } from "./fullHistory.ts";
import {
  GRANT_PREFIX,
  type ConversationRecord,
  type IndexRecord,
  type MessageRecord,
  type ReceiptRecord,
  type TitleRecord,
} from "./records.ts";
import { IMPORT_LINK_SETTING } from "./importLink.ts";
import type { MessageRange } from "./summaries/summary.ts";

/** Setting that holds the {@link Origin} as JSON. */
export const ORIGIN_SETTING = "origin";

/** Settings that say where a conversation came from. */
const OF_ORIGIN: ReadonlySet<string> = new Set([ORIGIN_SETTING, IMPORT_LINK_SETTING]);

/** The conversation that this one was forked from. */
export interface Origin {
  readonly conversation: string;
  /** Title at the time of the fork; may be empty. */
  readonly title: string;
  /** The last message copied. */
  readonly message: number;
}

export interface Fork {
  /** Messages before this one are copied, with what `copiedRecord` makes of other records. */
  readonly end: MessageId;
  /** Follow the copied ones. */
  readonly records: readonly Exclude<ConversationRecord, MessageRecord>[];
}

/**
 * The fork after message `last` and its tool batch. What is set once for the conversation is set anew, as it is now:
 * receipts, summaries, pins, settings without tool grants, projects, model, title.
 */
export function forkOf(history: FullHistory, last: MessageId, origin: Origin, atMs: number): Fork {
  const { end } = history.atomOf(last);
  const summaries = history.summaries.filter(({ covers }) => covers.end <= end);
  const settings = [...history.settings].filter(([name]) => !name.startsWith(GRANT_PREFIX) && !OF_ORIGIN.has(name));
  settings.push([ORIGIN_SETTING, JSON.stringify(origin)]);
  const { model, title } = history;
  const records: Fork["records"] = [
    // Receipts come before the summaries, so that they do not claim that nothing happened since.
    ...copiedReceipts(history, end, new Map(summaries.map(({ id }, index) => [id, summaryId(index)]))),
    ...summaries.map((summary, index) => ({ kind: "summary", summary: { ...summary, id: summaryId(index) } }) as const),
    ...[...history.pins].filter((id) => id < end).map((id) => ({ kind: "pin", id, pinned: true, atMs }) as const),
    ...settings.map(([name, value]) => ({ kind: "setting", name, value, atMs }) as const),
    ...history.projects.map((project) => ({ kind: "project", project, atMs }) as const),
    ...(model === undefined ? [] : [model]),
    ...(title === undefined ? [] : [title]),
  ];
  return { end, records };
}

/** Receipts of the summaries in `ids`, which maps old ids to new ones. */
function copiedReceipts(
  { spending }: FullHistory,
  end: MessageId,
  ids: ReadonlyMap<number, SummaryId>,
): readonly ReceiptRecord[] {
  return spending.receipts.flatMap((receipt) => {
    const summaries = receipt.summaries.flatMap((id) => ids.get(id) ?? []);
    if (summaries.length === 0) return [];
    const { notesLater, strategies } = receipt;
    const own =
      strategies === undefined
        ? {}
        : { strategies: strategies.filter((_, at) => ids.has(receipt.summaries[at] ?? -1)) };
    const later = notesLater === undefined ? {} : { notesLater: notesLater.flatMap((id) => ids.get(id) ?? []) };
    const span = before(receipt.span, end);
    return [{ kind: "receipt", receipt: { ...receipt, summaries, ...own, span, ...later, inOrigin: true } } as const];
  });
}

/**
 * Stands for a record before message `end` that is not copied: those after it keep their numbers. An empty title changes
 * nothing, as `forkOf` adds the present one.
 */
export const NOT_COPIED: TitleRecord = { kind: "title", title: "", by: "automatic", atMs: 0 };

/**
 * A record as the fork before message `end` has it; `undefined`: not at all, or set anew by `forkOf`. Costs are marked
 * `inOrigin`, as they were spent there.
 */
export function copiedRecord<Copied extends ConversationRecord | IndexRecord>(
  record: Copied,
  end: MessageId,
): Copied | undefined {
  switch (record.kind) {
    case "message":
    case "entry":
      return record.entry.id < end ? record : undefined;
    case "visibility":
      return record.range.start < end ? { ...record, range: before(record.range, end) } : undefined;
    case "leftOut":
      return record.id < end ? record : undefined;
    case "usage":
      return record.message < end ? { ...record, inOrigin: true } : undefined;
    case "summary":
    case "summaryState":
    case "pin":
    case "receipt":
    case "model":
    case "title":
    case "setting":
    case "project":
    case "erasure":
    case "segment":
      return undefined;
    default:
      return assertNever(record);
  }
}

function before({ start, end }: MessageRange, fork: MessageId): MessageRange {
  return { start, end: messageId(Math.min(end, fork)) };
}

/** `undefined` when there is no origin, or none that can be read. */
export function originOf(history: FullHistory): Origin | undefined {
  const value = history.setting(ORIGIN_SETTING);
  if (value === undefined) return undefined;
  const read = tryParseJson(value);
  if (typeof read !== "object" || read === null) return undefined; // written by another program
  const [conversation, title, message] = ["conversation", "title", "message"].map((name): unknown =>
    Reflect.get(read, name),
  );
  return typeof conversation === "string" && typeof title === "string" && typeof message === "number"
    ? { conversation, title, message }
    : undefined;
}

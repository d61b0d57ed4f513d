/** Adds to a conversation what its file has got since it was imported. */

import path from "node:path";
import { readMeta, writeMeta } from "../../../adapters/node/conversationMeta.ts";
import { acquireLease } from "../../../adapters/node/lease.ts";
import { openConversationStore } from "../../../adapters/sqlite/conversationStore.ts";
import { ImportedTail } from "../../../core/documents/foreign/importedTail.ts";
import { type ForgeError, type StorageFailed } from "../../../core/errors.ts";
import { FullHistory } from "../../../core/history/fullHistory.ts";
import { importLinkOf } from "../../../core/history/importLink.ts";
import type { ConversationRecord } from "../../../core/history/records.ts";
import type { ConversationId, MessageId } from "../../../core/ids.ts";
import { isUnsentRow } from "../../../core/store/journalRow.ts";
import type { Message } from "../../../core/message.ts";
import type { ConversationBusy } from "../../../core/replica/conversationReplica.ts";
import type { ConversationStore } from "../../../core/store/conversationStore.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import { yieldToHost } from "../../background/readInSlices.ts";
import type { ForgeFolders } from "../../editor/forgeFolders.ts";
import { releaseFile } from "../../opening/openConversation.ts";
import type { Session } from "../../session/session.ts";
import type { Conversations } from "../conversations.ts";

/** A new import of a file, in a folder that this process holds. */
export interface StagedImport {
  readonly folder: string;
  readonly leaseFile: string;
}

/** Questions and answers that were added, or why none could be. */
export type Updated = Result<number, ForgeError | ConversationBusy>;

const RECORDS_PER_READ = 500;
/** Each may be a tool's whole output. */
const MESSAGES_PER_READ = 20;
/** Of a conversation that changes while it is brought up to date. */
const MOST_ATTEMPTS = 5;

export async function bringUpToDate(
  id: ConversationId,
  staged: StagedImport,
  conversations: Pick<Conversations, "session" | "whileClosed" | "places">,
  { dist }: Pick<ForgeFolders, "dist">,
): Promise<Updated> {
  return withStore(staged.folder, staged.leaseFile, dist, async (store) => {
    const there = await historyIn(store);
    if (!there.ok) return there;
    const news = new News(there.value, store);
    const { session } = conversations;
    if (session?.opened.id === id) return updateOpen(session, news);
    let updated: Updated = ok(0);
    const done = await conversations.whileClosed(id, async () => {
      updated = await updateClosed(path.join(conversations.places.conversations, id), news, dist);
      return ok(undefined);
    });
    return done.ok ? updated : done;
  });
}

/** The content of the file now. */
class News {
  readonly #history: FullHistory;
  readonly #store: ConversationStore;
  readonly #contents = new Map<MessageId, Message>();

  constructor(history: FullHistory, store: ConversationStore) {
    this.#history = history;
    this.#store = store;
  }

  async recordsFor(here: FullHistory): Promise<Result<readonly [ConversationRecord[], number], ForgeError>> {
    const tail = new ImportedTail(here, this.#history);
    const unread = tail.missing.filter((message) => !this.#contents.has(message));
    for (let start = 0; start < unread.length; start += MESSAGES_PER_READ) {
      const read = await this.#store.readMessages(unread.slice(start, start + MESSAGES_PER_READ));
      if (!read.ok) return read;
      for (const { entry, message } of read.value) this.#contents.set(entry.id, message);
    }
    return ok([[...tail.records(this.#contents, Date.now())], tail.answers]);
  }
}

async function updateOpen(session: Session, news: News): Promise<Updated> {
  const { conversation } = session.opened;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const { recordCount } = conversation;
    const made = await news.recordsFor(conversation.history.copy());
    if (!made.ok) return made;
    const [records, answers] = made.value;
    if (records.length === 0) return ok(0);
    const stored = await session.replica.commit(records, recordCount);
    if (!stored.ok) return stored;
    if (stored.value === "stored") return ok(answers);
  }
  return err({ code: "CONVERSATION_BUSY" });
}

async function updateClosed(folder: string, news: News, dist: string): Promise<Updated> {
  const lease = await acquireLease(folder, { isBrief: true });
  if (!lease.ok) return lease.error.code === "CONVERSATION_IN_USE" ? err({ code: "CONVERSATION_BUSY" }) : lease;
  const opened = await openConversationStore({ folder, ...filesIn(dist), leaseFile: lease.value.file });
  if (!opened.ok) {
    await lease.value.release();
    return opened;
  }
  const store = opened.value;
  try {
    // What was interrupted continues the last message, so nothing may come between until its person has decided.
    if (store.shape.journal.some((row) => !isUnsentRow(row))) return err({ code: "CONVERSATION_BUSY" });
    const here = await historyIn(store);
    if (!here.ok) return here;
    const made = await news.recordsFor(here.value);
    if (!made.ok) return made;
    const [records, answers] = made.value;
    if (records.length === 0) return ok(0);
    const stored = await store.commit(records.map((record) => ({ kind: "record", record })));
    if (!stored.ok) return stored;
    for (const record of records) here.value.apply(record);
    await updateListing(folder, here.value, store.shape.recordCount + records.length);
    return ok(answers);
  } finally {
    await releaseFile({ store, lease: lease.value });
  }
}

/** A missing list entry is created at the next opening. */
async function updateListing(folder: string, history: FullHistory, recordCount: number): Promise<void> {
  const [meta, link] = [await readMeta(folder), importLinkOf(history)];
  if (meta === undefined) return;
  await writeMeta(folder, {
    ...meta,
    lastUsedAtMs: Math.max(meta.lastUsedAtMs, history.entries.at(-1)?.createdAtMs ?? 0),
    messageCount: history.length,
    recordCount,
    ...(link === undefined ? {} : { imported: link }),
  });
}

async function historyIn(store: ConversationStore): Promise<Result<FullHistory, StorageFailed>> {
  const history = new FullHistory();
  for (let from = 0; from < store.shape.recordCount; from += RECORDS_PER_READ) {
    const read = await store.readIndex(from, RECORDS_PER_READ);
    if (!read.ok) return read;
    for (const record of read.value) history.apply(record);
    await yieldToHost();
  }
  return ok(history);
}

async function withStore(
  folder: string,
  leaseFile: string,
  dist: string,
  work: (store: ConversationStore) => Promise<Updated>,
): Promise<Updated> {
  const store = await openConversationStore({ folder, ...filesIn(dist), leaseFile });
  if (!store.ok) return store;
  try {
    return await work(store.value);
  } finally {
    await store.value.close();
  }
}

function filesIn(dist: string): { readonly workerFile: string; readonly sqlJsFile: string } {
  return { workerFile: path.join(dist, "storageWorker.cjs"), sqlJsFile: path.join(dist, "sql-wasm-debug.js") };
}

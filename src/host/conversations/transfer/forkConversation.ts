/** "Fork here": a new conversation with a copy of this one up to a message, and a reference to its origin. */

import { randomUUID } from "node:crypto";
import { open } from "node:fs/promises";
import path from "node:path";
import { forkedHistory } from "../../../core/documents/forkedHistory.ts";
import { savedOutline, saveConversation } from "../../../core/documents/savedConversation.ts";
import { messageId, parseConversationId, type ConversationId } from "../../../core/ids.ts";
import type { ForgeError } from "../../../core/errors.ts";
import { invariant, ok, type Result } from "../../../core/result.ts";
import { readInSlices, NEVER_CANCELLED } from "../../background/readInSlices.ts";
import type { ForgeFolders } from "../../editor/forgeFolders.ts";
import { importFromFile } from "./importFromFile.ts";
import type { Session } from "../../session/session.ts";

/** Creates the fork without opening it; resolves to its id. On failure none exists. */
export async function forkConversation(
  session: Session,
  last: number,
  { storage, dist }: ForgeFolders,
): Promise<Result<ConversationId, ForgeError>> {
  const { manager, store, id: conversation } = session.opened;
  const id = parseConversationId(randomUUID());
  invariant(id !== undefined, "a new UUID is a conversation id");
  const origin = { conversation, title: session.title, message: last };
  const buildFork = function* () {
    return yield* savedOutline(
      yield* forkedHistory(manager.history, messageId(last), origin, Date.now()),
      (name) => name,
    );
  };
  const fork = await readInSlices(manager, buildFork, NEVER_CANCELLED);
  if (!fork.ok) return fork;
  const writeTo = async (file: string): Promise<Result<void, ForgeError>> => {
    const target = await open(file, "wx", 0o600);
    try {
      return await saveConversation(
        fork.value,
        async (ids) => {
          const read = await store.readMessages(ids);
          return read.ok ? ok(read.value.map(({ message }) => message)) : read;
        },
        (piece) => target.appendFile(piece),
      );
    } finally {
      await target.close();
    }
  };
  const imported = await importFromFile({
    file: writeTo,
    id,
    root: path.join(storage, "conversations"),
    workerFile: path.join(dist, "storageWorker.cjs"),
    sqlJsFile: path.join(dist, "sql-wasm-debug.js"),
    cancel: new AbortController().signal,
  });
  return imported.ok ? ok(id) : imported;
}

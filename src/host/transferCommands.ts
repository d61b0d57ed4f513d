/** "Forge: Export Conversation" and "Forge: Import Conversation": one JSON document with everything that was said. */

import { open, readFile, rename, rm } from "node:fs/promises";
import * as vscode from "vscode";
import { loadConversation } from "../core/history/loadConversation.ts";
import { saveConversation } from "../core/history/savedConversation.ts";
import { ok } from "../core/result.ts";
import type { Conversations } from "./conversations.ts";
import { explain } from "./explain.ts";
import type { Presenter } from "./presenter.ts";
import type { Session } from "./session.ts";

const FILTERS = { "Forge conversation": ["json"] };

/** Writes the open conversation to a file that the user names; an existing file is replaced whole or not at all. */
export async function exportConversation(session: Session, presenter: Presenter): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = `${fileNameOf(session.title)}.forge.json`;
  const target = await vscode.window.showSaveDialog({
    title: "Export Conversation",
    filters: FILTERS,
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (target === undefined) return;
  const { manager, store } = session.opened;
  const unfinished = `${target.fsPath}.unfinished`;
  const file = await open(unfinished, "w", 0o600);
  try {
    const saved = await saveConversation(
      manager.history,
      async (ids) => {
        const read = await store.readMessages(ids);
        return read.ok ? ok(read.value.map(({ message }) => message)) : read;
      },
      async (piece) => {
        await file.write(piece);
      },
    );
    await file.close();
    if (!saved.ok) {
      presenter.showBanner(explain(saved.error, ""));
      return;
    }
    await rename(unfinished, target.fsPath);
    presenter.showBanner({
      tone: "info",
      text: `Exported ${manager.history.length} messages to ${target.fsPath}.`,
      actions: [],
    });
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** Reads an exported file into a new conversation. A file with any fault changes nothing, and the fault is named. */
export async function importConversation(world: {
  readonly conversations: Conversations;
  readonly presenter: Presenter;
}): Promise<void> {
  const [source] =
    (await vscode.window.showOpenDialog({ title: "Import Conversation", filters: FILTERS, canSelectMany: false })) ??
    [];
  if (source === undefined) return;
  const loaded = loadConversation(await readFile(source.fsPath, "utf8"));
  if (!loaded.ok) {
    world.presenter.showBanner(explain(loaded.error, ""));
    return;
  }
  await world.conversations.openNew();
  const { session } = world.conversations;
  if (session === undefined) return;
  // One transaction: the whole of it is there, or nothing is.
  const stored = await session.opened.store.commit(loaded.value.map((record) => ({ kind: "record", record })));
  if (stored.ok) await world.conversations.reopen();
  else world.presenter.showBanner(explain(stored.error, ""));
}

/** A title as a file name: letters and digits of any script, the rest as hyphens. */
function fileNameOf(title: string): string {
  const name = title
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 60);
  return name === "" ? "conversation" : name.toLowerCase();
}

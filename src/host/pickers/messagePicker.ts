/** Picker for a message of the open conversation: the newest ones, or search results for the typed text. */

import * as vscode from "vscode";
import { isToolResult } from "../../core/context/request/excerpts.ts";
import type { ForgeError } from "../../core/errors.ts";
import { messageId, type MessageId } from "../../core/ids.ts";
import type { HistoryEntry } from "../../core/message.ts";
import { ok, type Result } from "../../core/result.ts";
import { searchText } from "../../core/search/searchText.ts";
import { localize } from "../../protocol/localize.ts";
import { proseInList } from "../tools/hiddenText.ts";
import { plainWords } from "../words/plainWords.ts";
import { formatAge } from "../words/formatting.ts";
import type { Session } from "../session/session.ts";
import { inList } from "../editor/boxes/inList.ts";

export interface MessagePickerTexts {
  readonly title: string;
  readonly placeholder: string;
}

interface MessageItem extends vscode.QuickPickItem {
  readonly id: MessageId;
}

/** Maximum of items, with and without a search. */
const MOST_LINES = 100;
/** In UTF-16 units. */
const LINE_LENGTH = 120;

/** Lists hidden messages, too, but no erased ones. `undefined`: dismissed. */
export async function pickMessage(
  session: Session,
  { title, placeholder }: MessagePickerTexts,
): Promise<Result<MessageId | undefined, ForgeError>> {
  const newest = await newestItems(session);
  if (!newest.ok) return newest;
  const picker = vscode.window.createQuickPick<MessageItem>();
  picker.title = title;
  picker.placeholder = placeholder;
  picker.items = inList(newest.value);
  try {
    return await new Promise((resolve, reject) => {
      const fill = async (typed: string): Promise<void> => {
        picker.busy = true;
        const found = typed.trim() === "" ? newest : await foundItems(session, typed);
        if (picker.value !== typed) return; // outdated: the text has changed since
        picker.busy = false;
        if (found.ok) picker.items = inList(found.value);
        else resolve(found);
      };
      picker.onDidChangeValue((typed) => {
        fill(typed).catch(reject);
      });
      picker.onDidHide(() => {
        resolve(ok(undefined));
      });
      picker.onDidAccept(() => {
        const [item] = picker.selectedItems;
        if (item !== undefined) resolve(ok(item.id));
      });
      picker.show();
    });
  } finally {
    picker.dispose();
  }
}

async function newestItems({ opened }: Session): Promise<Result<readonly MessageItem[], ForgeError>> {
  const { history } = opened.manager;
  const entries: HistoryEntry[] = [];
  for (let id = history.length - 1; id >= 0 && entries.length < MOST_LINES; id--) {
    const entry = history.entry(messageId(id));
    if (!isToolResult(entry) && entry.erasedAtMs === undefined) entries.push(entry);
  }
  const read = await opened.store.readMessages(entries.map(({ id }) => id));
  if (!read.ok) return read;
  return ok(read.value.map(({ entry, message }) => itemOf(entry, searchText(message), history.isVisible(entry))));
}

/** Shows all results of the store's search, which matches words in any order. */
async function foundItems({ opened }: Session, typed: string): Promise<Result<readonly MessageItem[], ForgeError>> {
  const { history } = opened.manager;
  const found = await opened.store.search(typed, { limit: MOST_LINES });
  if (!found.ok) return found;
  const items = new Map<MessageId, MessageItem>();
  for (const { id, excerpt } of found.value) {
    const { start } = history.atomOf(id); // a tool result is listed as the answer that requested it
    const entry = history.entry(start);
    if (entry.erasedAtMs !== undefined || items.has(start)) continue;
    items.set(start, { ...itemOf(entry, excerpt, history.isVisible(entry)), alwaysShow: true });
  }
  return ok([...items.values()]);
}

function itemOf(entry: HistoryEntry, text: string, isVisible: boolean): MessageItem {
  const icon = entry.role === "user" ? "$(account)" : "$(comment)";
  const facts = [
    entry.role === "user" ? localize("You") : localize("Answer"),
    formatAge(Date.now() - entry.createdAtMs),
    ...(isVisible ? [] : [localize("hidden")]),
  ];
  const label = `${icon} ${proseInList(lineOf(text))}`;
  return { label, description: facts.join(" · "), id: entry.id };
}

/** The beginning of a text on one line. */
export function lineOf(text: string): string {
  return plainWords(text, LINE_LENGTH);
}

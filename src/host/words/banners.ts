/** Building blocks of banners: tones, and the actions that several of them share. */

import type { Action, Banner } from "../../protocol/toView.ts";
import { localize } from "../../protocol/localize.ts";

export const RETRY: Action = { label: localize("Retry"), command: "retry" };
export const EDIT_QUESTION: Action = { label: localize("Edit"), command: "editQuestion" };
export const SWITCH_MODEL: Action = { label: localize("Switch model"), command: "switchModel" };
export const SUMMARIZE: Action = { label: localize("Summarize"), command: "summarize" };
export const SETTINGS: Action = { label: localize("Open settings"), command: "openSettings" };
export const REPLACE_KEY: Action = { label: localize("Replace key"), command: "addKey" };
export const MOVE_HERE: Action = { label: localize("Move it here"), command: "moveHere" };
export const OPEN_CONVERSATION: Action = { label: localize("Open another"), command: "openConversation" };
export const NEW_CONVERSATION: Action = { label: localize("New conversation"), command: "newConversation" };

export function failure(text: string, actions: readonly Action[] = []): Banner {
  return { tone: "error", text, actions };
}

export function warning(text: string, actions: readonly Action[]): Banner {
  return { tone: "warning", text, actions };
}

export function info(text: string): Banner {
  return { tone: "info", text, actions: [] };
}

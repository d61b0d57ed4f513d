/** What banners are made of: their tones, and the buttons that several of them have. */

import type { Action, Banner } from "../../protocol/toView.ts";
import { localize } from "../../protocol/localize.ts";

/** Sends the last question again. */
export const RETRY: Action = { label: localize("Retry"), command: "retry" };
/** Opens the picker of models. */
export const SWITCH: Action = { label: localize("Switch model"), command: "switchModel" };
/** Makes room. */
export const SUMMARIZE: Action = { label: localize("Summarize"), command: "summarize" };
/** Opens Forge's settings. */
export const SETTINGS: Action = { label: localize("Open settings"), command: "openSettings" };
/** Asks for another key. */
export const KEY: Action = { label: localize("Replace key"), command: "addKey" };
/** Takes the conversation over from another window. */
export const MOVE: Action = { label: localize("Move it here"), command: "moveHere" };
/** Opens the list of conversations. */
export const OPEN: Action = { label: localize("Open another"), command: "openConversation" };
/** Begins a conversation. */
export const NEW: Action = { label: localize("New conversation"), command: "newConversation" };

/** Something failed. */
export function failure(text: string, actions: readonly Action[] = []): Banner {
  return { tone: "error", text, actions };
}

/** Something needs the user. */
export function warning(text: string, actions: readonly Action[]): Banner {
  return { tone: "warning", text, actions };
}

/** Something happened. */
export function info(text: string): Banner {
  return { tone: "info", text, actions: [] };
}

/** How much of the chat is read out: `forge.readOut`, and what the editor's accessibility settings turn off. */

import * as vscode from "vscode";
import type { ReadOutView } from "../../protocol/readOutView.ts";

/** The editor's signals for its own chat, by what Forge announces in their place. */
const SIGNALS = {
  sent: "accessibility.signals.chatRequestSent",
  waiting: "accessibility.signals.chatResponsePending",
  complete: "accessibility.signals.chatResponseReceived",
  question: "accessibility.signals.chatUserActionRequired",
} as const satisfies Readonly<Record<ReadOutView["silent"][number], string>>;

export const READ_OUT_SETTINGS: readonly string[] = ["forge.readOut", ...Object.values(SIGNALS)];

export function readOutSettings(): ReadOutView {
  const settings = vscode.workspace.getConfiguration();
  return readOutOf((name) => settings.get<unknown>(name));
}

/** Unknown values count as not set. */
export function readOutOf(read: (name: string) => unknown): ReadOutView {
  const amount = read("forge.readOut");
  const isSilent = (signal: unknown): boolean =>
    typeof signal === "object" && signal !== null && "announcement" in signal && signal.announcement === "off";
  return {
    amount: amount === "off" || amount === "short" ? amount : "all",
    silent: (["sent", "waiting", "complete", "question"] as const).filter((name) => isSilent(read(SIGNALS[name]))),
  };
}

/** A chat that soon needs summaries, and the scripted model that writes them. */

import type { Frame, Locator, Page } from "playwright-core";
import type { Script } from "../../servers/script.ts";
import { until } from "../../../scripts/vscode/until.ts";
import { answer, openChat, send, usageItem } from "./chat.ts";
import { useModelSession } from "./modelSession.ts";
import { killExtensionHost } from "./processes.ts";
import { nextExtensionHost, statusBarItem } from "./workbench.ts";

/** A window with a budget of 10,000 tokens: 20,527 less 10,000 for the answer, less a twentieth of the rest. */
const limits = { contextWindow: 20_527, maxOutput: 10_000 };
const model = "house-model";
export const paragraph =
  "The harbour keeps a table of tides in data/tides.csv, and the rule is: never edit it by hand. ";
const notes = [
  "## Goal",
  "A table of tides for the harbour.",
  "## Findings",
  "- The table lies in data/tides.csv.",
  "- The harbour keeps it, and nobody else does.",
  "- The rule of the harbour: never edit it by hand.",
  "- Each question was about this table of tides.",
  "- The answers told it in the same way as before.",
  "## Current state",
  "- Nothing in data/tides.csv was changed so far.",
  "- The rule was not broken, and the table stands as the harbour keeps it.",
  "## Open items",
  "- none that the user named",
].join("\n");

/** A script for summary requests, which contain the transcript. */
export const summary = (script: Omit<Script, "match">): Script => ({ match: "<transcript>", ...script });
/** Sends the first 20 pieces at once, and the rest on `goOn`. */
export const HELD = summary({ answer: { text: notes }, fault: { kind: "pause", afterPieces: 20 } });
/** Starts, and stalls until it is cancelled. */
export const STUCK = summary({ answer: { text: notes }, fault: { kind: "stall", afterPieces: 10 } });
export const GOOD = summary({ answer: { text: notes } });

export interface SummarizedChat {
  readonly page: Page;
  /** Replaced by each `crash`, `reload` and `leaveAndComeBack`. */
  readonly chat: Frame;
  readonly progress: Locator;
  readonly marker: Locator;
  readonly cancelItem: Locator;
  /** Sets the model's answers from now on. */
  readonly script: (...scripts: readonly Script[]) => void;
  /** Kills the extension host and waits for the next one. */
  readonly crash: () => Promise<void>;
  readonly reload: () => Promise<void>;
  /** Shows another view in the side bar for a moment. */
  readonly leaveAndComeBack: () => Promise<void>;
  /** Completes a {@link HELD} summary. */
  readonly goOn: () => void;
  /** Sends messages until `toPercent` of the budget or a summary is in use. */
  readonly fill: (toPercent: number) => Promise<void>;
}

/** A suite's model, window and chat with a small budget. */
export function useSummarizedChat(name: string, settings: Readonly<Record<string, unknown>>): SummarizedChat {
  let page: Page;
  let chat: Frame;
  const session = useModelSession(
    name,
    {
      "forge.models": { [model]: limits },
      "forge.tools.enabled": false, // their definitions would count in each figure
      ...settings,
    },
    { models: [{ id: model, ...limits }] },
  );
  before(async () => {
    ({ page, chat } = await session.openChat());
  });
  const percent = async (): Promise<number> => {
    const text = (await usageItem(page).textContent()) ?? "";
    return Number(/\((\d+)%\)/.exec(text)?.[1] ?? 0);
  };
  beforeEach(async () => {
    await session.startAnew({ page, chat });
    await until(async () => (await percent()) < 5 || undefined); // the status bar follows a moment later
  });
  const ui = {
    get page(): Page {
      return page;
    },
    get chat(): Frame {
      return chat;
    },
    script: (...scripts: readonly Script[]): void => {
      session.models.script(...scripts);
    },
    crash: async (): Promise<void> => {
      const killed = await killExtensionHost(session.server);
      await nextExtensionHost(page, session.server, killed);
      chat = await openChat(page);
    },
    reload: async (): Promise<void> => {
      await page.reload();
      chat = await openChat(page);
    },
    leaveAndComeBack: async (): Promise<void> => {
      const left = chat;
      await page.keyboard.press("Control+Shift+E");
      await until(() => left.isDetached() || undefined);
      chat = await openChat(page);
    },
    goOn: (): void => {
      session.models.goOn();
    },
    fill: async (toPercent: number): Promise<void> => {
      for (let turn = 1; (await percent()) < toPercent && (await ui.marker.count()) === 0; turn++) {
        await send(chat, `${paragraph.repeat(16)} Question ${String(turn)}?`);
        await answer(chat);
      }
    },
    get progress(): Locator {
      return chat.getByText(/Summarizing \d+%/);
    },
    get marker(): Locator {
      return chat.locator(".row.summary");
    },
    get cancelItem(): Locator {
      return statusBarItem(page, "forge-chat.forge.forge.cancelSummary");
    },
  };
  return ui;
}

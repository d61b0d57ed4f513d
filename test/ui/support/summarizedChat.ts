/** A chat in the real editor that needs summaries, and the model that writes them as the test says. */

import type { Frame, Locator, Page } from "playwright-core";
import type { Script } from "../../servers/script.ts";
import { until } from "../../../scripts/vscode/until.ts";
import { answer, openChat, send, usageItem } from "./chat.ts";
import { useModelSession } from "./modelSession.ts";
import { killExtensionHost } from "./processes.ts";
import { nextExtensionHost, statusBarItem } from "./workbench.ts";

/** A window that leaves a budget of 10,000 tokens: 20,527 less the answer's 10,000, less a twentieth of the rest. */
const limits = { contextWindow: 20_527, maxOutput: 10_000 };
const model = "house-model";
/** Something to talk about. */
export const paragraph =
  "The harbour keeps a table of tides in data/tides.csv, and the rule is: never edit it by hand. ";
const notes = `## Goal\nA table of tides for the harbour.\n## Findings\n${"- The table lies in data/tides.csv.\n".repeat(12)}`;

/** What a summary is answered with; a request for one holds the transcript. */
export const summary = (script: Omit<Script, "match">): Script => ({ match: "<transcript>", ...script });
/** Half of it comes at once, the rest when the test says so. */
export const HELD = summary({ answer: { text: notes }, fault: { kind: "pause", afterPieces: 20 } });
/** Begins, and comes to no end before it is cancelled. */
export const STUCK = summary({ answer: { text: notes }, fault: { kind: "stall", afterPieces: 10 } });
/** Comes as it is. */
export const GOOD = summary({ answer: { text: notes } });

/** The chat of a suite, and what is done in it again and again. */
export interface SummarizedChat {
  readonly page: Page;
  /** Another one after each `crash`, `reload` and `leaveAndComeBack`. */
  readonly chat: Frame;
  readonly progress: Locator;
  readonly marker: Locator;
  readonly cancelItem: Locator;
  /** What the model answers from now on. */
  readonly script: (...scripts: readonly Script[]) => void;
  /** Forge ends at once, as in a crash, and is there again. */
  readonly crash: () => Promise<void>;
  readonly reload: () => Promise<void>;
  /** Another view takes the chat's place in the side bar for a moment. */
  readonly leaveAndComeBack: () => Promise<void>;
  /** Has the summary that is held come to its end. */
  readonly goOn: () => void;
  /** Talks until so much of the budget is in use, or a summary is. */
  readonly fill: (toPercent: number) => Promise<void>;
}

/** A suite's model, window and chat, with a budget that is soon full. */
export function useSummarizedChat(name: string, settings: Readonly<Record<string, unknown>>): SummarizedChat {
  let page: Page;
  let chat: Frame;
  const session = useModelSession(
    name,
    {
      "forge.models": { [model]: limits },
      "forge.tools.enabled": false, // their definitions would take a part of each figure
      ...settings,
    },
    { models: [{ id: model, ...limits }] },
  );
  before(async () => {
    ({ page, chat } = await session.openChat());
  });
  beforeEach(() => session.startAnew({ page, chat }));
  const percent = async (): Promise<number> => {
    const text = (await usageItem(page).textContent()) ?? "";
    return Number(/\((\d+)%\)/.exec(text)?.[1] ?? 0);
  };
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

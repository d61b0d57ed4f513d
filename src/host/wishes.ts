/** What the user wishes of the answers in a conversation: its own word, else the settings; and the pickers for it. */

import * as vscode from "vscode";
import type { FullHistory } from "../core/history/fullHistory.ts";
import { ANSWER_LENGTHS, REASONING_EFFORTS, type AnswerWishes } from "../core/models/answerWishes.ts";
import { keepOwnSetting } from "./conversationSetting.ts";
import type { Presenter } from "./presenter.ts";
import type { Session } from "./session.ts";
import type { Settings } from "./settings.ts";
import { wishesOf } from "./wishesOf.ts";

/** One of the wishes. */
export type Wish = keyof AnswerWishes;

/** What a picker offers for a wish. */
interface WishWords {
  readonly title: string;
  /** Label and detail by value. */
  readonly values: Readonly<Record<string, readonly [label: string, detail: string]>>;
}

const WORDS: Readonly<Record<Wish, WishWords>> = {
  reasoningEffort: {
    title: "Forge: Reasoning Effort of This Conversation",
    values: {
      auto: ["The model's own", "Nothing is said"],
      none: ["None", "Answer at once, where the model can"],
      low: ["Low", "Faster and cheaper"],
      medium: ["Medium", "As for usual questions"],
      high: ["High", "Slower and dearer"],
      max: ["Most", "As long as the model can"],
    },
  },
  answerLength: {
    title: "Forge: Length of Answers in This Conversation",
    values: {
      auto: ["The model's own", "Nothing is said"],
      short: ["Short", "As few words as the matter allows"],
      medium: ["Medium", "Neither terse nor detailed"],
      long: ["Long", "With reasons, steps and examples"],
    },
  },
};

/** "High, for this conversation", for the menu. */
export function wishText(wish: Wish, history: FullHistory, settings: Settings): string {
  const value = wishesOf(history, settings)[wish] ?? "auto";
  const own = history.setting(wish) ?? "";
  return `${WORDS[wish].values[value]?.[0] ?? value}${own === "" ? "" : ", for this conversation"}`;
}

/** Lets the user choose; acts on the next request. */
export async function pickWish(wish: Wish, session: Session, presenter: Presenter, settings: Settings): Promise<void> {
  const own = session.opened.manager.history.setting(wish) ?? "";
  const inSettings = settings.wishes[wish] ?? "auto";
  const { title, values } = WORDS[wish];
  const items = [
    { value: "", label: "As in the settings", detail: values[inSettings]?.[0] ?? inSettings },
    ...["auto", ...(wish === "reasoningEffort" ? REASONING_EFFORTS : ANSWER_LENGTHS)].map((value) => {
      const [label, detail] = values[value] ?? [value, ""];
      return { value, label, detail };
    }),
  ].map((item) => (item.value === own ? { ...item, description: "in use" } : item));
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder: "Sent only to models that take it" });
  if (picked === undefined || picked.value === own) return;
  const isKept = await keepOwnSetting({ name: wish, value: picked.value, busyText: BUSY }, session, (banner) => {
    presenter.showBanner(banner);
  });
  if (isKept) await session.tools.refresh();
}

const BUSY = "That can be changed when this answer has ended.";

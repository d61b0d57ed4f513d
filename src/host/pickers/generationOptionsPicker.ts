/** Pickers for the generation options of a conversation, which override those of the settings. */

import * as vscode from "vscode";
import type { FullHistory } from "../../core/history/fullHistory.ts";
import { ANSWER_LENGTHS, REASONING_EFFORTS, type GenerationOptions } from "../../core/models/generationOptions.ts";
import { localize } from "../../protocol/localize.ts";
import type { CommandFocus } from "../editor/commandFocus.ts";
import type { Session } from "../session/session.ts";
import type { Settings } from "../editor/settings.ts";
import { generationOptionsOf } from "../connections/generationOptions.ts";
import { inList } from "../editor/boxes/inList.ts";

export type OptionName = keyof GenerationOptions;

interface OptionTexts {
  readonly title: string;
  readonly values: Readonly<Record<string, readonly [label: string, detail: string]>>;
}

const WORDS: Readonly<Record<OptionName, OptionTexts>> = {
  reasoningEffort: {
    title: localize("Forge: Reasoning Effort of This Conversation"),
    values: {
      auto: [localize("The model's own"), localize("Not specified")],
      none: [localize("None"), localize("Answer at once, where the model can")],
      low: [localize("Low"), localize("Faster and cheaper")],
      medium: [localize("Medium"), localize("As for usual questions")],
      high: [localize("High"), localize("Slower and more expensive")],
      max: [localize("Maximum"), localize("As long as the model can")],
    },
  },
  answerLength: {
    title: localize("Forge: Length of Answers in This Conversation"),
    values: {
      auto: [localize("The model's own"), localize("Not specified")],
      short: [localize("Short"), localize("As few words as possible")],
      medium: [localize("Medium"), localize("Neither terse nor detailed")],
      long: [localize("Long"), localize("With reasons, steps and examples")],
    },
  },
};

/** Menu description: "High, for this conversation". */
export function generationOptionText(option: OptionName, history: FullHistory, settings: Settings): string {
  const value = generationOptionsOf(history, settings)[option] ?? "auto";
  const own = history.setting(option) ?? "";
  const label = WORDS[option].values[value]?.[0] ?? value;
  return own === "" ? label : localize("{0}, for this conversation", label);
}

/** Takes effect with the next request. */
export async function pickGenerationOption(
  option: OptionName,
  session: Session,
  settings: Settings,
  keyboard: CommandFocus,
): Promise<void> {
  const own = session.opened.manager.history.setting(option) ?? "";
  const inSettings = settings.generationOptions[option] ?? "auto";
  const { title, values } = WORDS[option];
  const items = [
    { value: "", label: localize("As in the settings"), detail: values[inSettings]?.[0] ?? inSettings },
    ...["auto", ...(option === "reasoningEffort" ? REASONING_EFFORTS : ANSWER_LENGTHS)].map((value) => {
      const [label, detail] = values[value] ?? [value, ""];
      return { value, label, detail };
    }),
  ].map((item) => (item.value === own ? { ...item, description: localize("in use") } : item));
  const picked = await vscode.window.showQuickPick(inList(items), {
    title,
    placeHolder: localize("Sent only to models that take it"),
  });
  keyboard.afterPrompt();
  if (picked === undefined || picked.value === own) return;
  if (await session.setSetting(option, picked.value, BUSY)) await session.tools.refresh();
}

const BUSY = localize("That can be changed when this answer has ended.");

import * as vscode from "vscode";
import { askInBox } from "../../editor/boxes/askInBox.ts";

export interface TextQuestion {
  readonly title: string;
  readonly prompt: string;
  readonly value?: string;
  readonly placeholder?: string;
  readonly isSecret?: boolean;
  /** The reason why the text is refused. */
  readonly refusal: (text: string) => string | undefined;
}

/** Asks until the text is not refused. `undefined`: dismissed. */
export function askText({
  title,
  prompt,
  value = "",
  placeholder = "",
  isSecret = false,
  refusal,
}: TextQuestion): Promise<string | undefined> {
  const box = vscode.window.createInputBox();
  box.title = title;
  box.prompt = prompt;
  box.value = value;
  box.placeholder = placeholder;
  box.password = isSecret;
  box.ignoreFocusOut = true;
  return askInBox(box, {
    accept: (text) => {
      const refused = refusal(text);
      return Promise.resolve(refused === undefined ? { answer: text } : { refused });
    },
  });
}

/** An input box that stays open while what was entered is tried. */

import type * as vscode from "vscode";

/** What becomes of what was entered: an answer, which closes the box, or why it is refused. */
export type Tried<Answer> = { readonly answer: Answer } | { readonly refused: string };

/** What is done with what is entered. */
export interface BoxUse<Answer> {
  /** What is wrong with what is being typed. */
  readonly check?: (value: string) => string | undefined;
  /** Takes what was entered; `undefined` leaves the box as it is. */
  readonly accept: (value: string) => Promise<Tried<Answer> | undefined>;
}

/**
 * Shows `box` and answers what `accept` makes of what was entered; `undefined` when the user turned away. The box is busy while
 * that is found out, and stays, with the reason, while it is refused. Then it is closed and disposed of.
 */
export function askInBox<Answer>(box: vscode.InputBox, use: BoxUse<Answer>): Promise<Answer | undefined> {
  return new Promise((resolve, reject) => {
    const accept = async (): Promise<void> => {
      box.busy = true;
      box.enabled = false;
      const tried = await use.accept(box.value.trim());
      box.busy = false;
      box.enabled = true;
      if (tried === undefined) return;
      if ("refused" in tried) {
        box.validationMessage = tried.refused;
        return;
      }
      resolve(tried.answer);
      box.hide();
    };
    box.onDidChangeValue((value) => {
      box.validationMessage = use.check?.(value.trim());
    });
    box.onDidAccept(() => {
      accept().catch(reject);
    });
    box.onDidHide(() => {
      resolve(undefined);
      box.dispose();
    });
    box.show();
  });
}

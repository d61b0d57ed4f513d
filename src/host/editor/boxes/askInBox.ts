import type * as vscode from "vscode";

/** Result of a submitted value: an answer, which closes the box, or the reason why it is refused. */
export type Tried<Answer> = { readonly answer: Answer } | { readonly refused: string };

export interface BoxUse<Answer> {
  /** Validates the value on each change. */
  readonly check?: (value: string) => string | undefined;
  /** Tries a submitted value; `undefined` leaves the box as it is. */
  readonly accept: (value: string) => Promise<Tried<Answer> | undefined>;
}

/**
 * Shows an input box that stays open while a submitted value is tried (busy) or refused (with the reason). Resolves to
 * the accepted answer, or `undefined` when dismissed; then `box` is disposed.
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

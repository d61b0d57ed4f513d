import type * as vscode from "vscode";

/** Result of a submitted value: an answer, which closes the box, or the reason why it is refused. */
export type TryResult<Answer> = { readonly answer: Answer } | { readonly refused: string };

export interface InputBoxHandlers<Answer> {
  /** Validates the value on each change. */
  readonly check?: (value: string) => string | undefined;
  /** Tries a submitted value; `undefined` leaves the box as it is. */
  readonly accept: (value: string) => Promise<TryResult<Answer> | undefined>;
}

/**
 * Shows an input box that stays open while a submitted value is tried (busy) or refused (with the reason). Resolves to
 * the accepted answer, or `undefined` when dismissed; then `box` is disposed.
 */
export function askInBox<Answer>(box: vscode.InputBox, use: InputBoxHandlers<Answer>): Promise<Answer | undefined> {
  return new Promise((resolve, reject) => {
    const accept = async (): Promise<void> => {
      box.busy = true;
      box.enabled = false;
      const result = await use.accept(box.value.trim());
      box.busy = false;
      box.enabled = true;
      if (result === undefined) return;
      if ("refused" in result) {
        box.validationMessage = result.refused;
        return;
      }
      resolve(result.answer);
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

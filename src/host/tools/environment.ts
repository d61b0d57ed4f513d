/** What the editor's tools need from around them. */

import type { CancelSignal } from "../../core/ports.ts";
import type { ProposedEdits } from "./edit/proposedEdits.ts";
import type { ReportBug } from "./hostTool.ts";

/** A question that only the user can answer. */
export interface Question {
  readonly title: string;
  readonly detail: string;
  /** The words of the button that says yes. */
  readonly accept: string;
}

/** The world as the tools of one conversation see it. */
export interface ToolsEnvironment {
  /** Folder of the shipped files. */
  readonly dist: string;
  /** Asks the user in the editor; false as well when `cancel` comes first. */
  readonly confirm: (question: Question, cancel: CancelSignal) => Promise<boolean>;
  /** Where edits wait for the user's decision. */
  readonly proposals: ProposedEdits;
  /** Names of the tools registered in the editor that the user has enabled. */
  readonly enabledEditorTools: () => readonly string[];
  readonly reportBug: ReportBug;
}

/** Which state of a file the model has seen, so that a file that changed since is not overwritten. */
export class SeenFiles {
  readonly #stamps = new Map<string, string>();

  /** The model has seen the file at `uri` in the state `stamp`. */
  note(uri: string, stamp: string): void {
    this.#stamps.set(uri, stamp);
  }

  /** The state that was seen last; `undefined` for a file that was not seen. */
  stampOf(uri: string): string | undefined {
    return this.#stamps.get(uri);
  }
}

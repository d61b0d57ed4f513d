/**
 * Edits that wait for the user: each is a diff in the editor, with Accept and Refuse in its title. The right side is a
 * virtual document: the file itself is unchanged until the user accepts.
 */

import * as vscode from "vscode";
import type { CancelSignal } from "../../../core/cancellation.ts";
import { localize } from "../../../protocol/localize.ts";
import { withPlainLineEnds } from "./applyEdits.ts";
import { isNotebookName } from "../../notebooks/notebookJson.ts";
import { isNewFile, type PreparedEdit } from "./preparedEdit.ts";

export const PROPOSED_SCHEME = "forge-edit";

/** Context key of the palette's commands: an edit waits. */
const WAITING_KEY = "forge.editWaits";

export interface Proposal {
  readonly uri: vscode.Uri;
  /** The file's path for the user. */
  readonly shown: string;
  /** Text of the left side, where it is not the file as the editor shows it. */
  readonly before: string | undefined;
  readonly isNew: boolean;
  /** The texts are those of a notebook's cells. */
  readonly isOfCells: boolean;
  readonly after: string;
}

export function proposalOf(prepared: PreparedEdit): Proposal {
  const { place, document, before, after } = prepared;
  const isAsShown = document !== undefined && withPlainLineEnds(document.getText()) === withPlainLineEnds(before);
  const isOfCells = prepared.target.kind === "cells" || isNotebookName(place.relative);
  const { uri, shown } = place;
  return { uri, shown, before: isAsShown ? undefined : before, isNew: isNewFile(prepared), isOfCells, after };
}

/** `closed`: the user closed the diff, or the caller cancelled. */
export type Decision = "accepted" | "refused" | "closed";

interface PendingEdit {
  readonly proposal: Proposal;
  readonly decide: (decision: Decision) => void;
}

export class ProposedEdits implements vscode.Disposable {
  readonly #texts = new Map<string, string>();
  /** By the URI of the proposed text, oldest first. */
  readonly #waiting = new Map<string, PendingEdit>();
  readonly #disposables: readonly { dispose(): unknown }[];
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  #count = 0;

  constructor() {
    this.#disposables = [
      this.#changed,
      vscode.workspace.registerTextDocumentContentProvider(PROPOSED_SCHEME, {
        onDidChange: this.#changed.event,
        provideTextDocumentContent: (uri) => this.#texts.get(uri.toString()),
      }),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        for (const tab of closed) this.#waiting.get(proposedUriOf(tab) ?? "")?.decide("closed");
      }),
    ];
    // Diffs left open by an earlier window have no owner.
    void vscode.window.tabGroups.close(openTabs().filter((tab) => proposedUriOf(tab) !== undefined));
  }

  /** Shows the diff and waits for the user. The diff is closed when this resolves. */
  async propose(proposal: Proposal, cancel: CancelSignal): Promise<Decision> {
    const number = ++this.#count;
    // A notebook's own name would open its editor.
    const file = proposal.isOfCells ? proposal.uri.with({ path: `${proposal.uri.path}.txt` }) : proposal.uri;
    const after = documentUri(file, `after-${number}`);
    const before = proposal.before === undefined ? proposal.uri : documentUri(file, `before-${number}`);
    this.#texts.set(after.toString(), proposal.after).set(before.toString(), proposal.before ?? "");
    let stop: () => void = () => undefined;
    try {
      const decided = new Promise<Decision>((resolve) => {
        this.#waiting.set(after.toString(), { proposal, decide: resolve });
        stop = () => {
          resolve("closed");
        };
      });
      cancel.addEventListener("abort", stop);
      await vscode.commands.executeCommand("setContext", WAITING_KEY, true);
      if (cancel.aborted) return "closed";
      // The editor may never report a diff that is closed while it opens.
      const shown = showDiff(before, after, proposal).then(() => decided);
      return await Promise.race([decided, shown]);
    } finally {
      cancel.removeEventListener("abort", stop);
      this.#waiting.delete(after.toString());
      await vscode.window.tabGroups.close(openTabs().filter((tab) => proposedUriOf(tab) === after.toString()));
      for (const uri of [after, before]) this.#texts.delete(uri.toString());
      await vscode.commands.executeCommand("setContext", WAITING_KEY, this.#waiting.size > 0);
    }
  }

  /** Decides the edit at `uri`, else the active one, else the oldest; false when none waits. */
  decide(decision: "accepted" | "refused", uri?: vscode.Uri): boolean {
    const active = vscode.window.tabGroups.activeTabGroup.activeTab;
    const inFront = active === undefined ? undefined : proposedUriOf(active);
    const candidates = [uri?.toString(), inFront, ...this.#waiting.keys()];
    const key = candidates.find((candidate) => candidate !== undefined && this.#waiting.has(candidate));
    const waiting = key === undefined ? undefined : this.#waiting.get(key);
    waiting?.decide(decision);
    return waiting !== undefined;
  }

  dispose(): void {
    for (const { decide } of this.#waiting.values()) decide("closed");
    for (const disposable of this.#disposables) disposable.dispose();
  }
}

/** Has the file's path, so that the editor picks the same language. */
function documentUri(uri: vscode.Uri, query: string): vscode.Uri {
  return uri.with({ scheme: PROPOSED_SCHEME, query });
}

async function showDiff(before: vscode.Uri, after: vscode.Uri, { shown, isNew }: Proposal): Promise<void> {
  const title = isNew ? localize("{0} (proposed new file)", shown) : localize("{0} (proposed edit)", shown);
  const options: vscode.TextDocumentShowOptions = { preview: false, preserveFocus: true };
  await vscode.commands.executeCommand("vscode.diff", before, after, title, options);
}

function openTabs(): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
}

/** The URI of the proposed text in a diff tab. */
function proposedUriOf({ input }: vscode.Tab): string | undefined {
  if (!(input instanceof vscode.TabInputTextDiff)) return undefined;
  return input.modified.scheme === PROPOSED_SCHEME ? input.modified.toString() : undefined;
}

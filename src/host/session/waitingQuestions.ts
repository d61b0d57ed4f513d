/** The questions that wait for the user, in this window and in others, for icon and status bar. */

import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import {
  readWaiting,
  recordWaiting,
  watchWaiting,
  type WaitingElsewhere,
} from "../../adapters/node/waitingQuestions.ts";
import { WorkQueue } from "../../core/workQueue.ts";
import type { ConversationId } from "../../core/ids.ts";
import { Emitter } from "../background/emitter.ts";
import type { ActiveSession } from "./activeSession.ts";

export class WaitingQuestions {
  readonly #storage: string;
  readonly #active: ActiveSession;
  readonly #work = new WorkQueue();
  readonly #changed = new Emitter<void>();
  readonly #ends: readonly (() => void)[];
  #recorded: { readonly id: ConversationId; readonly count: number } | undefined;
  #elsewhere: readonly WaitingElsewhere[] = [];

  /** Fires when what waits in other windows has changed. */
  readonly onDidChange = this.#changed.event;

  constructor(storage: string, active: ActiveSession, reportBug: (error: unknown) => void) {
    this.#storage = storage;
    this.#active = active;
    const listening = active.onDidChange(() => {
      this.#record().catch(reportBug);
    });
    const stopWatching = watchWaiting(storage, () => {
      this.#read().catch(reportBug);
    });
    this.#ends = [
      () => {
        listening.dispose();
      },
      stopWatching,
    ];
  }

  get elsewhere(): readonly WaitingElsewhere[] {
    return this.#elsewhere;
  }

  /** Number of questions in this window. */
  get here(): number {
    return this.#active.session?.waiting ?? 0;
  }

  dispose(): void {
    for (const end of this.#ends) end();
  }

  async #record(): Promise<void> {
    const { session } = this.#active;
    if (session === undefined) return;
    const { id } = session.opened;
    const count = session.waiting;
    const before = this.#recorded?.id === id ? this.#recorded.count : 0;
    if (count === before) return;
    this.#recorded = { id, count };
    await this.#work.run(() => recordWaiting(this.#storage, id, { count, window: vscode.workspace.name ?? "" }));
  }

  async #read(): Promise<void> {
    const elsewhere = await readWaiting(this.#storage);
    if (isDeepStrictEqual(elsewhere, this.#elsewhere)) return;
    this.#elsewhere = elsewhere;
    this.#changed.fire();
  }
}

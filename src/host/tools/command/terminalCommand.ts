/**
 * Runs a command in a terminal that the user sees, where the shell tells the editor when a command begins and ends. A
 * terminal is used again while it is free, waits at its prompt in the same folder, and only Forge has run anything there.
 */

import * as vscode from "vscode";
import type { CancelSignal } from "../../../core/cancellation.ts";
import { Emitter } from "../../background/emitter.ts";
import type { CommandEnd, CommandRequest } from "./commandRun.ts";
import { isShellAtPrompt } from "./shellPrompt.ts";
import { runInShell, type Shell } from "./terminalExecution.ts";

/** How long a new terminal may take until its shell talks to the editor; some never do. */
const INTEGRATION_LIMIT_MS = 5_000;
/** How often a terminal is looked at before it counts as one where something runs, and how long between. */
const PROMPT_LOOKS = 10;
const PROMPT_PAUSE_MS = 100;

/**
 * `reserved`: it is looked at, or made, for a command. `unusable`: left open for the user to look at; what a command did
 * there may keep the next from being told of.
 */
type Use = "free" | "reserved" | "running" | "unusable";

/** The terminals of one window that commands of a model run in. */
export class CommandTerminals implements vscode.Disposable {
  /** Where something else began than a command of Forge, the terminal is the user's: no longer here, never typed into. */
  readonly #uses = new Map<vscode.Terminal, Use>();
  readonly #listeners: readonly vscode.Disposable[];
  readonly #isAtPrompt: typeof isShellAtPrompt;
  readonly #closed = new Emitter<void>();
  /** A shell that did not talk once is not waited for again. */
  #isWithoutIntegration = false;

  /** Fires when one of them was closed: with the last one, the editor takes the keyboard away from where it is. */
  readonly onDidClose = this.#closed.event;

  constructor(isAtPrompt = isShellAtPrompt) {
    this.#isAtPrompt = isAtPrompt;
    this.#listeners = [
      vscode.window.onDidCloseTerminal((terminal) => {
        if (this.#uses.delete(terminal)) this.#closed.fire();
      }),
      vscode.window.onDidStartTerminalShellExecution(({ terminal }) => {
        if (this.#uses.get(terminal) !== "running") this.#uses.delete(terminal);
      }),
    ];
  }

  /** Runs it and shows the terminal; `undefined` where no terminal could be had, and nothing was run. */
  async run(request: CommandRequest, cancel: CancelSignal): Promise<CommandEnd | undefined> {
    const shell = (await this.#freeShell(request.folder, cancel)) ?? (await this.#newShell(request.folder, cancel));
    if (shell === undefined) return cancel.aborted ? { kind: "cancelled" } : undefined;
    const { terminal } = shell;
    this.#uses.set(terminal, "running");
    let use: Use = "unusable";
    try {
      terminal.show(true);
      const { end, isTold, isOfUser } = await runInShell(shell, request, cancel);
      if (isOfUser) this.#uses.delete(terminal);
      else if (isTold) use = "free";
      return end;
    } finally {
      if (this.#uses.has(terminal)) this.#uses.set(terminal, use);
    }
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
    for (const terminal of this.#uses.keys()) terminal.dispose();
  }

  async #freeShell(folder: string, cancel: CancelSignal): Promise<Shell | undefined> {
    for (const [terminal, use] of [...this.#uses]) {
      const integration = terminal.shellIntegration;
      if (use !== "free" || terminal.exitStatus !== undefined || integration?.cwd?.fsPath !== folder) continue;
      this.#uses.set(terminal, "reserved");
      const isWaiting = await this.#isWaiting(terminal, cancel);
      if (this.#uses.get(terminal) !== "reserved") continue; // closed, or the user's
      if (isWaiting) return { terminal, integration };
      this.#uses.set(terminal, "free");
    }
    return undefined;
  }

  /** The editor need not tell what the user began; and a prompt that is still being written is worth a moment. */
  async #isWaiting(terminal: vscode.Terminal, cancel: CancelSignal): Promise<boolean> {
    const pid = await terminal.processId;
    for (let looks = 1; !cancel.aborted; looks++) {
      if ((await this.#isAtPrompt(pid)) !== false) return true; // where nobody can say, the editor's word counts
      if (looks === PROMPT_LOOKS) return false;
      await new Promise((resolve) => setTimeout(resolve, PROMPT_PAUSE_MS));
    }
    return false;
  }

  async #newShell(folder: string, cancel: CancelSignal): Promise<Shell | undefined> {
    if (this.#isWithoutIntegration || cancel.aborted) return undefined;
    const terminal = vscode.window.createTerminal({ name: "Forge", cwd: folder, isTransient: true });
    this.#uses.set(terminal, "reserved");
    const integration = await integrationOf(terminal, cancel);
    if (integration !== undefined) return this.#uses.has(terminal) ? { terminal, integration } : undefined;
    this.#isWithoutIntegration = !cancel.aborted;
    this.#uses.delete(terminal);
    if (!terminal.state.isInteractedWith) terminal.dispose(); // else the user may have begun something there
    return undefined;
  }
}

/** Waits until the shell talks to the editor. */
function integrationOf(
  terminal: vscode.Terminal,
  cancel: CancelSignal,
): Promise<vscode.TerminalShellIntegration | undefined> {
  return new Promise((resolve) => {
    const finish = (integration: vscode.TerminalShellIntegration | undefined): void => {
      clearTimeout(limit);
      cancel.removeEventListener("abort", stop);
      for (const listener of listeners) listener.dispose();
      resolve(integration);
    };
    const stop = (): void => {
      finish(undefined);
    };
    const listeners = [
      vscode.window.onDidChangeTerminalShellIntegration((event) => {
        if (event.terminal === terminal) finish(event.shellIntegration);
      }),
      vscode.window.onDidCloseTerminal((closed) => {
        if (closed === terminal) finish(undefined);
      }),
    ];
    const limit = setTimeout(stop, INTEGRATION_LIMIT_MS);
    cancel.addEventListener("abort", stop);
    if (terminal.shellIntegration !== undefined) finish(terminal.shellIntegration);
  });
}

/**
 * Runs a command in a terminal that the user sees, where the shell tells the editor when a command begins and ends. A
 * terminal is used again while it is free and in the same folder.
 */

import * as vscode from "vscode";
import type { CancelSignal } from "../../../core/ports.ts";
import type { CommandEnd, CommandRequest } from "./commandRun.ts";
import { runInShell, type Shell } from "./terminalExecution.ts";

/** How long a new terminal may take until its shell talks to the editor; some never do. */
const INTEGRATION_LIMIT_MS = 5_000;

/** The terminals of one window that commands of a model run in. */
export class CommandTerminals implements vscode.Disposable {
  readonly #all = new Set<vscode.Terminal>();
  readonly #busy = new Set<vscode.Terminal>();
  /** Left open for the user to look at; what a command did there may keep the next from being told of. */
  readonly #unusable = new WeakSet<vscode.Terminal>();
  readonly #closing: vscode.Disposable;
  /** A shell that did not talk once is not waited for again. */
  #isWithoutIntegration = false;

  /** `holdFocus` keeps the keyboard in the chat, if it is there: with its last terminal, the editor takes it away. */
  constructor(holdFocus: () => void) {
    this.#closing = vscode.window.onDidCloseTerminal((terminal) => {
      if (this.#all.delete(terminal)) holdFocus();
      this.#busy.delete(terminal);
    });
  }

  /** Runs it and shows the terminal; `undefined` where no terminal could be had, and nothing was run. */
  async run(request: CommandRequest, cancel: CancelSignal): Promise<CommandEnd | undefined> {
    const shell = await this.#shellIn(request.folder, cancel);
    if (shell === undefined) return cancel.aborted ? { kind: "cancelled" } : undefined;
    const { terminal } = shell;
    this.#busy.add(terminal);
    terminal.show(true);
    try {
      const { end, isTold } = await runInShell(shell, request, cancel);
      if (!isTold) this.#unusable.add(terminal);
      return end;
    } finally {
      this.#busy.delete(terminal);
    }
  }

  dispose(): void {
    this.#closing.dispose();
    for (const terminal of this.#all) terminal.dispose();
  }

  async #shellIn(folder: string, cancel: CancelSignal): Promise<Shell | undefined> {
    for (const terminal of this.#all) {
      const integration = terminal.shellIntegration;
      const isFree = !this.#busy.has(terminal) && !this.#unusable.has(terminal) && terminal.exitStatus === undefined;
      if (isFree && integration?.cwd?.fsPath === folder) return { terminal, integration };
    }
    if (this.#isWithoutIntegration) return undefined;
    const terminal = vscode.window.createTerminal({ name: "Forge", cwd: folder, isTransient: true });
    const integration = await integrationOf(terminal, cancel);
    if (integration === undefined) {
      this.#isWithoutIntegration = !cancel.aborted;
      terminal.dispose();
      return undefined;
    }
    this.#all.add(terminal);
    return { terminal, integration };
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

/**
 * Runs commands in a visible terminal with shell integration. A terminal is reused while it is free, at its prompt in
 * the same folder, and only Forge has run anything there.
 */

import * as vscode from "vscode";
import type { CancelSignal } from "../../../core/cancellation.ts";
import { Emitter } from "../../background/emitter.ts";
import type { CommandEnd, CommandRequest } from "./commandRun.ts";
import { isShellAtPrompt } from "./shellPrompt.ts";
import { runInShell, type Shell } from "./terminalExecution.ts";

/** Wait for the shell integration of a new terminal; some shells have none. */
const INTEGRATION_LIMIT_MS = 5_000;
/** Checks for the prompt before a terminal counts as busy, and the pause between them. */
const PROMPT_CHECKS = 10;
const PROMPT_PAUSE_MS = 100;

/**
 * `reserved`: being checked or created for a command. `unusable`: left open for the user to see; the editor may not
 * report the next command there.
 */
type TerminalState = "free" | "reserved" | "running" | "unusable";

/** The terminals of one window that run commands of a model. */
export class CommandTerminals implements vscode.Disposable {
  /** A terminal where another command started is the user's: it is removed here, and never typed into. */
  readonly #states = new Map<vscode.Terminal, TerminalState>();
  readonly #listeners: readonly vscode.Disposable[];
  readonly #isAtPrompt: typeof isShellAtPrompt;
  readonly #closed = new Emitter<void>();
  /** Once a shell has no integration, no further one is waited for. */
  #isWithoutIntegration = false;

  /** Fires when one of the terminals was closed: after the last one, the editor moves the focus. */
  readonly onDidClose = this.#closed.event;

  constructor(isAtPrompt = isShellAtPrompt) {
    this.#isAtPrompt = isAtPrompt;
    this.#listeners = [
      vscode.window.onDidCloseTerminal((terminal) => {
        if (this.#states.delete(terminal)) this.#closed.fire();
      }),
      vscode.window.onDidStartTerminalShellExecution(({ terminal }) => {
        if (this.#states.get(terminal) !== "running") this.#states.delete(terminal);
      }),
    ];
  }

  /** Runs the command and shows the terminal; `undefined` where no terminal was available, and nothing was run. */
  async run(request: CommandRequest, cancel: CancelSignal): Promise<CommandEnd | undefined> {
    const shell = (await this.#freeShell(request.folder, cancel)) ?? (await this.#newShell(request.folder, cancel));
    if (shell === undefined) return cancel.aborted ? { kind: "cancelled" } : undefined;
    const { terminal } = shell;
    this.#states.set(terminal, "running");
    let use: TerminalState = "unusable";
    try {
      terminal.show(true);
      const { end, isFullyReported, isTakenByUser } = await runInShell(shell, request, cancel);
      if (isTakenByUser) this.#states.delete(terminal);
      else if (isFullyReported) use = "free";
      return end;
    } finally {
      if (this.#states.has(terminal)) this.#states.set(terminal, use);
    }
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
    for (const terminal of this.#states.keys()) terminal.dispose();
  }

  async #freeShell(folder: string, cancel: CancelSignal): Promise<Shell | undefined> {
    for (const [terminal, use] of [...this.#states]) {
      const integration = terminal.shellIntegration;
      if (use !== "free" || terminal.exitStatus !== undefined || integration?.cwd?.fsPath !== folder) continue;
      this.#states.set(terminal, "reserved");
      const isWaiting = await this.#isWaiting(terminal, cancel);
      if (this.#states.get(terminal) !== "reserved") continue; // closed, or taken by the user
      if (isWaiting) return { terminal, integration };
      this.#states.set(terminal, "free");
    }
    return undefined;
  }

  /**
   * The editor may not report what the user started; and a prompt that is still being written is worth a short wait.
   */
  async #isWaiting(terminal: vscode.Terminal, cancel: CancelSignal): Promise<boolean> {
    const pid = await terminal.processId;
    for (let looks = 1; !cancel.aborted; looks++) {
      if ((await this.#isAtPrompt(pid)) !== false) return true; // where it is unknown, the editor is believed
      if (looks === PROMPT_CHECKS) return false;
      await new Promise((resolve) => setTimeout(resolve, PROMPT_PAUSE_MS));
    }
    return false;
  }

  async #newShell(folder: string, cancel: CancelSignal): Promise<Shell | undefined> {
    if (this.#isWithoutIntegration || cancel.aborted) return undefined;
    const terminal = vscode.window.createTerminal({ name: "Forge", cwd: folder, isTransient: true });
    this.#states.set(terminal, "reserved");
    const integration = await waitForShellIntegration(terminal, cancel);
    if (integration !== undefined) return this.#states.has(terminal) ? { terminal, integration } : undefined;
    this.#isWithoutIntegration = !cancel.aborted;
    this.#states.delete(terminal);
    if (!terminal.state.isInteractedWith) terminal.dispose(); // else the user may have started something there
    return undefined;
  }
}

function waitForShellIntegration(
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

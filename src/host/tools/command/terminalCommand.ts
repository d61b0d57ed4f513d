/**
 * Runs a command in a terminal that the user sees, where the shell tells the editor when a command begins and ends. A
 * terminal is used again while it is free and in the same folder.
 */

import * as vscode from "vscode";
import type { CancelSignal } from "../../../core/ports.ts";
import type { CommandEnd, CommandRequest } from "./commandRun.ts";

/** How long a new terminal may take until its shell talks to the editor; some never do. */
const INTEGRATION_LIMIT_MS = 5_000;
/** How long a command may take to end after Ctrl+C before its terminal is closed. */
const GRACE_MS = 2_000;
const CTRL_C = "\u0003";
/** How long after the end of a command that nobody asked for the one that was asked for may begin. */
const BELATED_MS = 500;

interface Shell {
  readonly terminal: vscode.Terminal;
  readonly integration: vscode.TerminalShellIntegration;
}

/** The terminals of one window that commands of a model run in. */
export class CommandTerminals implements vscode.Disposable {
  readonly #all = new Set<vscode.Terminal>();
  readonly #busy = new Set<vscode.Terminal>();
  readonly #closing: vscode.Disposable;
  /** A shell that did not talk once is not waited for again. */
  #isWithoutIntegration = false;

  constructor() {
    this.#closing = vscode.window.onDidCloseTerminal((terminal) => {
      this.#all.delete(terminal);
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
      return await runIn(shell, request, cancel);
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
      const isFree = !this.#busy.has(terminal) && terminal.exitStatus === undefined;
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

async function runIn(
  { terminal, integration }: Shell,
  request: CommandRequest,
  cancel: CancelSignal,
): Promise<CommandEnd> {
  let early: CommandEnd | undefined;
  let force: NodeJS.Timeout | undefined;
  let unasked: NodeJS.Timeout | undefined;
  const end = (why: CommandEnd): void => {
    if (early !== undefined) return;
    early = why;
    terminal.sendText(CTRL_C, false);
    force = setTimeout(() => {
      terminal.dispose();
    }, GRACE_MS);
  };
  const stop = (): void => {
    end({ kind: "cancelled" });
  };
  const limit = setTimeout(end, request.limitMs, { kind: "timedOut" });
  cancel.addEventListener("abort", stop);
  const listeners: vscode.Disposable[] = [];
  try {
    // The editor knows an execution by the line that the shell reports. Where the prompt was still being written, or the
    // terminal changed its size, that line is another, and what runs is told as one that nobody asked for. It is taken for
    // ours unless ours begins soon after its end: then it was what is left of a command before.
    let running: vscode.TerminalShellExecution | undefined;
    const ended = new Promise<CommandEnd>((resolve) => {
      listeners.push(
        vscode.window.onDidStartTerminalShellExecution((event) => {
          if (event.terminal !== terminal || running === execution) return;
          clearTimeout(unasked);
          running = event.execution;
          if (running !== execution) isRead = readAll(running.read(), request.output);
        }),
        vscode.window.onDidEndTerminalShellExecution((event) => {
          const end: CommandEnd = { kind: "ended", exitCode: event.exitCode };
          if (event.execution === execution) resolve(end);
          else if (event.execution === running) unasked = setTimeout(resolve, BELATED_MS, end);
        }),
        vscode.window.onDidCloseTerminal((closed) => {
          if (closed === terminal) resolve({ kind: "closed" });
        }),
      );
    });
    const execution = integration.executeCommand(request.command);
    let isRead = readAll(execution.read(), request.output);
    const how = await ended;
    if (how.kind === "ended") await Promise.race([isRead, pause(GRACE_MS)]);
    return early ?? how;
  } finally {
    clearTimeout(limit);
    clearTimeout(force);
    clearTimeout(unasked);
    cancel.removeEventListener("abort", stop);
    for (const listener of listeners) listener.dispose();
  }
}

async function readAll(pieces: AsyncIterable<string>, output: (piece: string) => void): Promise<void> {
  for await (const piece of pieces) output(piece);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * Runs commands where the user sees them. A terminal of Forge only shows: the command is a child process, so that no
 * interactive shell reads it as typed text (and replaces `!` by old lines, or waits for a closing quote), and its end
 * and exit code are those of the process, whatever it prints.
 */

import * as vscode from "vscode";
import type { CancelSignal } from "../../../core/cancellation.ts";
import { localize } from "../../../protocol/localize.ts";
import { Emitter } from "../../background/emitter.ts";
import { onOneLine, onSeveralLines } from "../hiddenText.ts";
import { runAsChild } from "./childCommand.ts";
import type { CommandEnd, CommandRequest } from "./commandRun.ts";
import { TerminalText } from "./terminalText.ts";

/** The terminals of one window that show commands of a model. */
export class CommandTerminals implements vscode.Disposable {
  readonly #open = new Set<CommandTerminal>();
  readonly #closed = new Emitter<void>();

  /** Fires when one of the terminals was closed: after the last one, the editor moves the focus. */
  readonly onDidClose = this.#closed.event;

  /** Runs the command and shows it, in a terminal that shows no other one now. */
  async run(request: CommandRequest, cancel: CancelSignal): Promise<CommandEnd> {
    if (cancel.aborted) return { kind: "cancelled" };
    const terminal = [...this.#open].find(({ isFree }) => isFree) ?? this.#create();
    return terminal.run(request, cancel);
  }

  dispose(): void {
    for (const terminal of this.#open) terminal.dispose();
  }

  #create(): CommandTerminal {
    const terminal: CommandTerminal = new CommandTerminal(() => {
      if (this.#open.delete(terminal)) this.#closed.fire();
    });
    this.#open.add(terminal);
    return terminal;
  }
}

const CTRL_C = "\u0003";
const BOLD = "\u001b[1m";
const DIM = "\u001b[2m";
const PLAIN = "\u001b[0m";

class CommandTerminal implements vscode.Pseudoterminal {
  readonly #written = new vscode.EventEmitter<string>();
  readonly onDidWrite = this.#written.event;
  readonly #onClose: () => void;
  readonly #terminal: vscode.Terminal;
  /** Ends the command that runs. */
  #interrupt: AbortController | undefined;
  #isClosed = false;
  /** Text before the editor listens; afterwards undefined. */
  #early: string | undefined = "";

  constructor(onClose: () => void) {
    this.#onClose = onClose;
    this.#terminal = vscode.window.createTerminal({ name: "Forge", pty: this, isTransient: true });
  }

  get isFree(): boolean {
    return this.#interrupt === undefined && !this.#isClosed;
  }

  async run(request: CommandRequest, cancel: CancelSignal): Promise<CommandEnd> {
    const interrupt = new AbortController();
    const stop = (): void => {
      interrupt.abort();
    };
    this.#interrupt = interrupt;
    cancel.addEventListener("abort", stop);
    this.#terminal.show(true);
    this.#write(`${DIM}${onOneLine(request.folder)}${PLAIN}\n${BOLD}$ ${onSeveralLines(request.command)}${PLAIN}\n`);
    const text = new TerminalText();
    const pass = (piece: string): void => {
      if (piece === "") return;
      request.output(piece);
      this.#write(piece);
    };
    const output = (piece: string): void => {
      pass(text.add(piece));
    };
    try {
      const end = await runAsChild({ ...request, output }, interrupt.signal);
      pass(text.end());
      this.#write(`${DIM}${endWords(end)}${PLAIN}\n\n`);
      return this.#isClosed && !cancel.aborted ? { kind: "closed" } : end;
    } finally {
      cancel.removeEventListener("abort", stop);
      this.#interrupt = undefined;
    }
  }

  dispose(): void {
    this.#terminal.dispose();
    this.close();
  }

  open(): void {
    const early = this.#early ?? "";
    this.#early = undefined;
    if (early !== "") this.#written.fire(early);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#interrupt?.abort();
    this.#onClose();
  }

  handleInput(data: string): void {
    if (data.includes(CTRL_C)) this.#interrupt?.abort();
  }

  #write(text: string): void {
    const lines = text.replaceAll("\n", "\r\n");
    if (this.#early === undefined) this.#written.fire(lines);
    else this.#early += lines;
  }
}

function endWords(end: CommandEnd): string {
  if (end.kind !== "ended") return localize("Stopped");
  return end.exitCode === undefined ? localize("Ended") : localize("Ended with exit code {0}", end.exitCode);
}

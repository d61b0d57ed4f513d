/**
 * Runs commands where the user sees them. A terminal of Forge shows the screen of a child process, so that no
 * interactive shell reads the command as typed text (and replaces `!` by old lines, or waits for a closing quote), and
 * its end and exit code are those of the process, whatever it prints. Only what the user types reaches the process.
 */

import * as vscode from "vscode";
import type { CancelSignal } from "../../../core/cancellation.ts";
import type { CreateScreen, ScreenView, TerminalScreen } from "../../../core/tools/terminalScreen.ts";
import { localize } from "../../../protocol/localize.ts";
import { Emitter } from "../../background/emitter.ts";
import { onOneLine, onSeveralLines } from "../hiddenText.ts";
import { BoundedOutput } from "./boundedOutput.ts";
import { missingPart, type RunningChild, startChild } from "./childCommand.ts";
import type { CommandEnd, CommandRequest, CommandResult } from "./commandRun.ts";
import { commandEnvironment } from "./environmentSecrets.ts";
import { type ProgramCall, shellCall } from "./shells.ts";
import { hasTerminals, TERMINAL_SIZE } from "./terminalDevice.ts";
import { TerminalDisplay } from "./terminalDisplay.ts";
import { showInformation } from "../../editor/boxes/messages.ts";

/** Silence after which a command that has asked something is said to wait. */
const SILENCE_MS = 3_000;

/** The terminals of one window that show commands of a model. */
export class CommandTerminals implements vscode.Disposable {
  readonly #open = new Set<CommandTerminal>();
  readonly #closed = new Emitter<void>();
  #hasTerminals: Promise<boolean> | undefined;

  /** Fires when one of the terminals was closed: after the last one, the editor moves the focus. */
  readonly onDidClose = this.#closed.event;

  /** Runs the command and shows it, in a terminal that shows no other one now. */
  async run(request: CommandRequest, cancel: CancelSignal): Promise<CommandResult> {
    const call = shellCall(request.shell, request.command, process.platform);
    if (!call.ok) return notRun({ kind: "refused", reason: call.error });
    const missing = await missingPart(request.shell, request.command, commandEnvironment(process.env, false));
    if (missing !== undefined) return notRun({ kind: "refused", reason: `The command is not finished: ${missing}.` });
    this.#hasTerminals ??= hasTerminals(process.platform);
    const isTty = await this.#hasTerminals;
    const { createXtermScreen } = await import("../../../adapters/xterm/xtermScreen.ts");
    if (cancel.aborted) return notRun({ kind: "cancelled" });
    const terminal = [...this.#open].find(({ isFree }) => isFree) ?? this.#create();
    return terminal.run(request, call.value, isTty, createXtermScreen, cancel);
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

function notRun(end: CommandEnd): CommandResult {
  return { end, output: "" };
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
  #size: vscode.TerminalDimensions | undefined;
  #running: RunningCommand | undefined;
  #isClosed = false;
  /** Text before the editor listens; afterwards undefined. */
  #early: string | undefined = "";

  constructor(onClose: () => void) {
    this.#onClose = onClose;
    this.#terminal = vscode.window.createTerminal({ name: "Forge", pty: this, isTransient: true });
  }

  get isFree(): boolean {
    return this.#running === undefined && !this.#isClosed;
  }

  async run(
    request: CommandRequest,
    call: ProgramCall,
    isTty: boolean,
    createScreen: CreateScreen,
    cancel: CancelSignal,
  ): Promise<CommandResult> {
    this.#terminal.show(true);
    this.#write(`${DIM}${onOneLine(request.folder)}${PLAIN}\n${BOLD}$ ${onSeveralLines(request.command)}${PLAIN}\n`);
    const running = new RunningCommand(createScreen, isTty, {
      write: (sequence) => {
        this.#send(sequence);
      },
      waits: () => {
        void this.#tellWaiting();
      },
    });
    running.resize(this.#size);
    this.#running = running;
    const stop = (): void => {
      running.interrupt();
    };
    cancel.addEventListener("abort", stop);
    try {
      const { end, output } = await running.run(request, call);
      this.#write(`${output === "" || output.endsWith("\n") ? "" : "\n"}${DIM}${endWords(end)}${PLAIN}\n\n`);
      return { end: this.#isClosed && !cancel.aborted ? { kind: "closed" } : end, output };
    } finally {
      cancel.removeEventListener("abort", stop);
      this.#running = undefined;
    }
  }

  dispose(): void {
    this.#terminal.dispose();
    this.close();
  }

  open(size: vscode.TerminalDimensions | undefined): void {
    this.setDimensions(size);
    const early = this.#early ?? "";
    this.#early = undefined;
    if (early !== "") this.#written.fire(early);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#running?.interrupt();
    this.#onClose();
  }

  setDimensions(size: vscode.TerminalDimensions | undefined): void {
    this.#size = size;
    this.#running?.resize(size);
  }

  handleInput(data: string): void {
    if (data.includes(CTRL_C)) this.#running?.interrupt();
    else this.#running?.type(data);
  }

  /** The focus stays where it is: what is typed into the chat must not become the answer. */
  async #tellWaiting(): Promise<void> {
    const running = this.#running;
    const show = localize("Answer in the terminal");
    const chosen = await showInformation(
      localize("A command of the chat seems to wait for your answer. It ends when its time is over."),
      show,
    );
    if (chosen === show && running !== undefined && running === this.#running) this.#terminal.show(false);
  }

  #write(text: string): void {
    this.#send(text.replaceAll("\n", "\r\n"));
  }

  #send(sequence: string): void {
    if (this.#early === undefined) this.#written.fire(sequence);
    else this.#early += sequence;
  }
}

interface CommandWatcher {
  readonly write: (sequence: string) => void;
  /** The command is silent after it has asked something, for the first time. */
  readonly waits: () => void;
}

/** One command with its screen. */
class RunningCommand {
  readonly #watcher: CommandWatcher;
  readonly #isTty: boolean;
  readonly #interrupt = new AbortController();
  readonly #screen: TerminalScreen;
  readonly #display = new TerminalDisplay();
  #output = new BoundedOutput();
  #child: RunningChild | undefined;
  #silence: NodeJS.Timeout | undefined;
  /** The line at which it waits; undefined: it does not, as far as is known. */
  #waitsAt: string | undefined;
  #isToldWaiting = false;
  /** Output from now on, as of a pager that clears its line, does not change what it waited for. */
  #isStopping = false;

  constructor(createScreen: CreateScreen, isTty: boolean, watcher: CommandWatcher) {
    this.#isTty = isTty;
    this.#watcher = watcher;
    this.#screen = createScreen(TERMINAL_SIZE, isTty, {
      left: (text) => {
        this.#output.add(text);
        this.#display.left(text);
      },
      erased: () => {
        this.#output = new BoundedOutput();
        this.#display.erased();
      },
    });
  }

  async run({ folder, limitMs }: CommandRequest, call: ProgramCall): Promise<CommandResult> {
    const isTty = this.#isTty;
    const environment = commandEnvironment(process.env, isTty);
    const output = async (piece: string): Promise<void> => {
      await this.#screen.write(piece);
      this.#draw();
      this.#listen();
    };
    const stops = (): void => {
      const { line, isQuestion } = lastLine(this.#screen.view());
      if (isTty && isQuestion) this.#waitsAt ??= line;
      this.#isStopping = true;
    };
    try {
      const child = startChild({ call, folder, environment, limitMs, isTty, output, stops }, this.#interrupt.signal);
      this.#child = child;
      this.#listen();
      const end = await child.end;
      const waitsAt = end.kind === "timedOut" ? this.#waitsAt : undefined;
      this.#child = undefined;
      await this.#screen.write("");
      this.#draw();
      this.#output.add(this.#screen.text());
      return { end: waitsAt === undefined ? end : { kind: "timedOut", waitsAt }, output: this.#output.text() };
    } finally {
      this.#child = undefined;
      clearTimeout(this.#silence);
      this.#screen.dispose();
    }
  }

  interrupt(): void {
    this.#interrupt.abort();
  }

  type(text: string): void {
    this.#child?.type(text);
    this.#listen();
  }

  resize(size: vscode.TerminalDimensions | undefined): void {
    if (size !== undefined) this.#display.resize(size);
  }

  #draw(): void {
    const sequence = this.#display.draw(this.#screen.view());
    if (sequence !== "") this.#watcher.write(sequence);
  }

  #listen(): void {
    if (this.#isStopping) return;
    clearTimeout(this.#silence);
    this.#waitsAt = undefined;
    if (!this.#isTty || this.#child === undefined) return;
    this.#silence = setTimeout(() => {
      void this.#lookForQuestion();
    }, SILENCE_MS);
  }

  async #lookForQuestion(): Promise<void> {
    const silence = this.#silence;
    const { line, isQuestion } = lastLine(this.#screen.view());
    const waits = isQuestion || (await this.#child?.isReading()) === true;
    if (!waits || silence !== this.#silence || this.#isStopping) return;
    this.#waitsAt = line;
    if (!this.#isToldWaiting) this.#watcher.waits();
    this.#isToldWaiting = true;
  }
}

const QUESTION =
  /[?:>)\]]$|[$#] $|--more--|\bpress\b|\b(?:enter|return|key|continue|quit|password|passphrase)\b|\by\/n\b/i;

/** The line of the cursor, or the last one of a full-screen program, which waits for keys whatever it shows. */
function lastLine({ lines, cursor, isFullScreen }: ScreenView): {
  readonly line: string;
  readonly isQuestion: boolean;
} {
  const last = isFullScreen ? lines.findLast(({ text }) => text.trim() !== "") : lines[cursor.line];
  const text = last?.text ?? "";
  const line = text.trim().replaceAll(/ {3,}/g, "  ");
  return { line, isQuestion: isFullScreen || QUESTION.test(line) || QUESTION.test(text) };
}

function endWords(end: CommandEnd): string {
  if (end.kind !== "ended") return localize("Stopped");
  return end.exitCode === undefined ? localize("Ended") : localize("Ended with exit code {0}", end.exitCode);
}

/** Runs one command in a terminal, and follows it with `CommandWatch`. */

import * as vscode from "vscode";
import type { CancelSignal } from "../../../core/cancellation.ts";
import type { CommandEnd, CommandRequest } from "./commandRun.ts";
import { LATE_EVENT_MS, CommandWatch, type TerminalEvent } from "./commandWatch.ts";
import { PromptMarkSearch } from "./promptMark.ts";
import { isShellAtPrompt } from "./shellPrompt.ts";

/** Time between Ctrl+C and the closing of the terminal; also the wait for the output of an ended command. */
const GRACE_MS = 2_000;
const CTRL_C = "\u0003";
/** Wait for the last output after a terminal was closed. */
const CLOSED_DRAIN_MS = 100;
/** Interval of the checks for the prompt, and how many must succeed in a row. */
const PROMPT_CHECK_MS = 1_000;
const PROMPT_CHECKS_NEEDED = 2;
/** Silence of the editor about a running command before the prompt is checked. */
const RUNNING_SILENCE_MS = 4_000;
/** The same for one that has not started: the editor may wait five seconds for a prompt before it types. */
const START_SILENCE_MS = 12_000;

export interface Shell {
  readonly terminal: vscode.Terminal;
  readonly integration: vscode.TerminalShellIntegration;
}

export interface ShellRun {
  readonly end: CommandEnd;
  /**
   * The editor reported all of it, so it can be trusted with the next one. Else later reports may still be about this
   * one.
   */
  readonly isFullyReported: boolean;
  /** Another command started in the terminal since. */
  readonly isTakenByUser: boolean;
}

/** Runs the command in an idle terminal. Closes the terminal if a command that must end does not. */
export async function runInShell(shell: Shell, request: CommandRequest, cancel: CancelSignal): Promise<ShellRun> {
  if (cancel.aborted) return { end: { kind: "cancelled" }, isFullyReported: true, isTakenByUser: false };
  if (shell.terminal.exitStatus !== undefined)
    return { end: { kind: "closed" }, isFullyReported: false, isTakenByUser: false };
  const execution = new TerminalExecution(shell, request);
  const stop = (): void => {
    execution.end({ kind: "cancelled" });
  };
  cancel.addEventListener("abort", stop);
  const limit = setTimeout(() => {
    execution.end({ kind: "timedOut" });
  }, request.limitMs);
  try {
    const end = await execution.run();
    return { end, isFullyReported: hasReportedAll(end) && !execution.isMarked, isTakenByUser: execution.isTakenByUser };
  } finally {
    clearTimeout(limit);
    cancel.removeEventListener("abort", stop);
    execution.dispose();
  }
}

/** Whether the shell still reports as it should: a command may have changed its prompt hooks. */
function hasReportedAll(end: CommandEnd): boolean {
  if (end.kind === "ended") return end.exitCode !== undefined && end.isOutputMissing === undefined;
  return end.kind !== "untold";
}

class TerminalExecution implements vscode.Disposable {
  readonly #integration: vscode.TerminalShellIntegration;
  readonly #terminal: vscode.Terminal;
  readonly #request: CommandRequest;
  readonly #watch = new CommandWatch();
  readonly #over: Promise<CommandEnd>;
  #finish: (end: CommandEnd) => void = () => undefined;
  #isMarked = false;
  #isTakenByUser = false;
  #listeners: readonly vscode.Disposable[] = [];
  #ours: vscode.TerminalShellExecution | undefined;
  #running: vscode.TerminalShellExecution | undefined;
  #isRead: Promise<void> = Promise.resolve();
  /** The result when it was ended early. */
  #earlyEnd: CommandEnd | undefined;
  #forceTimer: NodeJS.Timeout | undefined;
  #doubtTimer: NodeJS.Timeout | undefined;
  #promptTimer: NodeJS.Timeout | undefined;
  /** Even a command without output has one chunk: the shell's start mark. */
  #pieceCount = 0;
  #promptCount = 0;
  #lastEventMs = performance.now();

  constructor(shell: Shell, request: CommandRequest) {
    this.#integration = shell.integration;
    this.#terminal = shell.terminal;
    this.#request = request;
    this.#over = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  async run(): Promise<CommandEnd> {
    this.#listen();
    this.#ours = this.#integration.executeCommand(this.#request.command);
    this.#isRead = this.#read(this.#ours);
    const how = await this.#over;
    if (how.kind !== "ended") return this.#earlyEnd ?? how;
    await Promise.race([this.#isRead, pause(GRACE_MS)]);
    return this.#earlyEnd ?? (this.#pieceCount === 0 ? { ...how, isOutputMissing: true } : how);
  }

  /** The end was found in the output. */
  get isMarked(): boolean {
    return this.#isMarked;
  }

  get isTakenByUser(): boolean {
    return this.#isTakenByUser;
  }

  /** Interrupts the command, then closes the terminal. Later commands there are not affected. */
  end(why: CommandEnd): void {
    if (this.#earlyEnd !== undefined || this.#watch.verdict.kind === "over") return;
    this.#earlyEnd = why;
    if (this.#watch.verdict.kind === "sent") {
      this.#close(why); // it may not have been typed yet, and would start after Ctrl+C
      return;
    }
    this.#add({ kind: "interrupted" });
    this.#terminal.sendText(CTRL_C, false);
    this.#forceTimer = setTimeout(() => {
      this.#close(why);
    }, GRACE_MS);
  }

  #close(why: CommandEnd): void {
    this.#terminal.dispose();
    this.#finish(why);
  }

  dispose(): void {
    clearTimeout(this.#forceTimer);
    clearTimeout(this.#doubtTimer);
    clearInterval(this.#promptTimer);
    for (const listener of this.#listeners) listener.dispose();
  }

  #listen(): void {
    this.#promptTimer = setInterval(() => void this.#checkPrompt(), PROMPT_CHECK_MS);
    this.#listeners = [
      vscode.window.onDidStartTerminalShellExecution(({ terminal, execution }) => {
        if (terminal !== this.#terminal) return;
        this.#isTakenByUser = this.#watch.verdict.kind === "over";
        if (this.#isTakenByUser) return;
        this.#running = execution;
        const isOurs = execution === this.#ours;
        if (!isOurs) this.#isRead = this.#read(execution);
        this.#add({ kind: "started", isOurs });
      }),
      vscode.window.onDidEndTerminalShellExecution(({ execution, exitCode }) => {
        const isOurs = execution === this.#ours;
        if (!isOurs && execution !== this.#running) return;
        this.#add({ kind: "ended", isOurs, line: execution.commandLine.value, exitCode });
      }),
      vscode.window.onDidCloseTerminal((closed) => {
        if (closed !== this.#terminal) return;
        this.#isRead = pause(CLOSED_DRAIN_MS); // the editor does not end the output stream of a closed terminal
        const isByShell = closed.exitStatus?.reason === vscode.TerminalExitReason.Process;
        this.#add({ kind: "closed", exitCode: isByShell ? closed.exitStatus.code : undefined });
      }),
    ];
  }

  async #read(execution: vscode.TerminalShellExecution): Promise<void> {
    const marks = new PromptMarkSearch();
    for await (const piece of execution.read()) {
      this.#lastEventMs = performance.now();
      this.#pieceCount++;
      const mark = marks.add(piece);
      this.#request.output(piece.slice(0, mark?.before));
      if (mark === undefined) continue;
      this.#isMarked = true;
      // What follows is the prompt, and what is typed there.
      this.#add({ kind: "marked", exitCode: mark.exitCode });
      return;
    }
  }

  #add(news: TerminalEvent): void {
    this.#lastEventMs = performance.now();
    const before = this.#watch.verdict;
    const verdict = this.#watch.add(news);
    if (verdict === before) return;
    clearTimeout(this.#doubtTimer);
    if (verdict.kind === "over") {
      clearTimeout(this.#forceTimer);
      this.#finish(verdict.end);
    } else if (verdict.kind === "doubtful") {
      this.#doubtTimer = setTimeout(() => {
        this.#add({ kind: "waited" });
      }, LATE_EVENT_MS);
    }
  }

  /** The editor may report nothing of a command, or no end; a shell at its prompt proves the end. */
  async #checkPrompt(): Promise<void> {
    const hasBegun = this.#watch.verdict.kind !== "sent";
    if (performance.now() - this.#lastEventMs < (hasBegun ? RUNNING_SILENCE_MS : START_SILENCE_MS)) {
      this.#promptCount = 0;
      return;
    }
    const isAtPrompt = await isShellAtPrompt(await this.#terminal.processId);
    this.#promptCount = (isAtPrompt ?? !hasBegun) ? this.#promptCount + 1 : 0;
    if (this.#promptCount >= PROMPT_CHECKS_NEEDED) this.#add({ kind: "silent" });
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

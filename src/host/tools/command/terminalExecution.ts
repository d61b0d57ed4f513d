/** One command in a terminal, from its being sent until it is over, as `CommandWatch` says. */

import * as vscode from "vscode";
import type { CancelSignal } from "../../../core/cancellation.ts";
import type { CommandEnd, CommandRequest } from "./commandRun.ts";
import { BELATED_MS, CommandWatch, type TerminalNews } from "./commandWatch.ts";
import { PromptMarkSearch } from "./promptMark.ts";
import { isShellAtPrompt } from "./shellPrompt.ts";

/** How long a command may take to end after Ctrl+C before its terminal is closed, and its output to be read. */
const GRACE_MS = 2_000;
const CTRL_C = "\u0003";
/** How long after a terminal is gone the last of its output may come. */
const LAST_WORDS_MS = 100;
/** How often the shell is looked at, and how often it has to be seen at its prompt. */
const LOOK_MS = 1_000;
const ENOUGH_LOOKS = 2;
/** For how long the editor may say nothing of a command that has begun before that counts. */
const QUIET_MS = 4_000;
/** And of one that has not: it may wait five seconds for a prompt before it types anything. */
const SILENCE_MS = 12_000;

/** A terminal whose shell talks to the editor. */
export interface Shell {
  readonly terminal: vscode.Terminal;
  readonly integration: vscode.TerminalShellIntegration;
}

/** What became of a command. */
export interface ShellRun {
  readonly end: CommandEnd;
  /** The editor told all of it, as it will of the next one. Else what is left of this one may be told as the next one's. */
  readonly isTold: boolean;
  /** Something else began in the terminal since. */
  readonly isOfUser: boolean;
}

/** Runs it in a terminal that nothing runs in. Closes the terminal where the command has to end and does not. */
export async function runInShell(shell: Shell, request: CommandRequest, cancel: CancelSignal): Promise<ShellRun> {
  if (cancel.aborted) return { end: { kind: "cancelled" }, isTold: true, isOfUser: false };
  if (shell.terminal.exitStatus !== undefined) return { end: { kind: "closed" }, isTold: false, isOfUser: false };
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
    return { end, isTold: hasToldAll(end) && !execution.isMarked, isOfUser: execution.isOfUser };
  } finally {
    clearTimeout(limit);
    cancel.removeEventListener("abort", stop);
    execution.dispose();
  }
}

/** Whether the shell still says what it should: a command may have changed what it says at its prompt. */
function hasToldAll(end: CommandEnd): boolean {
  if (end.kind === "ended") return end.exitCode !== undefined && end.isOutputUntold === undefined;
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
  #isOfUser = false;
  #listeners: readonly vscode.Disposable[] = [];
  #ours: vscode.TerminalShellExecution | undefined;
  #running: vscode.TerminalShellExecution | undefined;
  #isRead: Promise<void> = Promise.resolve();
  /** Why it was made to end. */
  #early: CommandEnd | undefined;
  #force: NodeJS.Timeout | undefined;
  #doubt: NodeJS.Timeout | undefined;
  #looks: NodeJS.Timeout | undefined;
  /** Even a command that prints nothing has one, with the shell's mark for its beginning. */
  #pieceCount = 0;
  #promptCount = 0;
  #lastNewsMs = performance.now();

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
    if (how.kind !== "ended") return this.#early ?? how;
    await Promise.race([this.#isRead, pause(GRACE_MS)]);
    return this.#early ?? (this.#pieceCount === 0 ? { ...how, isOutputUntold: true } : how);
  }

  /** Its end was seen in what the shell printed. */
  get isMarked(): boolean {
    return this.#isMarked;
  }

  /** Something else began there since it ended. */
  get isOfUser(): boolean {
    return this.#isOfUser;
  }

  /** Asks it to end, and makes it end. What runs there since it ended is not its own. */
  end(why: CommandEnd): void {
    if (this.#early !== undefined || this.#watch.verdict.kind === "over") return;
    this.#early = why;
    if (this.#watch.verdict.kind === "sent") {
      this.#close(why); // it may not even be typed, and would begin after Ctrl+C
      return;
    }
    this.#add({ kind: "interrupted" });
    this.#terminal.sendText(CTRL_C, false);
    this.#force = setTimeout(() => {
      this.#close(why);
    }, GRACE_MS);
  }

  #close(why: CommandEnd): void {
    this.#terminal.dispose();
    this.#finish(why);
  }

  dispose(): void {
    clearTimeout(this.#force);
    clearTimeout(this.#doubt);
    clearInterval(this.#looks);
    for (const listener of this.#listeners) listener.dispose();
  }

  #listen(): void {
    this.#looks = setInterval(() => void this.#look(), LOOK_MS);
    this.#listeners = [
      vscode.window.onDidStartTerminalShellExecution(({ terminal, execution }) => {
        if (terminal !== this.#terminal) return;
        this.#isOfUser = this.#watch.verdict.kind === "over";
        if (this.#isOfUser) return;
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
        this.#isRead = pause(LAST_WORDS_MS); // the editor does not end what is read of a closed terminal
        const isByShell = closed.exitStatus?.reason === vscode.TerminalExitReason.Process;
        this.#add({ kind: "closed", exitCode: isByShell ? closed.exitStatus.code : undefined });
      }),
    ];
  }

  async #read(execution: vscode.TerminalShellExecution): Promise<void> {
    const marks = new PromptMarkSearch();
    for await (const piece of execution.read()) {
      this.#lastNewsMs = performance.now();
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

  #add(news: TerminalNews): void {
    this.#lastNewsMs = performance.now();
    const before = this.#watch.verdict;
    const verdict = this.#watch.add(news);
    if (verdict === before) return;
    clearTimeout(this.#doubt);
    if (verdict.kind === "over") {
      clearTimeout(this.#force);
      this.#finish(verdict.end);
    } else if (verdict.kind === "doubtful") {
      this.#doubt = setTimeout(() => {
        this.#add({ kind: "waited" });
      }, BELATED_MS);
    }
  }

  /** The editor may tell nothing of a command, or not its end; a shell that is seen at its prompt has ended it. */
  async #look(): Promise<void> {
    const hasBegun = this.#watch.verdict.kind !== "sent";
    if (performance.now() - this.#lastNewsMs < (hasBegun ? QUIET_MS : SILENCE_MS)) {
      this.#promptCount = 0;
      return;
    }
    const isAtPrompt = await isShellAtPrompt(await this.#terminal.processId);
    this.#promptCount = (isAtPrompt ?? !hasBegun) ? this.#promptCount + 1 : 0;
    if (this.#promptCount >= ENOUGH_LOOKS) this.#add({ kind: "silent" });
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

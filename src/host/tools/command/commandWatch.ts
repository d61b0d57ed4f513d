/**
 * Decides when a command in a terminal is over, from the editor's events. Events may be missing, duplicate or wrong, so
 * no single one is relied on:
 *
 * - The editor identifies an execution by the command line that it believes was run. While the prompt is still being
 *   written, or after the terminal was resized, it believes another line, and reports an execution that nobody
 *   requested.
 * - Where it believes that something is typed at the prompt, it presses Ctrl+C first, and reports that as an execution
 *   without an exit code; now and then as ours.
 * - It does not report the end of a command whose line begins with a backslash, nor of one that changed the shell's
 *   prompt hooks. The shell's output shows the end all the same.
 * - Where it believes that an empty line was run, which happens while a prompt is still being written, it reports our
 *   start, waits for the rest of its line, and never reports its end.
 * - The shell may exit with the command, and may never report a start.
 */

import type { CommandEnd } from "./commandRun.ts";

/** Wait after an end that may not be ours: another execution may start, or be reported as the end. */
export const LATE_EVENT_MS = 500;

/** One event of the terminal after the command was sent to it. */
export type TerminalEvent =
  /** `isOurs`: the execution that the editor returned for our command. */
  | { readonly kind: "started"; readonly isOurs: boolean }
  /** Only of executions that started after our command was sent. `line` is what the editor believes was run. */
  | {
      readonly kind: "ended";
      readonly isOurs: boolean;
      readonly line: string;
      readonly exitCode: number | undefined;
    }
  /** The shell's prompt mark was in the output: the editor missed the end. */
  | { readonly kind: "marked"; readonly exitCode: number | undefined }
  /** `exitCode` is set where the shell exited by itself. */
  | { readonly kind: "closed"; readonly exitCode?: number | undefined }
  /** Ctrl+C was sent to end the command. */
  | { readonly kind: "interrupted" }
  /** The shell is at its prompt and no more events arrive; or none ever did, and its state is unknown. */
  | { readonly kind: "silent" }
  /** `LATE_EVENT_MS` have passed since a doubtful verdict. */
  | { readonly kind: "waited" };

type Ended = Extract<CommandEnd, { kind: "ended" }>;

/** Conclusion from all events so far. */
export type Verdict =
  | { readonly kind: "sent" }
  | { readonly kind: "runs" }
  /** Over with `end` unless other events arrive within `LATE_EVENT_MS`. */
  | { readonly kind: "doubtful"; readonly end: Ended }
  | { readonly kind: "over"; readonly end: CommandEnd };

export class CommandWatch {
  #verdict: Verdict = { kind: "sent" };
  #isInterrupted = false;

  get verdict(): Verdict {
    return this.#verdict;
  }

  /** Adds an event and returns the new verdict. A verdict that is over is final. */
  add(event: TerminalEvent): Verdict {
    this.#verdict = this.#verdict.kind === "over" ? this.#verdict : this.#after(event, this.#verdict);
    return this.#verdict;
  }

  #after(event: TerminalEvent, before: Exclude<Verdict, { kind: "over" }>): Verdict {
    switch (event.kind) {
      case "started":
        return { kind: "runs" };
      case "ended": {
        const end = endedWith(event.exitCode, before);
        const isPrompt = isInterruptedPrompt(event.line, end);
        if (isPrompt && !this.#isInterrupted && before.kind !== "doubtful") return { kind: "sent" };
        return { kind: event.isOurs && !isPrompt ? "over" : "doubtful", end };
      }
      case "marked":
        return { kind: "doubtful", end: endedWith(event.exitCode, before) };
      case "closed":
        if (before.kind === "doubtful") return { kind: "over", end: before.end };
        return {
          kind: "over",
          end: event.exitCode === undefined ? { kind: "closed" } : endedWith(event.exitCode, before),
        };
      case "interrupted":
        this.#isInterrupted = true;
        return before;
      case "silent":
        if (before.kind === "doubtful") return { kind: "over", end: before.end };
        return {
          kind: "over",
          end: before.kind === "sent" ? { kind: "untold" } : { kind: "ended", exitCode: undefined },
        };
      case "waited":
        return before.kind === "doubtful" ? { kind: "over", end: before.end } : before;
    }
  }
}

/** Of several reports of one end, not each has the exit code. */
function endedWith(exitCode: number | undefined, before: Verdict): Ended {
  const known = before.kind === "doubtful" ? before.end.exitCode : undefined;
  return { kind: "ended", exitCode: exitCode ?? known };
}

/** Ctrl+C at the prompt, by the editor or the user: the line is the prompt's content. */
function isInterruptedPrompt(line: string, { exitCode }: Ended): boolean {
  return exitCode === undefined && /(?:^|\^C)\s*$/.test(line);
}

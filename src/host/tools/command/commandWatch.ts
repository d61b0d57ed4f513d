/**
 * When a command in a terminal is over, from what the editor tells of the terminal. The editor may tell too little, too much
 * or the wrong thing, so no single event is relied on:
 *
 * - It knows an execution by the line that it believes was run. Where the prompt was still being written, or the terminal
 *   changed its size, it believes another, and tells of an execution that nobody asked for.
 * - Where it believes that something is typed at the prompt, it presses Ctrl+C first, and tells of that as of an execution
 *   without an exit code; now and then as of ours.
 * - It does not tell the end of a command whose line begins with a backslash, nor one where the command changed what the
 *   shell does at its prompt. What the shell prints shows the end all the same.
 * - Where it believes that an empty line was run, which happens while a prompt is still being written, it tells that ours
 *   began, waits for the rest of its line, and never tells its end.
 * - The shell may end with the command, and may never tell that one began.
 */

import type { CommandEnd } from "./commandRun.ts";

/** How long after an end that may not be ours something else may begin, or be told as the end. */
export const BELATED_MS = 500;

/** One thing that was noticed of the terminal after the command was sent to it. */
export type TerminalNews =
  /** An execution began. `isOurs`: it is the one that the editor gave for our command. */
  | { readonly kind: "started"; readonly isOurs: boolean }
  /** An execution that had begun before our command was sent is not told here. `line` is what the editor believes was run. */
  | {
      readonly kind: "ended";
      readonly isOurs: boolean;
      readonly line: string;
      readonly exitCode: number | undefined;
    }
  /** The shell's mark for its prompt was in what the execution printed: the editor did not take it for an end. */
  | { readonly kind: "marked"; readonly exitCode: number | undefined }
  /** The terminal is gone. `exitCode` is there where its shell ended by itself. */
  | { readonly kind: "closed"; readonly exitCode?: number | undefined }
  /** Ctrl+C was pressed to end it. */
  | { readonly kind: "interrupted" }
  /** The shell waits at its prompt and nothing more is told; or nothing ever was, and nobody can say what it does. */
  | { readonly kind: "silent" }
  /** As long as the last verdict said has passed. */
  | { readonly kind: "waited" };

type Ended = Extract<CommandEnd, { kind: "ended" }>;

/** What follows from all the news until now. */
export type Verdict =
  | { readonly kind: "sent" }
  | { readonly kind: "runs" }
  /** It is over with `end` unless other news come within `BELATED_MS`. */
  | { readonly kind: "doubtful"; readonly end: Ended }
  | { readonly kind: "over"; readonly end: CommandEnd };

/** Follows one command. Begins where the command has been sent. */
export class CommandWatch {
  #verdict: Verdict = { kind: "sent" };
  #isInterrupted = false;

  /** What follows from what is known. */
  get verdict(): Verdict {
    return this.#verdict;
  }

  /** Takes the next news, and says what follows. What is over stays as it is. */
  add(news: TerminalNews): Verdict {
    this.#verdict = this.#verdict.kind === "over" ? this.#verdict : this.#after(news, this.#verdict);
    return this.#verdict;
  }

  #after(news: TerminalNews, before: Exclude<Verdict, { kind: "over" }>): Verdict {
    switch (news.kind) {
      case "started":
        return { kind: "runs" };
      case "ended": {
        const end = endedWith(news.exitCode, before);
        const isPrompt = isInterruptedPrompt(news.line, end);
        if (isPrompt && !this.#isInterrupted && before.kind !== "doubtful") return { kind: "sent" };
        return { kind: news.isOurs && !isPrompt ? "over" : "doubtful", end };
      }
      case "marked":
        return { kind: "doubtful", end: endedWith(news.exitCode, before) };
      case "closed":
        if (before.kind === "doubtful") return { kind: "over", end: before.end };
        return {
          kind: "over",
          end: news.exitCode === undefined ? { kind: "closed" } : endedWith(news.exitCode, before),
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

/** Of several tellings of one end, not each has the exit code. */
function endedWith(exitCode: number | undefined, before: Verdict): Ended {
  const known = before.kind === "doubtful" ? before.end.exitCode : undefined;
  return { kind: "ended", exitCode: exitCode ?? known };
}

/** What the editor tells where it, or the user, pressed Ctrl+C at the prompt: the line is what was seen there. */
function isInterruptedPrompt(line: string, { exitCode }: Ended): boolean {
  return exitCode === undefined && /(?:^|\^C)\s*$/.test(line);
}

/** Extracts the commands from a block of shell code. Pure. */

import { isReviewable } from "../tools/command/commandRun.ts";
import { HIDDEN_IN_COMMAND, hasHidden } from "../tools/hiddenText.ts";

/**
 * The commands, or why they are not run: there are none, some characters are invisible, or it is too long to be
 * reviewed.
 */
export type ShellText =
  { readonly kind: "command"; readonly command: string } | { readonly kind: "empty" | "hidden" | "tooLong" };

const PROMPTED = /^(?:[\w.-]+@[\w.-]+[^\s$#%>]{0,100}|PS [^>]{0,200}|~[^\s$#%]{0,100})?\s*[$%>❯] (.*)$/;
/** Replaces the script by an interactive shell. */
const REPLACE_BY_SHELL = 'exec "$0"';
const control = /(?![\n\t])\p{Cc}/u;

/** Of a session with prompts, only what was typed; else the whole block. */
export function shellText(code: string, language: string): ShellText {
  const lines = code.replaceAll("\r\n", "\n").split("\n");
  const typed = lines.flatMap((line) => typedIn(line) ?? []);
  const isSession =
    /^(?:console|shellsession|terminal)$/i.test(language) || typedIn(lines.find(hasWords) ?? "") !== undefined;
  const command = (isSession && typed.length > 0 ? typed : lines).join("\n").trim();
  if (command === "") return { kind: "empty" };
  if (control.test(command) || hasHidden(command, HIDDEN_IN_COMMAND)) return { kind: "hidden" };
  if (!isReviewable(command)) return { kind: "tooLong" };
  return { kind: "command", command };
}

/**
 * Arguments with which the shell at `shellPath` runs `script` verbatim and then stays interactive; `undefined` for a
 * shell that cannot.
 */
export function scriptArguments(shellPath: string, script: string): readonly string[] | undefined {
  const name = /([^/\\]+?)(?:\.exe)?$/i.exec(shellPath)?.[1]?.toLowerCase() ?? "";
  if (/^(?:ba|z|da|k)?sh$/.test(name)) return ["-c", [script, REPLACE_BY_SHELL].join("\n"), shellPath];
  if (name === "fish") return ["-C", script];
  if (name === "pwsh" || name === "powershell") return ["-NoExit", "-Command", script];
  return undefined;
}

/** The text after the prompt of a line that has one. */
function typedIn(line: string): string | undefined {
  return PROMPTED.exec(line.trimStart())?.[1];
}

function hasWords(line: string): boolean {
  return line.trim() !== "";
}

/** What of a block of code for a shell is to be run. Pure. */

import { HIDDEN_IN_COMMAND, hasHidden } from "../tools/hiddenText.ts";

/** The commands, or why they are not run: nothing in it is one, a reader does not see all of it, or it is too long to be shown. */
export type ShellText =
  { readonly kind: "command"; readonly command: string } | { readonly kind: "empty" | "hidden" | "tooLong" };

/** As much as is read before it is agreed to. */
const mostCharacters = 2_000;
const mostLines = 30;

const PROMPTED = /^(?:[\w.-]+@[\w.-]+[^\s$#%>]{0,100}|PS [^>]{0,200}|~[^\s$#%]{0,100})?\s*[$%>❯] (.*)$/;
/** The shell takes its own place, and talks with the user from then on. */
const INTO_SHELL = 'exec "$0"';
const control = /(?![\n\t])\p{Cc}/u;

/** Reads a block: of a session with prompts only what was typed, of anything else all. */
export function shellText(code: string, language: string): ShellText {
  const lines = code.replaceAll("\r\n", "\n").split("\n");
  const typed = lines.flatMap((line) => typedIn(line) ?? []);
  const isSession =
    /^(?:console|shellsession|terminal)$/i.test(language) || typedIn(lines.find(hasWords) ?? "") !== undefined;
  const command = (isSession && typed.length > 0 ? typed : lines).join("\n").trim();
  if (command === "") return { kind: "empty" };
  if (control.test(command) || hasHidden(command, HIDDEN_IN_COMMAND)) return { kind: "hidden" };
  if (command.length > mostCharacters || command.split("\n").length > mostLines) return { kind: "tooLong" };
  return { kind: "command", command };
}

/**
 * With what the shell at `shellPath` runs `script`, exactly as it is, and goes on for the user where that left off;
 * `undefined` for a shell that cannot.
 */
export function scriptArguments(shellPath: string, script: string): readonly string[] | undefined {
  const name = /([^/\\]+?)(?:\.exe)?$/i.exec(shellPath)?.[1]?.toLowerCase() ?? "";
  if (/^(?:ba|z|da|k)?sh$/.test(name)) return ["-c", [script, INTO_SHELL].join("\n"), shellPath];
  if (name === "pwsh" || name === "powershell") return ["-NoExit", "-Command", script];
  return undefined;
}

/** What stands behind the prompt of a line that has one. */
function typedIn(line: string): string | undefined {
  return PROMPTED.exec(line.trimStart())?.[1];
}

function hasWords(line: string): boolean {
  return line.trim() !== "";
}

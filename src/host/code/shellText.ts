/** What of a block of code for a shell is to be run. Pure. */

import { hasHidden } from "../tools/hiddenText.ts";

/** The commands, or why they are not run: nothing in it is one, a reader does not see all of it, or it is too long to be shown. */
export type ShellText =
  { readonly kind: "command"; readonly command: string } | { readonly kind: "empty" | "hidden" | "tooLong" };

/** As much as is read before it is agreed to. */
const mostCharacters = 2_000;
const mostLines = 30;

const prompt = /^\s*(?:[\w.-]+@[\w.-]+[^\s$#%>]{0,100}|PS [^>]{0,200}|~[^\s$#%]{0,100})?\s*[$%>❯] (.*)$/;
const control = /(?![\n\t])\p{Cc}/u;

/** Reads a block: of a session with prompts only what was typed, of anything else all. */
export function shellText(code: string, language: string): ShellText {
  const lines = code.replaceAll("\r\n", "\n").split("\n");
  const typed = lines.flatMap((line) => prompt.exec(line)?.[1] ?? []);
  const isSession = /^(?:console|shellsession|terminal)$/i.test(language) || prompt.test(lines.find(hasWords) ?? "");
  const command = (isSession && typed.length > 0 ? typed : lines).join("\n").trim();
  if (command === "") return { kind: "empty" };
  if (control.test(command) || hasHidden(command)) return { kind: "hidden" };
  if (command.length > mostCharacters || command.split("\n").length > mostLines) return { kind: "tooLong" };
  return { kind: "command", command };
}

function hasWords(line: string): boolean {
  return line.trim() !== "";
}

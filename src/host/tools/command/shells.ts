/** Shells by their own rules: how each takes a command, and whether a command is complete. Pure. */

import { err, ok, type Result } from "../../../core/result.ts";

/** A program with its arguments. `isVerbatim`: Windows gets the arguments as they are, without quotes around them. */
export interface ProgramCall {
  readonly file: string;
  readonly args: readonly string[];
  readonly isVerbatim?: boolean;
}

type Family = "posix" | "fish" | "powershell" | "cmd" | "other";

/** Shells that take a command as `-c`, and in it replace nothing by lines of their history, as csh does. */
const FAMILIES: readonly (readonly [Family, RegExp])[] = [
  ["posix", /^(?:ba|da|a|z|k|mk|ok)?sh$/],
  ["fish", /^fish$/],
  ["powershell", /^(?:pwsh|powershell)$/],
  ["cmd", /^cmd$/],
  ["other", /^(?:nu|elvish|xonsh)$/],
];

/** The shell to run commands in: the user's own, or the one of the system. */
export function shellFor(
  path: string,
  exists: (path: string) => boolean,
  system: NodeJS.Platform,
  systemShell = system === "win32" ? "cmd.exe" : "/bin/sh",
): string {
  return familyOf(path) !== undefined && exists(path) ? path : systemShell;
}

/** The call that runs `command` as it is, in a shell that is not interactive; or why this shell cannot. */
export function shellCall(shell: string, command: string, system: NodeJS.Platform): Result<ProgramCall, string> {
  switch (familyOf(shell)) {
    case "cmd":
      // It ends at the first line end, and joining the lines would change what they mean.
      if (command.includes("\n")) {
        return err("The user's shell is cmd, which takes one line: join the commands with &&, or call powershell.");
      }
      return ok({ file: shell, args: ["/d", "/s", "/c", `"${command}"`], isVerbatim: true });
    case "powershell": {
      const unasked = system === "win32" ? ["-NonInteractive"] : []; // there, nobody can answer
      return ok({ file: shell, args: ["-NoLogo", ...unasked, "-Command", command] });
    }
    case "fish":
    case "other":
      return ok({ file: shell, args: ["-c", command] });
    case "posix":
    case undefined:
      return ok({ file: shell, args: [...commandOption(command), command] });
  }
}

/** Calls that only parse `command`; none for a shell that parses all of it before it runs any. */
export function checkCalls(shell: string, command: string): readonly ProgramCall[] {
  const name = nameOf(shell);
  switch (familyOf(shell)) {
    case "posix": {
      const parse = name === "zsh" ? ["-f", "-n"] : ["-n"]; // -f: without the user's files
      // In a complete command a closing parenthesis is an error; in a here-document, it is a line.
      return [command, `${command}\n)`].map((text) => ({
        file: shell,
        args: [...parse, ...commandOption(text), text],
      }));
    }
    case "fish":
      return [{ file: shell, args: ["--no-execute", "-c", command] }];
    default:
      return [];
  }
}

/** Output and exit code of a check, in English. */
export interface CheckAnswer {
  readonly exitCode: number;
  readonly errors: string;
}

const UNFINISHED =
  /unexpected EOF|unexpected end of file|end of file unexpected|delimited by end-of-file|Unterminated|EOF in backquote|Missing '}'|unmatched ["'`]|closing brace expected|Unexpected end of string|Missing end to balance|found end of the input/;

const SHELL_NAME = /^\S*?(?:sh|fish): ?(?:-c: )?/;

/** Missing part of a command whose checks were answered so; `undefined`: none. Other errors are the shell's. */
export function missingIn(answers: readonly CheckAnswer[]): string | undefined {
  const [alone, closed] = answers;
  if (alone === undefined) return undefined;
  const told = alone.errors.split("\n").find((line) => UNFINISHED.test(line));
  if (told !== undefined) return told.replace(SHELL_NAME, "").trim();
  if (closed?.exitCode === 0) return "a here-document or a parenthesis is not closed";
  return undefined;
}

/** `--` where the command could be taken for an option. */
function commandOption(command: string): readonly string[] {
  return /^[-+]/.test(command) ? ["-c", "--"] : ["-c"];
}

function nameOf(shell: string): string {
  return (shell.split(/[/\\]/).at(-1) ?? "").toLowerCase().replace(/\.exe$/, "");
}

function familyOf(shell: string): Family | undefined {
  return FAMILIES.find(([, names]) => names.test(nameOf(shell)))?.[0];
}

/** The rules of one `.gitignore`, as git reads them. */

import { compileGlob, type Glob } from "./glob.ts";

interface Rule {
  readonly glob: Glob;
  readonly foldersOnly: boolean;
  /** A rule with `!` reverts an earlier one. */
  readonly ignores: boolean;
}

/** The last rule that matches decides. */
export class IgnoreRules {
  readonly #rules: readonly Rule[];

  constructor(text: string) {
    this.#rules = text.split(/\r?\n/).flatMap((line) => ruleOf(line));
  }

  /** `undefined` where no rule matches. `relative` is relative to the folder of the `.gitignore`. */
  judge(relative: string, isFolder: boolean): boolean | undefined {
    return this.#rules.findLast((rule) => (isFolder || !rule.foldersOnly) && rule.glob.matches(relative))?.ignores;
  }
}

function ruleOf(line: string): readonly Rule[] {
  const written = trimTrailingBlanks(line);
  if (written === "" || written.startsWith("#")) return [];
  const ignores = !written.startsWith("!");
  const pattern = ignores ? written : written.slice(1);
  const foldersOnly = pattern.endsWith("/");
  const body = foldersOnly ? pattern.slice(0, -1) : pattern;
  if (body === "") return [];
  const compiled = compileGlob(body.includes("/") ? body : `**/${body}`, { braces: false, ignoreCase: false });
  return compiled.ok ? [{ glob: compiled.value, foldersOnly, ignores }] : [];
}

/** Trailing blanks are ignored, except one after a backslash. */
function trimTrailingBlanks(line: string): string {
  let end = line.length;
  while (end > 0 && " \t".includes(line.charAt(end - 1))) end--;
  return line.slice(0, line[end - 1] === "\\" ? end + 1 : end);
}

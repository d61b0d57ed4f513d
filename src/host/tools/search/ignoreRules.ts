/** The rules of one `.gitignore`, as git reads them. */

import { compileGlob, type Glob } from "./glob.ts";

interface Rule {
  readonly glob: Glob;
  readonly foldersOnly: boolean;
  /** A rule with `!` takes back what an earlier one said. */
  readonly ignores: boolean;
}

/** Rules of the folder that holds them; the last one that fits decides. */
export class IgnoreRules {
  readonly #rules: readonly Rule[];

  constructor(text: string) {
    this.#rules = text.split(/\r?\n/).flatMap((line) => ruleOf(line));
  }

  /** Whether something is ignored; `undefined` where no rule says. `relative` is taken from the folder of the rules on. */
  judge(relative: string, isFolder: boolean): boolean | undefined {
    return this.#rules.findLast((rule) => (isFolder || !rule.foldersOnly) && rule.glob.matches(relative))?.ignores;
  }
}

function ruleOf(line: string): readonly Rule[] {
  const written = withoutBlanksBehind(line);
  if (written === "" || written.startsWith("#")) return [];
  const ignores = !written.startsWith("!");
  const pattern = ignores ? written : written.slice(1);
  const foldersOnly = pattern.endsWith("/");
  const body = foldersOnly ? pattern.slice(0, -1) : pattern;
  if (body === "") return [];
  const compiled = compileGlob(body.includes("/") ? body : `**/${body}`, { braces: false, ignoreCase: false });
  return compiled.ok ? [{ glob: compiled.value, foldersOnly, ignores }] : [];
}

/** Blanks at the end say nothing, but for one that a backslash keeps. */
function withoutBlanksBehind(line: string): string {
  let end = line.length;
  while (end > 0 && " \t".includes(line.charAt(end - 1))) end--;
  return line.slice(0, line[end - 1] === "\\" ? end + 1 : end);
}

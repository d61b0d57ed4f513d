/** Finding a model by the beginning of its name. Spec §2. */

/** The name without what says who serves it: `anthropic/claude-x` and `openrouter/anthropic/claude-x` give `claude-x`. */
export function withoutVendor(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

/**
 * The value of the longest key of `table` that begins `name` and ends there at a `-`, `.`, `:` or `@`, or at the end of the
 * name; `undefined` when none does. Looks at every cut of the name once, so its time does not depend on the table.
 */
export function longestPrefix<T>(table: ReadonlyMap<string, T>, name: string): T | undefined {
  for (let end = name.length; end > 0; end--) {
    if (end < name.length && !BOUNDARY.has(name.charAt(end))) continue;
    const found = table.get(name.slice(0, end));
    if (found !== undefined) return found;
  }
  return undefined;
}

const BOUNDARY: ReadonlySet<string> = new Set(["-", ".", ":", "@"]);

/** Lookup of a model by the longest known prefix of its name. Spec §2. */

/** `anthropic/claude-x` and `openrouter/anthropic/claude-x` give `claude-x`. */
export function withoutVendor(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

/**
 * Value of the longest key of `table` that is a prefix of `name` and ends at a `-`, `.`, `:` or `@`, or at the end of
 * the name; `undefined` when there is none. One lookup per boundary, independent of the table's size.
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

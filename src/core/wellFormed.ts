/**
 * The border at which text leaves: half a surrogate pair and U+0000 become U+FFFD, whatever is stored. Services refuse
 * a request with one, and it would be in every later request of the conversation.
 */

/** A half as JSON writes it, or another escape, which is skipped. */
const ESCAPE = /\\(?:u(0000|d[89a-f][\da-f]{2})(\\ud[c-f][\da-f]{2})?|[^])/gi;

/** Plain data with all its strings well-formed, names of fields too. Returns the same object if they are. */
export function wellFormed<T>(value: T): T {
  if (typeof value === "string") return value.toWellFormed().replaceAll("\0", "\ufffd") as T;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => wellFormed(item));
    return items.every((item, index) => Object.is(item, value[index])) ? value : (items as T);
  }
  const fields = Object.entries(value).map(([name, field]): [string, unknown] => [wellFormed(name), wellFormed(field)]);
  const isSame = fields.every(([name, field]) => Object.is(field, (value as Record<string, unknown>)[name]));
  return isSame ? value : (Object.fromEntries(fields) as T);
}

/** A JSON text whose escapes are well-formed as well. */
export function wellFormedJson(json: string): string {
  const text = json.toWellFormed();
  if (!/\\u(?:d|0000)/i.test(text)) return text;
  return text.replace(ESCAPE, (escape: string, half: string | undefined, low: string | undefined) => {
    if (half === undefined) return escape;
    const isHigh = /^d[89ab]/i.test(half);
    if (low === undefined) return "\ufffd";
    return isHigh ? escape : `\ufffd\ufffd`;
  });
}

/** What the text before the caret asks for: something to add behind "@", or a command behind "/". Pure. */

/** The word at the caret that opens a menu. */
export interface MenuToken {
  readonly kind: "mention" | "command";
  /** Where it begins, at its sign. */
  readonly start: number;
  /** What stands behind the sign, up to the caret. */
  readonly query: string;
}

/** Longest name that is looked for. */
const maxQueryLength = 200;

/** The token that ends at the caret; null where there is none. A command stands at the beginning of the message. */
export function menuToken(text: string, caret: number): MenuToken | null {
  const before = text.slice(0, caret);
  const command = /^\/([a-z]*)$/i.exec(before);
  if (command !== null) return { kind: "command", start: 0, query: command[1] ?? "" };
  const mention = /(?:^|[\s([{"'])@([^\s@]*)$/.exec(before.slice(-maxQueryLength - 2));
  if (mention?.[1] === undefined) return null;
  return { kind: "mention", start: caret - mention[1].length - 1, query: mention[1] };
}

/** A command that is written in the composer. */
export interface WrittenCommand {
  readonly name: string;
  /** What stands behind it; may be empty. */
  readonly argument: string;
}

/** The text as a command of one line, if its first word is one of `names`; anything else is a message. */
export function writtenCommand(text: string, names: readonly string[]): WrittenCommand | null {
  const [, word, argument] = /^\/([a-z]+)(?:[ \t]+(\S.*))?$/i.exec(text.trim()) ?? [];
  const name = names.find((known) => known === word?.toLowerCase());
  return name === undefined ? null : { name, argument: argument ?? "" };
}

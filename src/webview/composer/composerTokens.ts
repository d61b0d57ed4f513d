/** Menu requests before the caret: something to attach after "@", or a command after "/". Pure. */

export interface MenuToken {
  readonly kind: "mention" | "command";
  /** Offset of its sign. */
  readonly start: number;
  /** Text between the sign and the caret. */
  readonly query: string;
}

/** Longest name searched for, and blanks in it: more are a sentence. */
const maxQueryLength = 200;
const maxBlanks = 8;

/** Token that ends at the caret. A command is at the start of the message. */
export function menuToken(text: string, caret: number): MenuToken | null {
  const before = text.slice(0, caret);
  const command = /^\/([a-z]*)$/i.exec(before);
  if (command !== null) return { kind: "command", start: 0, query: command[1] ?? "" };
  const [, query] = /(?:^|[\s([{"'])@((?:(?![\s([{"']@)[^\n])*)$/.exec(before.slice(-maxQueryLength - 2)) ?? [];
  if (query === undefined || /^\s/.test(query) || query.split(" ").length > maxBlanks + 1) return null;
  return { kind: "mention", start: caret - query.length - 1, query };
}

/** With a blank, the query may be a name with a blank, or a mention that was typed in full and words after it. */
export function mayBeSentence({ kind, query }: MenuToken): boolean {
  return kind === "mention" && query.includes(" ");
}

export interface WrittenCommand {
  readonly name: string;
  /** Text after the name; may be empty. */
  readonly argument: string;
}

/** The text as a one-line command, if its first word is one of `names`; null for a message. */
export function writtenCommand(text: string, names: readonly string[]): WrittenCommand | null {
  const [, word, argument] = /^\/([a-z]+)(?:[ \t]+(\S.*))?$/i.exec(text.trim()) ?? [];
  const name = names.find((known) => known === word?.toLowerCase());
  return name === undefined ? null : { name, argument: argument ?? "" };
}

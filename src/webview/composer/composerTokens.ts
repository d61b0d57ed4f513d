/** Menu requests before the caret: something to attach after "@", or a command after "/". Pure. */

export interface MenuToken {
  readonly kind: "mention" | "command";
  /** Offset of its sign. */
  readonly start: number;
  /** Text between the sign and the caret. */
  readonly query: string;
}

/** Longest name searched for. */
const maxQueryLength = 200;

/** Token that ends at the caret. A command is at the start of the message. */
export function menuToken(text: string, caret: number): MenuToken | null {
  const before = text.slice(0, caret);
  const command = /^\/([a-z]*)$/i.exec(before);
  if (command !== null) return { kind: "command", start: 0, query: command[1] ?? "" };
  const mention = /(?:^|[\s([{"'])@([^\s@]*)$/.exec(before.slice(-maxQueryLength - 2));
  if (mention?.[1] === undefined) return null;
  return { kind: "mention", start: caret - mention[1].length - 1, query: mention[1] };
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

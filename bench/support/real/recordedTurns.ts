import type { RecordedMessage } from "./transcripts.ts";

/** Places of the longest turn: from a message that the user typed to before the next one. */
export function longestTurn(messages: readonly RecordedMessage[]): { readonly start: number; readonly end: number } {
  let longest = { start: 0, end: messages.length, length: -1 };
  const starts = messages.flatMap(({ own }, index) => (own === "" ? [] : [index]));
  for (const [place, start] of starts.entries()) {
    const end = starts[place + 1] ?? messages.length;
    const turn = messages.slice(start, end).map(({ message }) => message);
    const { length } = JSON.stringify(turn);
    if (length > longest.length) longest = { start, end, length };
  }
  return longest;
}

/** At most `count` of them, from all parts of the list. */
export function spread<T>(all: readonly T[], count: number): readonly T[] {
  if (all.length <= count) return all;
  const part = (index: number): number => Math.floor((index * count) / all.length);
  return all.filter((_, index) => part(index) !== part(index - 1));
}

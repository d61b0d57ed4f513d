/** Looks for facts and inventions in what is sent, word for word. */

import { UNVERIFIED_MARK } from "../../src/core/summary/facts/fabrication.ts";
import type { TalkSession } from "../../test/support/session/talkSession.ts";
import type { Invention } from "../../test/support/session/temperaments.ts";

/** How many of the inventions of a model stand in summaries, and which of those have no mark. */
export async function checkedInventions(
  session: TalkSession,
  made: readonly Invention[],
): Promise<{ readonly inventions: number; readonly unmarked: readonly Invention[] }> {
  const { history } = session.manager;
  const contents = history.summaries.map(({ content }) => content);
  const kept = made.filter(({ text }) => contents.some((content) => content.includes(text)));
  const places = kept.map((invention) => ({
    invention,
    names: contents.flatMap((content) => unmarkedNames(content, invention.text)),
  }));
  const suspects = places.filter(({ names }) => names.length > 0);
  if (suspects.length === 0) return { inventions: kept.length, unmarked: [] };
  const said = await session.messages(history.entries.map(({ id }) => id));
  // By chance what is made up is a part of a longer name that was really said.
  const isMadeUp = (name: string, { text }: Invention): boolean =>
    name === text || !said.some((one) => one.includes(name));
  const unmarked = suspects.filter(({ invention, names }) => names.some((name) => isMadeUp(name, invention)));
  return { inventions: kept.length, unmarked: unmarked.map(({ invention }) => invention) };
}

/**
 * The names in which the text stands without the mark right behind it, or behind what closes around it. The end of a longer
 * hash is another text.
 */
function unmarkedNames(content: string, text: string): readonly string[] {
  const names: string[] = [];
  for (let at = content.indexOf(text); at >= 0; at = content.indexOf(text, at + 1)) {
    if (/^[\p{L}\p{N}]{2}/u.test(content.slice(Math.max(0, at - 1), at + 1))) continue;
    const end = at + text.length;
    if (content.slice(end, end + 8 + UNVERIFIED_MARK.length).includes(UNVERIFIED_MARK.trim())) continue;
    const before = /[\p{L}\p{N}_-]*$/u.exec(content.slice(Math.max(0, at - LONGEST_NAME_UNITS), at))?.[0] ?? "";
    const behind = /^[\p{L}\p{N}_-]*/u.exec(content.slice(end, end + LONGEST_NAME_UNITS))?.[0] ?? "";
    names.push(before + text + behind);
  }
  return names;
}

const LONGEST_NAME_UNITS = 100;

/** A text in which blanks and line ends do not matter. */
export function flat(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

/** Whether a text stands in another, with no letter, digit or part of a number right at its sides. */
export function holds(text: string, fact: string): boolean {
  const wanted = flat(fact);
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const before = text.charAt(at - 1);
    const behind = text.slice(at + wanted.length, at + wanted.length + 2);
    if (!/[\p{L}\p{N}]/u.test(before) && !/^(?:[\p{L}\p{N}]|[.,]\d)/u.test(behind)) return true;
  }
  return false;
}

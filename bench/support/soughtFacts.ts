/** Searches facts and inventions word for word in what is sent. */

import { UNVERIFIED_MARK } from "../../src/core/summary/facts/fabrication.ts";
import type { TalkSession } from "../../test/support/session/talkSession.ts";
import type { Invention } from "../../test/support/session/temperaments.ts";

/** Inventions of a model in summaries: their number, and those without a mark. */
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
  // An invention may by chance be part of a longer real name.
  const isMadeUp = (name: string, { text }: Invention): boolean =>
    name === text || !said.some((one) => one.includes(name));
  const unmarked = suspects.filter(({ invention, names }) => names.some((name) => isMadeUp(name, invention)));
  return { inventions: kept.length, unmarked: unmarked.map(({ invention }) => invention) };
}

/** Names that contain the text without the mark right after it. The end of a longer hash does not count. */
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

/** Normalizes white space to single spaces. */
export function flat(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

/** Whether `text` contains `fact`, not adjacent to a letter, a digit or a part of a number. */
export function holds(text: string, fact: string): boolean {
  const wanted = flat(fact);
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const before = text.charAt(at - 1);
    const behind = text.slice(at + wanted.length, at + wanted.length + 2);
    if (!/[\p{L}\p{N}]/u.test(before) && !/^(?:[\p{L}\p{N}]|[.,]\d)/u.test(behind)) return true;
  }
  return false;
}

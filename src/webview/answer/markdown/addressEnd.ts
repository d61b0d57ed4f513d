/**
 * Where an address in running text ends. GitHub's rule takes everything up to the next blank, but many scripts put
 * their signs, and some the next word, directly behind it: `见 https://example.com。下一句` would lead to another host.
 * Pure; linear time.
 */

/** Signs beyond ASCII end an address, except for those that stand inside words. */
const signs = /(?![–·‧・])(?!\p{ASCII})[\p{P}\p{S}]/u;
/** Letters of scripts that are written without blanks. */
const eastAsian = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Bopomofo}\p{sc=Hangul}]/u;
/** Characters that no host contains. */
const noHost = /[^\p{L}\p{N}\p{M}.:@%[\]_~+-]/u;
const pictograph = /\p{Extended_Pictographic}/u;
/** The rest of a host's first label, with the next. */
const label = /^[\p{L}\p{N}\p{M}\p{Extended_Pictographic}-]*\.[a-z]/iu;
const maxLabelLength = 65;

/** Length of the address at the start of `source`, which begins with a scheme or `www.`. */
export function addressEnd(source: string): number {
  const whole = /^[^\s<]*/.exec(source)?.[0] ?? "";
  const start = /^[a-z]+:\/\//i.exec(whole)?.[0].length ?? 0;
  const slash = whole.slice(start).search(/[/?#]/);
  const host = slash < 0 ? whole.slice(start) : whole.slice(start, start + slash);
  const end = hostEnd(host);
  return start + (end < host.length || slash < 0 ? end : slash + pathEnd(whole.slice(start + slash)));
}

/** `example.com的` is `example.com`, but `qq邮箱.com` and `i❤.ws` are names of hosts. */
function hostEnd(host: string): number {
  let seen = "";
  for (const character of host) {
    const mayBeNextWord = pictograph.test(character) || (eastAsian.test(character) && /[a-z\d]$/i.test(seen));
    const isEnd = mayBeNextWord
      ? seen.includes(".") || !label.test(host.slice(seen.length, seen.length + maxLabelLength))
      : noHost.test(character);
    if (isEnd) return seen.length;
    seen += character;
  }
  return host.length;
}

/** `/docs查看` is `/docs`, but `/wiki/中文` and `/wiki/東京_(曖昧さ回避)` are whole. */
function pathEnd(path: string): number {
  let length = 0;
  let depth = 0;
  let previous = "";
  let isEastAsianSegment = false;
  for (const character of path) {
    if (signs.test(character)) return length;
    if (eastAsian.test(character)) {
      const isNextWord = /[a-z\d"']/i.test(previous) && !isEastAsianSegment;
      if (isNextWord || (previous === ")" && depth < 0)) return length;
      isEastAsianSegment = true;
    } else if (/[/?&=#]/.test(character)) isEastAsianSegment = false;
    depth += character === "(" ? 1 : character === ")" ? -1 : 0;
    previous = character;
    length += character.length;
  }
  return length;
}

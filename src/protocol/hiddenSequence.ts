/**
 * Character sequences that models and terminals read and readers do not see: the one table for webview and host. Prose
 * may hold some of them in their places, data fewer, a command none.
 */

/**
 * Direction overrides, characters without width, invisible fillers, and what no program draws: one can hide an
 * instruction.
 */
const neverSeen =
  /[\u115f\u1160\u200b\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0080}-\u{e00ff}\u{e01f0}-\u{e0fff}]+/u;

/** Line separators, noncharacters, and controls of terminals; line ends and tabs are layout. */
const unprintable =
  /[\u2028\u2029\ufdd0-\ufdef\ufffe\uffff\u{1fffe}\u{1ffff}\u{2fffe}\u{2ffff}\u{3fffe}\u{3ffff}\u{4fffe}\u{4ffff}\u{5fffe}\u{5ffff}\u{6fffe}\u{6ffff}\u{7fffe}\u{7ffff}\u{8fffe}\u{8ffff}\u{9fffe}\u{9ffff}\u{afffe}\u{affff}\u{bfffe}\u{bffff}\u{cfffe}\u{cffff}\u{dfffe}\u{dffff}\u{efffe}\u{effff}\u{ffffe}\u{fffff}\u{10fffe}\u{10ffff}]|(?![\t\n\r])\p{Cc}/u;

/** Tag characters, except in the three flags that are made of them. Matches a run as a whole. */
const tags =
  /[\u{e0000}-\u{e007f}](?<![\u{e0000}-\u{e007f}].)(?<!\u{1f3f4}(?=\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}(?![\u{e0000}-\u{e007f}])).)[\u{e0000}-\u{e007f}]*/u;

/** Variation selectors after a character without such variants. */
const selectors = [
  // Text or emoji style: after symbols, and in keycaps.
  /[\ufe0e\ufe0f](?<!(?!\p{ASCII})[\p{S}\p{Emoji}].)(?!(?<=[0-9#*]\ufe0f)(?:\u20e3|$))/u,
  // Variants of mathematical signs and letters, punctuation, Chinese characters, and a few scripts.
  /[\ufe00-\ufe0d](?<!(?!\p{ASCII})[\p{S}\p{P}\u210b\u2110\u2112\u211b\u212c\u2130\u2131\u2133\u{1d49c}-\u{1d4b5}][\ufe00\ufe01])(?<!\p{sc=Han}[\ufe00-\ufe02])(?<![\p{sc=Egyptian_Hieroglyphs}\p{sc=Manichaean}\p{sc=Myanmar}\p{sc=Phags_Pa}][\ufe00-\ufe06])/u,
  // Variants of Chinese characters in names; a ninth in a row is more than a name.
  /[\u{e0100}-\u{e01ef}](?:(?<!\p{sc=Han}.)|(?<=(?:\p{sc=Han}[\u{e0100}-\u{e01ef}]){9}))/u,
  /[\u180b-\u180f](?<!(?=\p{L})\p{sc=Mongolian}[\u180b-\u180d\u180f]?.)/u,
];

/** A letter or mark of a script in which joiners affect how letters are drawn. */
const joined =
  /(?![\p{sc=Common}\p{sc=Cyrillic}\p{sc=Greek}\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Inherited}\p{sc=Katakana}\p{sc=Latin}])[\p{L}\p{M}]/u
    .source;

/** Joiners next to no such letter, and not inside an emoji. */
const joiners = new RegExp(
  `[\\u200c\\u200d](?<!${joined}.)(?!${joined})(?!(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f]\\u200d)(?:\\p{Extended_Pictographic}|$))`,
  "u",
);

/** Runs of joiners and direction marks; a letter may need a single one. */
const rows = /[\u061c\u180e\u200c-\u200f]{3,}/u;

/** Invisible marks, and so many in a row that they would be drawn over other lines. */
const marks = [
  /\u034f(?<![^\P{M}\u034f].)(?![^\P{M}\u034f])/u,
  /[\u17b4\u17b5](?<!(?=\p{L})\p{sc=Khmer}.)/u,
  /\p{M}{9,}/u,
];

/** Hidden sequences in prose, where scripts, signs and emoji need some of these characters, each in its place. */
export const hiddenSequence = anyOf([rows, neverSeen, unprintable, tags, ...selectors, joiners, ...marks]);

/** Hidden sequences in files, results, names and titles, which no one hyphenates by hand. */
export const hiddenInData = /* @__PURE__ */ anyOf([/\u00ad+/u, hiddenSequence]);

/** Hidden sequences in a command, to which single direction marks matter, too, and what only some fonts draw. */
export const hiddenInCommand = /* @__PURE__ */ anyOf([/[\u061c\u200e\u200f\p{Co}\p{Cn}\p{Cs}]+/u, hiddenInData]);

/** The code point as readers know it: "U+202E". */
export function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

function anyOf(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join("|"), "u");
}

/**
 * Cuts text between grapheme clusters: what a reader sees as one character (an emoji family, a letter with its accents,
 * a flag) stays whole. The work depends on the place of the cut, never on the length of the text.
 */

/** Longer clusters, as of stacked accents, are cut between code points. In UTF-16 units. */
const LONGEST_CLUSTER = 64;
/** Units before a place that are searched for a safe start: flags, for example, are pairs counted from the first. */
const LOOK_BACK = 1_024;

const CLUSTERS = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The last place at or before `at` that is between two grapheme clusters. */
export function placeBefore(text: string, at: number): number {
  if (at <= 0) return 0;
  if (at >= text.length) return text.length;
  if (isPlain(text, at - 1) && isPlain(text, at)) return at;
  const from = safeStart(text, at);
  const window = text.slice(from, at + LONGEST_CLUSTER);
  const place = from + (CLUSTERS.segment(window).containing(at - from)?.index ?? 0);
  return at - place <= LONGEST_CLUSTER ? place : codePointStart(text, at);
}

/** The first place at or after `at` that is between two grapheme clusters. */
export function placeAfter(text: string, at: number): number {
  const before = placeBefore(text, at);
  if (before >= at) return before;
  for (let place = at + 1; place < text.length; place++) if (placeBefore(text, place) === place) return place;
  return text.length;
}

/** The longest beginning of at most `units` UTF-16 units. */
export function beginningOf(text: string, units: number): string {
  return text.slice(0, placeBefore(text, units));
}

/** The longest end of at most `units` UTF-16 units. */
export function endingOf(text: string, units: number): string {
  return text.slice(placeAfter(text, text.length - units));
}

/** The text, or a beginning of at most `units` UTF-16 units with "…" after it. */
export function shorten(text: string, units: number): string {
  return text.length <= units ? text : `${beginningOf(text, units)}…`;
}

/** A place not after `at` where segmenting may begin: between two plain characters, or far enough before it. */
function safeStart(text: string, at: number): number {
  const earliest = Math.max(0, at - LOOK_BACK);
  for (let place = at - 1; place > earliest; place--) {
    if (isPlain(text, place - 1) && isPlain(text, place)) return place;
  }
  return codePointStart(text, earliest);
}

/** ASCII but for the carriage return, which forms a cluster with a line feed. */
function isPlain(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit < 0x80 && unit !== 0x0d;
}

function codePointStart(text: string, at: number): number {
  return isHighHalf(text.charCodeAt(at - 1)) && isLowHalf(text.charCodeAt(at)) ? at - 1 : at;
}

function isHighHalf(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLowHalf(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

/** The same text in memory of its own: a part that is cut out of a text otherwise keeps the whole of it in memory. */
export function ownCopy(part: string): string {
  return part.length < SHORTEST_KEPT_PART ? part : (JSON.parse(JSON.stringify(part)) as string);
}

/** Shorter parts are copied by the engine. */
const SHORTEST_KEPT_PART = 13;

/** Tells random text, as keys and generated passwords are, from names, words and placeholders. */

/** Letters of a word, capitalized or not, as they occur in identifiers. */
const WORD = /[A-Z][a-z]{3,}|[a-z]{4,}|[A-Z]{6,}/g;
const DIGIT_RUN = /\d+/g;
/** Share of a text that words may have if it is random. Random letters of both cases form a few words by chance. */
const MOST_WORDS = 0.6;

/** Random, and with digits or with letters of both cases as no name has them. */
export function isKeyLike(text: string): boolean {
  return looksRandom(text) && (/\d/.test(text) || (text.match(CASE_CHANGE) ?? []).length >= text.length / 8);
}

/** From a small to a capital letter that begins no word. */
const CASE_CHANGE = /[a-z][A-Z](?![a-z]{2})/g;

export function looksRandom(text: string): boolean {
  if (isPlaceholder(text)) return false;
  const letters = text.replaceAll(/[^A-Za-z0-9]/g, "").length;
  if (letters === 0) return false;
  const inWords = (text.match(WORD) ?? []).reduce((sum, word) => sum + word.length, 0);
  return inWords / letters < MOST_WORDS || (text.match(DIGIT_RUN) ?? []).length >= 3;
}

/** `process.env.KEY`, `${{ secrets.X }}`, `your-key`, `****`, `<token>`, and a text that was redacted before. */
const PLACEHOLDER =
  /^(?:[A-Za-z_$][\w$]{0,24}(?:\??\.[A-Za-z_$][\w$]{0,40}(?:\(\))?)+|\$.*|%.*|@.*|#.*|<.*|\{.*|\[.*|.*\[redacted.*|(?:your|my|the|some|an?|test|fake|dummy|sample)[-_ ].*|.*(?:example|placeholder|changeme|redacted|xxxx|\.\.\.|…|\*\*\*).*)$/i;

export function isPlaceholder(text: string): boolean {
  return (text.length <= LONGEST_PLACEHOLDER && PLACEHOLDER.test(text)) || isRepeated(text);
}

/** In UTF-16 units. In random text that is longer, such words occur by chance. */
const LONGEST_PLACEHOLDER = 80;

/** Few different characters, as in "xxxxxxxx", "00000000" and "abababab". */
function isRepeated(text: string): boolean {
  return new Set(text.slice(0, 64)).size <= Math.min(4, text.length / 4);
}

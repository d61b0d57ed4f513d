/** Letters of another alphabet: MathML knows them only as characters of their own. */

/** A style of letters that a formula can ask for. */
export type Alphabet = "upright" | "bold" | "italic" | "boldItalic" | "double" | "script" | "fraktur" | "sans" | "mono";

/** Where the capitals, the small letters and the digits of each begin; 0 where it has none. */
const begins: Readonly<Record<Exclude<Alphabet, "upright" | "italic">, readonly [number, number, number]>> = {
  bold: [0x1d400, 0x1d41a, 0x1d7ce],
  boldItalic: [0x1d468, 0x1d482, 0],
  double: [0x1d538, 0x1d552, 0x1d7d8],
  script: [0x1d49c, 0x1d4b6, 0],
  fraktur: [0x1d504, 0x1d51e, 0],
  sans: [0x1d5a0, 0x1d5ba, 0x1d7e2],
  mono: [0x1d670, 0x1d68a, 0x1d7f6],
};

/** Letters that had a place before the alphabets were made. */
const elsewhere: Readonly<Partial<Record<Alphabet, Readonly<Record<string, string>>>>> = {
  double: { C: "ℂ", H: "ℍ", N: "ℕ", P: "ℙ", Q: "ℚ", R: "ℝ", Z: "ℤ" },
  script: { B: "ℬ", E: "ℰ", F: "ℱ", H: "ℋ", I: "ℐ", L: "ℒ", M: "ℳ", R: "ℛ", e: "ℯ", g: "ℊ", o: "ℴ" },
  fraktur: { C: "ℭ", H: "ℌ", I: "ℑ", R: "ℜ", Z: "ℨ" },
};

/** `text` in letters of `alphabet`; what it has no letter for stays. */
export function inAlphabet(text: string, alphabet: Alphabet): string {
  if (alphabet === "upright" || alphabet === "italic") return text;
  const [capitals, small, digits] = begins[alphabet];
  return Array.from(text, (character) => {
    const own = elsewhere[alphabet]?.[character];
    if (own !== undefined) return own;
    if (/[A-Z]/.test(character)) return moved(character, "A", capitals);
    if (/[a-z]/.test(character)) return moved(character, "a", small);
    return digits !== 0 && /[0-9]/.test(character) ? moved(character, "0", digits) : character;
  }).join("");
}

function moved(character: string, first: string, begin: number): string {
  return String.fromCodePoint(begin + character.charCodeAt(0) - first.charCodeAt(0));
}

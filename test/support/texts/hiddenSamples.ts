/** A text with hidden characters: `front` precedes `hidden`, which is shown starting with `codes`. */
export interface HiddenSample {
  readonly front: string;
  readonly hidden: string;
  readonly codes: readonly string[];
}

export const hiddenSamples: readonly HiddenSample[] = [
  { front: "direction", hidden: "\u202e", codes: ["U+202E"] },
  { front: "isolate", hidden: "\u2066", codes: ["U+2066"] },
  { front: "width", hidden: "\u200b\u2060\ufeff", codes: ["U+200B", "U+2060", "U+FEFF"] },
  { front: "shaping", hidden: "\u206a", codes: ["U+206A"] },
  { front: "filler", hidden: "\u3164\uffa0", codes: ["U+3164", "U+FFA0"] },
  { front: "annotation", hidden: "\ufff9", codes: ["U+FFF9"] },
  { front: "beam", hidden: "\u{1d173}", codes: ["U+1D173"] },
  { front: "tags", hidden: "\u{e0069}\u{e0067}", codes: ["U+E0069", "U+E0067"] },
  { front: "bits in selectors", hidden: "\ufe00\u{e0101}".repeat(20), codes: ["U+FE00", "U+E0101"] },
  { front: "bits in joiners", hidden: "\u200c\u200d".repeat(20), codes: ["U+200C", "U+200D"] },
  { front: "bits in marks", hidden: "\u061c\u200f\u180e", codes: ["U+061C", "U+200F", "U+180E"] },
  { front: "fillers of syllables", hidden: "\u115f\u1160", codes: ["U+115F", "U+1160"] },
  { front: "shorthand", hidden: "\u{1bca0}\u{1bca3}", codes: ["U+1BCA0", "U+1BCA3"] },
  { front: "not assigned", hidden: "\ufff0\u{e0080}\u{e01f0}", codes: ["U+FFF0", "U+E0080", "U+E01F0"] },
  { front: "one selector", hidden: "\u{e0101}", codes: ["U+E0101"] },
  { front: "between", hidden: "\u{e0101}\u200d".repeat(20), codes: ["U+E0101", "U+200D", "U+E0101", "U+200D"] },
  { front: "one joiner", hidden: "\u200d", codes: ["U+200D"] },
  { front: "stacke", hidden: "\u0301".repeat(20), codes: ["U+0301", "U+0301"] },
];

/** Texts whose joiners and selectors are legitimate: nothing in them is hidden. */
export const plainlyShown: readonly string[] = [
  "👩‍👩‍👧 ❤️ नमस्‍ते",
  "می‌خواهم",
  "Ünïcödé e\u0301\u0323",
  "soft\u00adhyphen",
  // Emoji: keycaps, flags, skin and hair colors, sequences, text style.
  "1\ufe0f\u20e3 #\ufe0f\u20e3 *\ufe0f\u20e3",
  "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
  "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}!",
  "\u{1f3f4}\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
  "👨🏽\u200d🦰 👩\u200d❤\ufe0f\u200d💋\u200d👨 🏳\ufe0f\u200d🌈 🏴\u200d☠\ufe0f 🙂\u200d↔\ufe0f ⛓\ufe0f\u200d💥 🐦\u200d⬛",
  "↩\ufe0e ⚠\ufe0e ✓\ufe0e ★\ufe0f ©\ufe0f ‼\ufe0f ㊙\ufe0f ℹ\ufe0f",
  // Variants of Chinese characters, of symbols, and of letters of some scripts.
  "葛\u{e0100}城 渡邉\u{e0101} 神\ufe00 “\ufe01、\ufe00",
  "∩\ufe00 ≤\ufe00 ∅\ufe00 \u{1d49c}\ufe00 ℬ\ufe01",
  "က\ufe00 ꡖ\ufe00 ᠠ\u180b ᠨ\u180eᠠ ᠭ\u180b\u180eᠠ",
  // Joiners that change how their neighbors are drawn.
  "क्\u200dष क्\u200c ර්\u200dය ক্\u200c കാല്\u200d ខ្មែ\u200cរ",
  "ه\u200d \u200dه لَ\u200cم",
  // Direction marks, and a joiner that keeps marks apart.
  "שלום\u200f! \u061c5 \u200e(a)",
  "ב\u05b4\u034f\u0596",
];

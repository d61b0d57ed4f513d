/** Texts in which something is hidden from a reader, for everything that shows texts. */

/** What stands in front of `hidden`, what is hidden, and the codes with which that begins where it is shown. */
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
  { front: "stacke", hidden: "\u0301".repeat(20), codes: ["U+0301", "U+0301"] },
];

/** What scripts and emoji need: nothing in it is hidden. */
export const plainlyShown: readonly string[] = ["👩‍👩‍👧 ❤️ नमस्‍ते", "می‌خواهم", "Ünïcödé e\u0301\u0323", "soft\u00adhyphen"];

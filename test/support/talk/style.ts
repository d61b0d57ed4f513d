/** How people and models say a fact, style by style. `t` is what it is about, `v` the fact itself, word for word. */

import { factValue, type FactType } from "./factValues.ts";
import type { Dice } from "./names.ts";

/** Who says it: `tool` in what a tool answers. */
export type Voice = "user" | "assistant" | "tool";

/** Something said, and the fact in it. */
export interface Saying {
  readonly voice: Voice;
  readonly text: string;
  readonly fact: string;
}

/** A manner of talking. */
export interface Style {
  readonly name: string;
  readonly say: (type: FactType, t: string, dice: Dice) => Saying;
  /** Talk that says nothing hard. */
  readonly chatter: readonly string[];
}

type Carrier = readonly [voice: Voice, text: (t: string, v: string) => string];
type Sentences = readonly (readonly [voice: Voice, text: (t: string, dice: Dice) => string])[];
/** Ways to say each type; `t` is what it is about, `v` the fact. */
export interface Table {
  readonly carriers: Readonly<Record<Exclude<FactType, "rule" | "decision" | "quote">, readonly Carrier[]>>;
  readonly rules: Sentences;
  readonly decisions: Sentences;
  /** The quotation alone is the fact; it stands between the two texts. */
  readonly quotes: readonly (readonly [
    before: (t: string) => string,
    quote: (t: string, dice: Dice) => string,
    after: string,
  ])[];
}

/** Says facts by a table. */
export function styleOf(name: string, table: Table, chatter: readonly string[]): Style {
  return {
    name,
    chatter,
    say: (type, t, dice) => {
      if (type === "rule" || type === "decision") {
        const [voice, make] = dice.of(type === "rule" ? table.rules : table.decisions);
        const text = make(t, dice);
        return { voice, text, fact: text.replace(/^- (?:\[ \] )?/, "") };
      }
      if (type === "quote") {
        const [before, quote, after] = dice.of(table.quotes);
        const fact = quote(t, dice);
        return { voice: dice.chance(60) ? "user" : "assistant", text: `${before(t)}${fact}${after}`, fact };
      }
      const fact = factValue(type, dice);
      const [voice, carry] = dice.of(table.carriers[type]);
      return { voice, text: carry(t, fact), fact };
    },
  };
}

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
  /** Its speaker asks for something that is to hold: a rule, a deadline, a limit. */
  readonly directs: boolean;
}

/** Something that looks like an order and is none: a question, an account, a rule that stands in what a tool answers. */
export interface Aside {
  readonly voice: "user" | "tool";
  readonly text: string;
}

/** A manner of talking. */
export interface Style {
  readonly name: string;
  readonly say: (type: FactType, t: string, dice: Dice) => Saying;
  /** Talk that says nothing hard. */
  readonly chatter: readonly string[];
  /** One of what looks like an order and is none. Absent: the style has no such. */
  readonly aside?: (t: string, dice: Dice) => Aside;
}

type Carrier = readonly [voice: Voice, text: (t: string, v: string) => string, directs?: "directs"];
/** What is said before and after a sentence in the same breath: questions, reports, thanks, pasted logs. */
type Around = (sentence: string, t: string) => string;
type Sentences = readonly (readonly [voice: Voice, text: (t: string, dice: Dice) => string, around?: Around])[];
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
    directs?: "directs",
  ])[];
  readonly asides?: readonly (readonly [voice: Aside["voice"], text: (t: string) => string])[];
}

/** Says facts by a table. */
export function styleOf(name: string, table: Table, chatter: readonly string[]): Style {
  const { asides } = table;
  return {
    name,
    chatter,
    ...(asides === undefined
      ? {}
      : {
          aside: (t, dice) => {
            const [voice, make] = dice.of(asides);
            return { voice, text: make(t) };
          },
        }),
    say: (type, t, dice) => {
      if (type === "rule" || type === "decision") {
        const [voice, make, around] = dice.of(type === "rule" ? table.rules : table.decisions);
        const sentence = make(t, dice);
        const text = around?.(sentence, t) ?? sentence;
        return { voice, text, fact: sentence.replace(/^- (?:\[ \] )?/, ""), directs: type === "rule" };
      }
      if (type === "quote") {
        const [before, quote, after, directs] = dice.of(table.quotes);
        const fact = quote(t, dice);
        const voice = dice.chance(60) ? "user" : "assistant";
        return { voice, text: `${before(t)}${fact}${after}`, fact, directs: directs !== undefined };
      }
      const fact = factValue(type, dice);
      const [voice, carry, directs] = dice.of(table.carriers[type]);
      return { voice, text: carry(t, fact), fact, directs: directs !== undefined };
    },
  };
}

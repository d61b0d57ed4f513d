/** Styles: how people and models state a fact. `t` is its topic, `v` the fact itself, word for word. */

import { factValue, type FactType } from "./factValues.ts";
import type { Dice } from "./names.ts";

/** The speaker; `tool` is a tool result. */
export type Voice = "user" | "assistant" | "tool";

/** A statement and the fact in it. */
export interface Saying {
  readonly voice: Voice;
  readonly text: string;
  readonly fact: string;
  /** Whether it is a lasting demand: a rule, a deadline, a limit. */
  readonly directs: boolean;
}

/** A sentence that looks like an order but is not: a question, a report, a rule in a tool result. */
export interface Aside {
  readonly voice: "user" | "tool";
  readonly text: string;
}

export interface Style {
  readonly name: string;
  readonly say: (type: FactType, t: string, dice: Dice) => Saying;
  /** Talk without facts. */
  readonly chatter: readonly string[];
  /** Generates an aside, if the style has any. */
  readonly aside?: (t: string, dice: Dice) => Aside;
}

type Carrier = readonly [voice: Voice, text: (t: string, v: string) => string, directs?: "directs"];
/** Adds surrounding text to a sentence: questions, reports, thanks, pasted logs. */
type Around = (sentence: string, t: string) => string;
type Sentences = readonly (readonly [voice: Voice, text: (t: string, dice: Dice) => string, around?: Around])[];
/** Sentences for each type of fact. */
export interface Table {
  readonly carriers: Readonly<Record<Exclude<FactType, "rule" | "decision" | "quote">, readonly Carrier[]>>;
  readonly rules: Sentences;
  readonly decisions: Sentences;
  /** Texts before and after a quotation, which is the fact. */
  readonly quotes: readonly (readonly [
    before: (t: string) => string,
    quote: (t: string, dice: Dice) => string,
    after: string,
    directs?: "directs",
  ])[];
  readonly asides?: readonly (readonly [voice: Aside["voice"], text: (t: string) => string])[];
}

/** Creates a style from a table. */
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

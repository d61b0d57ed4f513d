/**
 * Generates a long coding conversation with planted facts, each in a sentence with its topic, amid questions, code,
 * logs, listings and chatter. The same seed gives the same conversation.
 */

import { toolCallId } from "../../../../src/core/ids.ts";
import { textMessage, type Message } from "../../../../src/core/message.ts";
import { FACT_TYPES, type FactType } from "./factValues.ts";
import type { Aside, Saying, Style } from "./style.ts";
import { agent } from "./styles/agent.ts";
import { aplicativo } from "./styles/aplicativo.ts";
import { atolye } from "./styles/atolye.ts";
import { bottega } from "./styles/bottega.ts";
import { chinese } from "./styles/chinese.ts";
import { french } from "./styles/french.ts";
import { german } from "./styles/german.ts";
import { house } from "./styles/house.ts";
import { incident } from "./styles/incident.ts";
import { koubou } from "./styles/koubou.ts";
import { mail } from "./styles/mail.ts";
import { operations } from "./styles/operations.ts";
import { plain } from "./styles/plain.ts";
import { relecture } from "./styles/relecture.ts";
import { review } from "./styles/review.ts";
import { salon } from "./styles/salon.ts";
import { spanish } from "./styles/spanish.ts";
import { terse } from "./styles/terse.ts";
import { ticket } from "./styles/ticket.ts";
import { werkplaats } from "./styles/werkplaats.ts";
import { camel, Dice, kebab, noun, pascal, part, snake, topic } from "./names.ts";

export interface PlantedFact {
  readonly type: FactType;
  /** The fact, word for word. */
  readonly text: string;
  /** Its topic, with which it must be found again. */
  readonly topic: string;
  readonly style: string;
  readonly voice: Saying["voice"];
  readonly turn: number;
  /** The whole sentence or paragraph with it. */
  readonly said: string;
  /** Whether it is a lasting demand: every rule is, and some others. */
  readonly directs: boolean;
}

export interface PlantedTurn {
  readonly messages: readonly Message[];
  readonly facts: readonly PlantedFact[];
  /** Sentences that look like orders but are not. */
  readonly asides: readonly Aside[];
}

export interface SessionOptions {
  readonly seed: number;
  /** Facts per 100 turns. */
  readonly factsPer100Turns?: number;
  /** Factor on the size of turns; 1 gives about 600 tokens on average. */
  readonly scale?: number;
  readonly styles?: readonly Style[];
  /** Number of asides (sentences that only look like orders) per 100 turns; 0 by default. */
  readonly asidesIn100Turns?: number;
}

/** Styles that the extractor was developed with. */
export const KNOWN_STYLES: readonly Style[] = [plain, terse, ticket, agent, german];
/** Styles that the extractor was not developed with. */
export const NEW_STYLES: readonly Style[] = [review, mail, chinese, french];
/** Styles not used for improvements before the user's other statements got a separate allowance. */
export const HELD_OUT_STYLES: readonly Style[] = [incident, spanish];
/** The same, written after the directive recognition was finished: German, French and Portuguese. */
export const LATER_HELD_OUT_STYLES: readonly Style[] = [operations, relecture, aplicativo];
/**
 * Never to be used for improvements, written before the user's other statements got a separate allowance: fragments,
 * irony and politeness, Italian, Dutch, Japanese, and Turkish, of which no table has a word. Their misses may be
 * reported, but not fixed.
 */
export const NEWEST_HELD_OUT_STYLES: readonly Style[] = [house, salon, bottega, werkplaats, atolye, koubou];
const ALL_STYLES = [...KNOWN_STYLES, ...NEW_STYLES];

/** Generates turns without end. */
export function* plantedSession(options: SessionOptions): Generator<PlantedTurn, never> {
  const { seed, factsPer100Turns = 100, scale = 1, styles = ALL_STYLES, asidesIn100Turns = 0 } = options;
  const dice = new Dice(seed);
  // A separate source, so that everything else is the same with and without asides.
  const asideDice = new Dice(seed + 1);
  const seen = new Set<string>();
  const topics = new Set<string>();
  for (let turn = 0; ; turn++) {
    // A style lasts for four turns, as people do not change with every sentence.
    const style = styles[Math.floor(turn / 4) % styles.length];
    if (style === undefined) throw new Error("there are styles");
    const facts: PlantedFact[] = [];
    const sayings: Saying[] = [];
    const wanted = Math.floor(factsPer100Turns / 100) + (dice.chance(factsPer100Turns % 100) ? 1 : 0);
    while (facts.length < wanted) {
      const about = topic(dice);
      const type = FACT_TYPES[(turn * 5 + facts.length * 7 + dice.below(3)) % FACT_TYPES.length] ?? "path";
      const saying = style.say(type, about, dice);
      if (seen.has(saying.fact) || topics.has(about)) continue;
      seen.add(saying.fact);
      topics.add(about);
      sayings.push(saying);
      const { fact: text, text: said, voice, directs } = saying;
      facts.push({ type, text, topic: about, style: style.name, voice, turn, said, directs });
    }
    const asides: Aside[] = [];
    if (style.aside !== undefined && asideDice.chance(asidesIn100Turns)) {
      asides.push(style.aside(topic(asideDice), asideDice));
    }
    const messages = turnOf(turn, { style, sayings, scale }, dice);
    yield { messages: asides.reduce(withAside, messages), facts, asides };
  }
}

interface Material {
  readonly style: Style;
  readonly sayings: readonly Saying[];
  readonly scale: number;
}

function turnOf(turn: number, { style, sayings, scale }: Material, dice: Dice): readonly Message[] {
  const said = (voice: Saying["voice"]): readonly string[] =>
    sayings.filter((saying) => saying.voice === voice).map(({ text }) => text);
  const chatter = (least: number, most: number): readonly string[] =>
    Array.from({ length: Math.round(dice.between(least, most) * scale) }, () => dice.of(style.chatter));
  const mixed = (texts: readonly string[], filler: readonly string[]): string => {
    const all = [...filler];
    for (const text of texts) all.splice(dice.below(all.length + 1), 0, text);
    return all.join(style.name === "plain" && dice.chance(50) ? " " : "\n");
  };
  const messages: Message[] = [textMessage("user", mixed(said("user"), chatter(1, 3)))];
  const inTools = said("tool");
  const calls = inTools.length + (dice.chance(60) ? 1 : 0);
  for (let call = 0; call < calls; call++) {
    const callId = toolCallId(`call_${String(turn)}_${String(call)}`);
    const [name, input, output] = toolUse(dice, scale);
    const planted = inTools[call];
    const text = planted === undefined ? output : woven(output, planted, dice);
    messages.push({
      role: "assistant",
      parts: [{ kind: "toolCall", callId, name, inputJson: JSON.stringify(input) }],
    });
    messages.push({ role: "user", parts: [{ kind: "toolResult", callId, outcome: "ok", text }] });
  }
  messages.push(textMessage("assistant", mixed(said("assistant"), chatter(2, 6))));
  return messages;
}

/** Adds an aside after the user's text or to the last tool result; without a tool result it is dropped. */
function withAside(messages: readonly Message[], { voice, text }: Aside): readonly Message[] {
  const index =
    voice === "user" ? 0 : messages.findLastIndex(({ parts }) => parts.some(({ kind }) => kind === "toolResult"));
  return messages.map((message, place) => {
    if (place !== index) return message;
    const parts = message.parts.map((part) =>
      part.kind === "text" || part.kind === "toolResult" ? { ...part, text: `${part.text}\n${text}` } : part,
    );
    return { ...message, parts };
  });
}

/** Inserts a line at a random place of a tool's output. */
function woven(output: string, planted: string, dice: Dice): string {
  const lines = output.split("\n");
  lines.splice(dice.below(lines.length + 1), 0, planted);
  return lines.join("\n");
}

type ToolUse = readonly [name: string, input: Readonly<Record<string, string>>, output: string];

function toolUse(dice: Dice, scale: number): ToolUse {
  const lines = Math.max(3, Math.round(dice.between(8, 40) * scale));
  const many = (line: (index: number) => string): string => Array.from({ length: lines }, (_, i) => line(i)).join("\n");
  const file = `src/${part(dice)}/${kebab(dice)}/${camel(dice)}.ts`;
  switch (dice.below(4)) {
    case 0:
      return ["read_file", { path: file }, many((i) => `${String(i + 1)}  ${codeLine(dice)}`)];
    case 1:
      return [
        "list_files",
        { folder: `src/${part(dice)}` },
        many(() => `src/${part(dice)}/${kebab(dice)}/${snake(dice)}.ts`),
      ];
    case 2:
      return [
        "run",
        { command: `npm test -- ${kebab(dice)}` },
        many((i) => `  ✓ ${noun(dice)} ${kebab(dice)} case ${String(i)} (${String(dice.between(1, 90))} ms)`),
      ];
    default:
      return [
        "search",
        { query: noun(dice) },
        many(() => `${file}:${String(dice.between(1, 400))}: const ${camel(dice)} = ${camel(dice)}(${noun(dice)});`),
      ];
  }
}

function codeLine(dice: Dice): string {
  switch (dice.below(5)) {
    case 0:
      return `import { ${pascal(dice)} } from "./${camel(dice)}.ts";`;
    case 1:
      return `  const ${camel(dice)} = await this.${camel(dice)}(${noun(dice)}, ${String(dice.between(0, 400))});`;
    case 2:
      return `  if (${noun(dice)}.${camel(dice)} === undefined) return;`;
    case 3:
      return `export function ${camel(dice, 3)}(${noun(dice)}: ${pascal(dice)}): void {`;
    default:
      return "  }";
  }
}

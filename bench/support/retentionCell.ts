/** One conversation of the retention benchmark: a strategy, a summarizer, ten compactions, and the facts left. */

import type { ContextPolicy } from "../../src/core/context/contextSettings.ts";
import { ScriptedModel } from "../../test/support/models/scriptedModel.ts";
import { FRESH_STYLES } from "../../test/support/texts/talk/freshStyles.ts";
import {
  HELD_OUT_STYLES,
  LATER_HELD_OUT_STYLES,
  NEWEST_HELD_OUT_STYLES,
  plantedSession,
  type PlantedFact,
  type PlantedTurn,
} from "../../test/support/texts/talk/plantedSession.ts";
import { SEALED_STYLES } from "../../test/support/texts/talk/sealedStyles.ts";
import { UNHEARD_STYLES } from "../../test/support/texts/talk/unheardStyles.ts";
import { TalkSession } from "../../test/support/session/talkSession.ts";
import { temperament, type Invention, type Temper } from "../../test/support/session/temperaments.ts";
import type { Aside, Style } from "../../test/support/texts/talk/style.ts";
import { messageId, type MessageId } from "../../src/core/ids.ts";
import { textOf } from "../../src/core/message.ts";
import { type DirectivesLeft, directivesLeft, percent, type Planted } from "./directivesLeft.ts";
import { plantedQuestion } from "./plantedQuestion.ts";
import { checkedInventions, flat, holds } from "./soughtFacts.ts";

export type Summarizer = Temper | "none";

/** Numbers of compactions after which facts are counted. */
export const ROUNDS = [1, 5, 10] as const;
export const LAST_ROUND = 10;
/** Turns looked at for what is recalled without being named. */
const NEXT_TURNS = 20;
/** Facts to plant at least: in a small window the conversation continues after the last round until then. */
const LEAST_FACTS = 200;

/** Facts left in a conversation at one time. */
export interface Left {
  readonly planted: number;
  /** Percentage of facts that are in the prompt word for word. */
  readonly inPrompt: number;
  /** The same, of facts whose messages are no longer in the prompt. */
  readonly inSummaries: number;
  /** Percentage of facts that a request which asks for them has, by itself or in what is recalled for the question. */
  readonly answered: number;
  readonly reachable: number;
  /** Facts neither in the prompt nor in the result of one recall. */
  readonly unreachable: readonly PlantedFact[];
  /** Tokens of the summaries sent per 100 tokens of their originals. */
  readonly sizePercent: number;
  readonly directivesReachable: number;
  readonly directives: DirectivesLeft;
  readonly misses: readonly PlantedFact[];
}

/** User messages of the next turns, whose topics nobody has named so far, and those for which something is recalled. */
interface RecalledForNothing {
  readonly asked: number;
  readonly recalled: number;
}

export interface Cell extends Pick<CellRequest, "policy" | "summarizer" | "seed" | "window" | "talk"> {
  /** Percentage of facts in the prompt by round, for {@link ROUNDS}. */
  readonly inPrompt: Readonly<Record<number, number>>;
  /** After {@link LAST_ROUND} rounds. */
  readonly left: Left;
  readonly forNothing: RecalledForNothing;
  /** Total number of rounds. */
  readonly rounds: number;
  /** After all rounds. */
  readonly leftAtEnd: Left;
  readonly inventions: number;
  readonly unmarked: readonly Invention[];
}

/** Set of styles that a conversation consists of. */
export type Talk = "usual" | "heldOut" | "laterHeldOut" | "newestHeldOut" | "fresh" | "sealed" | "unheard";

const STYLES_OF: Readonly<Record<Talk, readonly Style[] | undefined>> = {
  usual: undefined,
  heldOut: HELD_OUT_STYLES,
  laterHeldOut: LATER_HELD_OUT_STYLES,
  newestHeldOut: NEWEST_HELD_OUT_STYLES,
  fresh: FRESH_STYLES,
  sealed: SEALED_STYLES,
  unheard: UNHEARD_STYLES,
};

/** The turns of one seed, generated once for all cells. */
class Turns {
  readonly #made: PlantedTurn[] = [];
  readonly #source: Generator<PlantedTurn, never>;

  constructor(seed: number, talk: Talk = "usual") {
    const styles = STYLES_OF[talk];
    this.#source = plantedSession({ seed, asidesIn100Turns: 40, ...(styles === undefined ? {} : { styles }) });
  }

  at(index: number): PlantedTurn {
    while (this.#made.length <= index) this.#made.push(this.#source.next().value);
    const turn = this.#made[index];
    if (turn === undefined) throw new Error("the session goes on");
    return turn;
  }
}

export interface CellRequest {
  readonly policy: ContextPolicy;
  readonly summarizer: Summarizer;
  readonly seed: number;
  readonly window: { readonly contextWindow: number; readonly maxOutput: number };
  readonly talk: Talk;
}

/** Turns by conversation, shared by many cells. */
const held = new Map<string, Turns>();

function turnsOf({ seed, talk }: CellRequest): Turns {
  const key = `${talk} ${String(seed)}`;
  const turns = held.get(key) ?? new Turns(seed, talk);
  held.set(key, turns);
  return turns;
}

/** Runs the conversation and counts the facts left. */
export async function retentionCell(request: CellRequest): Promise<Cell> {
  const { policy, summarizer, seed, window } = request;
  const turns = turnsOf(request);
  const inventions: Invention[] = [];
  const model =
    summarizer === "none" ? {} : { summarizer: new ScriptedModel(temperament(summarizer, seed, inventions)) };
  const session = new TalkSession({ policy, ...window, ...model });
  const facts: PlantedFact[] = [];
  const asides: Aside[] = [];
  const firstMessages: MessageId[] = [];
  const inPrompt: Record<number, number> = {};
  let rounds = 0;
  let left: Left | undefined;
  let forNothing: RecalledForNothing | undefined;
  for (let index = 0; ; index++) {
    const turn = turns.at(index);
    facts.push(...turn.facts);
    asides.push(...turn.asides);
    firstMessages.push(messageId(session.manager.history.length));
    for (const message of turn.messages) await session.add(message);
    if (!(await compacted(session))) continue;
    rounds++;
    if (ROUNDS.some((wanted) => wanted === rounds)) inPrompt[rounds] = await percentInPrompt(session, facts);
    if (rounds < LAST_ROUND) continue;
    left ??= await leftOf(session, { facts, asides, firstMessages });
    forNothing ??= await recalledForNothing(
      session,
      Array.from({ length: NEXT_TURNS }, (_, next) => turns.at(index + 1 + next)),
    );
    if (facts.length >= LEAST_FACTS) break;
  }
  const { talk } = request;
  forNothing ??= { asked: 0, recalled: 0 };
  const hasGoneOn = facts.length > left.planted;
  return {
    ...{ talk, policy, summarizer, seed, window, inPrompt, left, forNothing, rounds },
    leftAtEnd: hasGoneOn ? await leftOf(session, { facts, asides, firstMessages }) : left,
    ...(await checkedInventions(session, inventions)),
  };
}

async function recalledForNothing(session: TalkSession, next: readonly PlantedTurn[]): Promise<RecalledForNothing> {
  const said = next
    .flatMap(({ messages }) => messages)
    .filter(({ role }) => role === "user")
    .map(textOf)
    .filter((text) => text !== "");
  let recalled = 0;
  for (const text of said) recalled += Number((await session.recalledFor(text)).ids.length > 0);
  return { asked: said.length, recalled };
}

async function percentInPrompt(session: TalkSession, facts: readonly PlantedFact[]): Promise<number> {
  const text = flat(await session.prompt());
  return percent(facts.filter((fact) => holds(text, fact.text)).length, facts.length);
}

/** Compacts what is due or needed for the next request to fit. Returns false if nothing was. */
async function compacted(session: TalkSession): Promise<boolean> {
  const { manager } = session;
  const isDue = manager.compactionStage() === "apply";
  const done = isDue ? await session.compact("threshold") : undefined;
  if (done?.ok === true && done.value !== undefined && manager.prepare().kind === "ready") return true;
  if (manager.prepare().kind !== "summarizationNeeded") return false;
  const forced = await session.compact("overflow");
  if (!forced.ok || forced.value === undefined) throw new Error(`no room: ${JSON.stringify(forced)}`);
  return true;
}

async function leftOf(session: TalkSession, planted: Planted): Promise<Left> {
  const { facts } = planted;
  const prompt = flat(await session.prompt());
  const prepared = session.manager.prepare();
  if (prepared.kind !== "ready") throw new Error("it fits");
  const segments = prepared.context.segments;
  const originals = segments.flatMap((segment) => (segment.kind === "original" ? [segment.id] : []));
  const sent = flat((await session.messages(originals)).join("\n"));
  const summarized = facts.filter(({ text }) => !holds(sent, text));
  const missing = new Set(facts.filter(({ text }) => !holds(prompt, text)));
  const unreachable = new Set<PlantedFact>();
  const unanswered = new Set<PlantedFact>();
  for (const fact of missing) {
    if (!holds(flat((await session.recalledFor(plantedQuestion(fact))).text), fact.text)) unanswered.add(fact);
    if (!holds(flat(await session.recall(fact.topic)), fact.text)) unreachable.add(fact);
  }
  const percentIn = (of: readonly PlantedFact[], lost: ReadonlySet<PlantedFact>): number =>
    percent(of.filter((fact) => !lost.has(fact)).length, of.length);
  const rules = summarized.filter(({ type }) => type === "rule");
  const summaries = segments.flatMap((segment) => (segment.kind === "summary" ? [segment] : []));
  const stoodFor = summaries.reduce(
    (sum, { id }) => sum + session.manager.history.summary(id).originalTokens.cl100k,
    0,
  );
  return {
    planted: facts.length,
    inPrompt: percentIn(facts, missing),
    inSummaries: percentIn(summarized, missing),
    answered: percentIn(facts, unanswered),
    reachable: percentIn(facts, unreachable),
    unreachable: [...unreachable],
    sizePercent: percent(
      summaries.reduce((sum, { tokens }) => sum + tokens, 0),
      stoodFor,
    ),
    directives: directivesLeft(session, prompt, rules, planted),
    directivesReachable: percentIn(rules, unreachable),
    misses: summarized.filter((fact) => missing.has(fact)),
  };
}

/** One recorded conversation at one budget: fed message by message, compacted as in the product, and searched. */

import { ScriptedModel } from "../../../test/support/models/scriptedModel.ts";
import { TalkSession } from "../../../test/support/session/talkSession.ts";
import { CLASSES, type FactClass, flat, statedIn, type Wanted, WantedFacts } from "./realFacts.ts";
import { longestTurn, spread } from "./recordedTurns.ts";
import type { Transcript } from "./transcripts.ts";

/** `terse` notes three sentences of what it reads; `wordy` copies as many as it may. */
export const WRITERS = ["none", "terse", "wordy"] as const;
export type Writer = (typeof WRITERS)[number];

/** Facts that the request states, of those that were wanted. */
export type Stated = Readonly<Record<FactClass, Share>>;

export interface Share {
  readonly stated: number;
  readonly wanted: number;
}

export interface RealCell {
  readonly name: string;
  readonly budgetTokens: number;
  readonly writer: Writer;
  readonly originalTokens: number;
  readonly compactions: number;
  /** Requests that did not fit, whatever was compacted. */
  readonly impossible: number;
  readonly byRound: readonly { readonly round: number; readonly stated: Stated }[];
  readonly atEnd: Stated;
  /** Of a sample of what is not in the last request: what one recall finds. */
  readonly recalled: Share;
  /** The same at the end of the longest turn, of the names in that turn. */
  readonly recalledInTurn: Share;
  readonly promptTokens: number;
  readonly summaryTokens: number;
}

/** Compactions after which facts are counted. */
const ROUNDS: ReadonlySet<number> = new Set([1, 2, 5, 10, 20, 40]);
const SHARE_OF_WINDOW = 20 / 19;
const MOST_OUTPUT_TOKENS = 1_000;

export async function realCell(transcript: Transcript, budgetTokens: number, writer: Writer): Promise<RealCell> {
  const session = new TalkSession({
    policy: "pipeline",
    contextWindow: Math.ceil(budgetTokens * SHARE_OF_WINDOW) + MOST_OUTPUT_TOKENS,
    maxOutput: MOST_OUTPUT_TOKENS,
    ...(writer === "none" ? {} : { summarizer: scripted(writer) }),
  });
  const facts = new WantedFacts();
  const byRound: { round: number; stated: Stated }[] = [];
  let compactions = 0;
  let impossible = 0;
  let recalledInTurn: Share = { stated: 0, wanted: 0 };
  const { messages } = transcript;
  const long = longestTurn(messages);
  for (const [index, recorded] of messages.entries()) {
    await session.add(recorded.message);
    facts.add(recorded);
    const isEnd = index === long.end - 1 || index === messages.length - 1;
    if (recorded.message.role !== "user" && !isEnd) continue;
    const made = await compact(session);
    compactions += made;
    if (session.manager.prepare().kind !== "ready") impossible++;
    else if (made > 0 && ROUNDS.has(compactions)) {
      byRound.push({ round: compactions, stated: statedOf(await session.prompt(), facts.wanted(budgetTokens)) });
    }
    if (index === long.end - 1) recalledInTurn = await recalledOf(session, facts.namesSince(long.start));
  }
  const prepared = session.manager.prepare();
  const isReady = prepared.kind === "ready";
  const segments = isReady ? prepared.context.segments : [];
  const wanted = facts.wanted(budgetTokens);
  return {
    name: transcript.name,
    ...{ budgetTokens, writer, compactions, impossible, byRound, recalledInTurn },
    originalTokens: session.originalTokens,
    atEnd: statedOf(isReady ? await session.prompt() : "", wanted),
    recalled: await recalledOf(session, [...wanted.userFacts, ...wanted.namesInUse]),
    promptTokens: segments.reduce((sum, { tokens }) => sum + tokens, 0),
    summaryTokens: segments.reduce((sum, { kind, tokens }) => sum + (kind === "summary" ? tokens : 0), 0),
  };
}

/** Facts recalled in one cell at most. */
const RECALLED_SAMPLE = 25;

/** Of the facts that are not in the request, a sample from all parts: how many one recall finds by their own words. */
async function recalledOf(session: TalkSession, facts: readonly string[]): Promise<Share> {
  if (session.manager.prepare().kind !== "ready") return { stated: 0, wanted: 0 };
  const prompt = flat(await session.prompt());
  const missing = facts.filter((fact) => !prompt.includes(flat(fact)));
  const sample = spread(missing, RECALLED_SAMPLE);
  let stated = 0;
  for (const fact of sample) if (flat(await session.recall(fact)).includes(flat(fact))) stated++;
  return { stated, wanted: sample.length };
}

/** Compacts when it is due, or the next request needs it. Returns the number of compactions. */
async function compact(session: TalkSession): Promise<number> {
  const { manager } = session;
  let made = 0;
  if (manager.compactionStage() === "apply") {
    const done = await session.compact("threshold");
    if (done.ok && done.value !== undefined) made++;
  }
  if (manager.prepare().kind !== "ready") {
    const done = await session.compact("overflow");
    if (done.ok && done.value !== undefined) made++;
  }
  return made;
}

function scripted(writer: Writer): ScriptedModel {
  return new ScriptedModel(({ system, prompt }) => {
    const answer = (text: string, mostWords: number): string =>
      `## Findings\n${notesOn(text, writer === "terse" ? TERSE_SENTENCES : Infinity, mostWords)}`;
    const stretches = prompt.split(/^# Stretch (?=\d+ \(at most \d+ words\)$)/m).slice(1);
    if (stretches.length === 0) return { text: answer(prompt, Number(/At most (\d+) words/.exec(system)?.[1] ?? 100)) };
    const answers = stretches.map((text) => {
      const [, number = "", words] = /^(\d+) \(at most (\d+) words\)/.exec(text) ?? [];
      return `# Stretch ${number}\n${answer(text, Number(words))}`;
    });
    return { text: answers.join("\n\n") };
  });
}

const TERSE_SENTENCES = 3;

/** Sentences from all parts of a text, word for word, in its order. */
function notesOn(text: string, sentences: number, mostWords: number): string {
  const all = text.split("\n").flatMap((line) => line.split(/(?<=[.!?])\s+/));
  const said = [...new Set(all.map((sentence) => sentence.trim()))].filter((sentence) => SENTENCE.test(sentence));
  const lines: string[] = [];
  let words = 0;
  for (const sentence of spread(said, Math.min(sentences, Math.ceil(mostWords / WORDS_A_SENTENCE)))) {
    words += sentence.split(/\s+/).length;
    if (words > mostWords * 0.8) break;
    lines.push(`- ${sentence}`);
  }
  return lines.length === 0 ? "- nothing of note" : lines.join("\n");
}

/** Starts with a capital letter, ends like a sentence, and is of usual length. */
const SENTENCE = /^\p{Lu}[^{}<>|]{30,240}[.!?]$/u;
const WORDS_A_SENTENCE = 14;

function statedOf(prompt: string, wanted: Wanted): Stated {
  const text = flat(prompt);
  const of = (name: FactClass): Stated[FactClass] => {
    // The first message counts as the task when it is there as a whole.
    const isWhole = name === "task" && statedIn(text, wanted.firstWhole) === wanted.firstWhole.length;
    return { stated: isWhole ? wanted.task.length : statedIn(text, wanted[name]), wanted: wanted[name].length };
  };
  return Object.fromEntries(CLASSES.map((name) => [name, of(name)])) as Stated;
}

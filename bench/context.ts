/**
 * Cost of preparing a request in conversations of 100,000 and 1,000 messages, both built turn by turn with compactions
 * when due; compared with the trimming of a widely used library. Also the share of each request that is cacheable.
 */

import { AIMessage, HumanMessage, trimMessages, type BaseMessage } from "@langchain/core/messages";
import { type BenchReport, median } from "../scripts/benchmark.ts";
import type { ContextSegment } from "../src/core/context/cut/workingContext.ts";
import { NO_OVERHEAD } from "../src/core/context/request/requestOverhead.ts";
import { FullHistory } from "../src/core/history/fullHistory.ts";
import { modelId } from "../src/core/ids.ts";
import { TEST_MODELS, TestConversation } from "../test/support/session/conversation.ts";
import { randomSource } from "../test/support/texts/corpus.ts";
import { manySummaries } from "./support/manySummaries.ts";

const LONG = 100_000;
const SHORT = 1_000;
/** Messages given to the library, whose time grows quadratically. */
const TRIMMED = 10_000;
/** Range of tokens of a question and of an answer. */
const LEAST_TOKENS = 40;
const MOST_TOKENS = 400;
/** Overhead of the test models per message, in tokens. */
const TOKENS_A_MESSAGE = 4;

/** Runs all measurements (about 20 s). */
export async function run(): Promise<BenchReport> {
  const long = grown(LONG);
  const short = grown(SHORT);
  const { longUs, shortUs } = preparing(long, short);
  const { ownUs, langchainUs } = await besideLangchain(grown(TRIMMED));
  return {
    figures: {
      prepareUsAt100k: round(longUs, 2),
      ratioPrepare100kVs1k: round(longUs / shortUs, 2),
      ratioVsLangchainTrim: round(langchainUs / ownUs, 0),
      rebuildMsAt100k: round(rebuildMs(long), 2),
      prefixStablePercent: round(prefixStablePercent(500), 2),
      longestPreviewSliceMsAt10k: round(longestPreviewSliceMs(), 1),
    },
    peers: {
      prepareUsAt1k: round(shortUs, 2),
      summariesAt100k: long.manager.history.summaryCount,
      langchainTrimMsAt10k: round(langchainUs / 1_000, 2),
      prepareUsAt10k: round(ownUs, 2),
      foldMsOf49kSummaries: round(foldMs(), 0),
    },
  };
}

/** Builds a conversation of this many messages. */
function grown(messages: number): TestConversation {
  const conversation = new TestConversation({ model: "large" });
  const random = randomSource(11);
  while (conversation.manager.history.length < messages) talk(conversation, random);
  return conversation;
}

/** Adds a turn, and compacts when due. */
function talk(conversation: TestConversation, random: (below: number) => number): void {
  const size = (): number => LEAST_TOKENS + random(MOST_TOKENS - LEAST_TOKENS);
  conversation.turn(size(), size());
  if (conversation.manager.compactionStage() === "apply") conversation.compact("threshold");
}

/** Longest slice of processor time while switches to 60 models are previewed, in milliseconds. */
function longestPreviewSliceMs(): number {
  const conversation = new TestConversation({ model: "large" });
  conversation.turns(TRIMMED / 2, 2 * LEAST_TOKENS, MOST_TOKENS);
  conversation.manager.usage();
  let longestMs = 0;
  for (let round = 0; round < 12; round++) {
    for (const model of Object.keys(TEST_MODELS)) {
      const steps = conversation.manager.previewModelSwitch(modelId(model));
      for (let isDone = false; !isDone;) {
        const started = process.threadCpuUsage();
        isDone = steps.next().done === true;
        const { user, system } = process.threadCpuUsage(started);
        longestMs = Math.max(longestMs, (user + system) / 1_000);
      }
    }
  }
  return longestMs;
}

/** Median microseconds of `prepare()` after one more message, alternating between the conversations. */
function preparing(long: TestConversation, short: TestConversation): { longUs: number; shortUs: number } {
  const samples = { long: [] as number[], short: [] as number[] };
  for (let round = 0; round < 2_000; round++) {
    samples.long.push(prepareUs(long));
    samples.short.push(prepareUs(short));
  }
  return { longUs: median(samples.long), shortUs: median(samples.short) };
}

function prepareUs(conversation: TestConversation): number {
  conversation.say("user", 1);
  const startedMs = performance.now();
  conversation.ready();
  return (performance.now() - startedMs) * 1_000;
}

/**
 * Median microseconds from one more message to the messages to send: `prepare()` alternating with `trimMessages` of
 * `@langchain/core` on the same history and budget. Both know the tokens of every message already.
 */
async function besideLangchain(conversation: TestConversation): Promise<{ ownUs: number; langchainUs: number }> {
  const { history, budgetTokens } = conversation.manager;
  const tokensOfId = new Map<string | undefined, number>();
  const messages: BaseMessage[] = [];
  const tokenCounter = (counted: readonly BaseMessage[]): number => {
    let sum = 0;
    for (const { id } of counted) sum += tokensOfId.get(id) ?? 0;
    return sum;
  };
  const samples = { own: [] as number[], langchain: [] as number[] };
  for (let round = 0; round < 9; round++) {
    conversation.say("user", 1);
    for (const { id, role, tokens } of history.entries.slice(messages.length)) {
      const message = { id: String(id), content: `message ${String(id)}` };
      messages.push(role === "user" ? new HumanMessage(message) : new AIMessage(message));
      tokensOfId.set(message.id, tokens.cl100k + TOKENS_A_MESSAGE);
    }
    const ownStartedMs = performance.now();
    const sent = conversation.ready().segments;
    samples.own.push((performance.now() - ownStartedMs) * 1_000);
    const startedMs = performance.now();
    const kept = await trimMessages(messages, { maxTokens: budgetTokens, tokenCounter, strategy: "last" });
    samples.langchain.push((performance.now() - startedMs) * 1_000);
    if (sent.length === 0 || kept.length === 0) throw new Error("nothing was prepared");
  }
  return { ownUs: median(samples.own), langchainUs: median(samples.langchain) };
}

/** Median milliseconds of `prepare()` when the whole cut is rebuilt. */
function rebuildMs(conversation: TestConversation): number {
  const samples = Array.from({ length: 15 }, (_, sample) => {
    conversation.manager.configure({ overhead: { ...NO_OVERHEAD, systemPrompt: `Sample ${String(sample)}.` } });
    const startedMs = performance.now();
    conversation.ready();
    return performance.now() - startedMs;
  });
  return median(samples);
}

/** Median CPU milliseconds for loading the index of a conversation with 49,000 summaries. */
function foldMs(): number {
  const records = manySummaries();
  const samples = Array.from({ length: 5 }, () => {
    const history = new FullHistory();
    const before = process.cpuUsage();
    for (const record of records) history.apply(record);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return median(samples);
}

/**
 * Percentage of tokens sent in `turns` turns whose position in the request is unchanged, which a prompt cache can
 * serve. Includes compactions. Tokens that are new in a request are not counted, as no cache could hold them.
 */
function prefixStablePercent(turns: number): number {
  const conversation = new TestConversation({ model: "large" });
  const random = randomSource(13);
  let before: readonly ContextSegment[] = [];
  let known = 0;
  let stable = 0;
  for (let turn = 0; turn < turns; turn++) {
    // Turns of an agent: a question, tool calls, an answer.
    conversation.say("user", 20 + random(200));
    for (let call = random(4); call > 0; call--) conversation.toolBatch(60, [200 + random(1_500)]);
    if (conversation.manager.compactionStage() === "apply") conversation.compact("threshold");
    const { segments } = conversation.ready();
    const shared = sharedTokens(before, segments);
    known += Math.min(tokensOf(before), tokensOf(segments));
    stable += shared;
    before = segments;
    conversation.say("assistant", 100 + random(600));
  }
  return (stable * 100) / known;
}

function sharedTokens(before: readonly ContextSegment[], now: readonly ContextSegment[]): number {
  const differs = before.findIndex((segment, index) => JSON.stringify(segment) !== JSON.stringify(now[index]));
  return tokensOf(differs === -1 ? before : before.slice(0, differs));
}

function tokensOf(segments: readonly ContextSegment[]): number {
  return segments.reduce((sum, { tokens }) => sum + tokens, 0);
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

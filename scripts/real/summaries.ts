/**
 * Leg `summaries`: the beginnings of recorded conversations, compacted by a real model. Judged by the share of their
 * facts that the next request still states, beside an extract without a model and a plain "summarize this" prompt.
 */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createOpenAiProvider } from "../../src/adapters/openai/client.ts";
import type { ContextManager } from "../../src/core/context/contextManager.ts";
import { modelId } from "../../src/core/ids.ts";
import { textMessage, type Message } from "../../src/core/message.ts";
import { guardedProvider } from "../../src/core/stream/guardedProvider.ts";
import type { Provider } from "../../src/core/stream/provider.ts";
import type { StreamEvent } from "../../src/core/stream/streamEvent.ts";
import { UNVERIFIED_MARK } from "../../src/core/summary/facts/fabrication.ts";
import { isLedgerHeading } from "../../src/core/summary/facts/ledger.ts";
import { realClock } from "../../test/support/clocks.ts";
import { TalkSession, wordsOf } from "../../test/support/session/talkSession.ts";
import type { Checks } from "./checks.ts";
import type { Leg, LegOptions } from "./leg.ts";
import { type LlamaServer, MODEL_WINDOW, startLlama } from "./llamaServer.ts";
import { noPackages, realDirectory } from "./packages.ts";
import {
  endsInLoop,
  type PlainText,
  plainText,
  type StatedFact,
  statedFacts,
  states,
  unmarkedInventions,
} from "./statedFacts.ts";
import { ask, endOf, request } from "./wireAnswer.ts";
import { readForeign } from "../../test/support/documents.ts";

/** Length of each beginning, in tokens. */
const LENGTH_TOKENS = 12_000;
const TRANSCRIPTS = 6;
const MOST_OUTPUT_TOKENS = 2_048;
/**
 * Window of the summarizing model, in tokens: the real one less what its tokenizer needs more than it is counted. In the
 * editor, the first bill teaches that.
 */
const SUMMARIZER_WINDOW = 6_000;
const MOST_FAILED_CALLS = 2;
/** Part of a transcript that the plain prompt sends, in characters; the beginning is cut, as other tools do. */
const PLAIN_CHARACTERS = 16_000;

export const summaries: Leg = {
  name: "summaries",
  missing: ({ data }) =>
    noPackages() ??
    (data === undefined
      ? "needs --data DIR, a folder with recorded conversations of other tools, such as Claude Code's sessions (*.jsonl)"
      : existsSync(data)
        ? undefined
        : `needs a folder with recorded conversations; there is no ${data}`),
  async run(checks, options) {
    const chosen = transcriptsOf(options);
    if (chosen.length === 0) {
      checks.skip("all of it", `no conversation in ${String(options.data)} holds ${String(LENGTH_TOKENS)} tokens`);
      return;
    }
    const server = await startLlama();
    try {
      const judged: Judged[] = [];
      for (const transcript of chosen) {
        const known = options.full ? storedResult(transcript) : undefined;
        const result = known ?? (await judge(transcript, server));
        store(transcript, result);
        judged.push(result);
        await report(checks, transcript.name, result);
      }
      tables(checks, judged);
    } finally {
      await server.stop();
    }
  },
};

interface Transcript {
  readonly name: string;
  /** The first {@link LENGTH_TOKENS} tokens. */
  readonly messages: readonly Message[];
}

/** The first by name, or all of them with `--full`. */
function transcriptsOf({ data = ".", full }: LegOptions): readonly Transcript[] {
  const found: Transcript[] = [];
  for (const name of globSync("**/*.{jsonl,json}", { cwd: data }).toSorted()) {
    if (found.length === TRANSCRIPTS && !full) break;
    const read = readForeign(readFileSync(path.join(data, name), "utf8"));
    if (read?.ok !== true) continue;
    const messages = beginningOf(read.value.messages);
    if (messages !== undefined) found.push({ name, messages });
  }
  return found;
}

/** `undefined` if there are fewer tokens. */
function beginningOf(messages: readonly Message[]): readonly Message[] | undefined {
  const talk = new TalkSession({ policy: "pipeline", contextWindow: MODEL_WINDOW, maxOutput: MOST_OUTPUT_TOKENS });
  const beginning: Message[] = [];
  let tokens = 0;
  for (const message of messages) {
    const size = talk.tokensOf(message);
    // What does not fit beside an answer could not have been said to this model.
    if (message.parts.length === 0 || size > MODEL_WINDOW / 3) continue;
    beginning.push(message);
    tokens += size;
    if (tokens >= LENGTH_TOKENS) return beginning;
  }
  return undefined;
}

/** Facts of one voice, and how many of them are still stated. */
type Kept = Readonly<Record<Voice, number>>;
type Voice = "said" | "calls" | "results";
const VOICES: readonly Voice[] = ["said", "calls", "results"];

interface Judged {
  readonly name: string;
  readonly facts: Kept;
  readonly withModel: Kept;
  readonly extract: Kept;
  readonly plain: Kept;
  /** Of the facts of summarized messages: stated by the notes alone, and by the notes with their ledger. */
  readonly summarizedFacts: number;
  readonly inNotes: number;
  readonly inSummaries: number;
  readonly calls: number;
  /** Those whose answer is part of a summary. */
  readonly used: number;
  readonly loops: number;
  /** Summaries that a model wrote, of all. */
  readonly accepted: number;
  readonly summaries: number;
  readonly failures: readonly string[];
  readonly seconds: number;
  readonly plainSeconds: number;
  readonly inventions: readonly StatedFact[];
}

async function judge({ name, messages }: Transcript, server: LlamaServer): Promise<Judged> {
  console.log(`  ${name}: ${String(messages.length)} messages`);
  const recorder = new Recorder(server);
  const [withModel, extract] = [await compacted(messages, recorder.provider), await compacted(messages, undefined)];
  const facts = factsByVoice(messages);
  const keptIn = (text: PlainText): Kept => countKept(facts, text);

  const { history } = withModel.talk.manager;
  const live = history.summaries.filter(({ state }) => state === "active");
  const level1 = history.summaries.filter(({ level }) => level === 1);
  const coveredTo = Math.max(0, ...live.map(({ covers }) => covers.end));
  const covered = messages.slice(0, coveredTo);
  const source = plainText(messages.map(wordsOf).join("\n"));
  const notes = live.map(({ content }) => notesOf(content));
  const coveredFacts = Object.values(factsByVoice(covered)).flat();
  const stated = (text: string): number => coveredFacts.filter((fact) => states(plainText(text), fact)).length;

  const start = performance.now();
  const plain = await plainSummary(covered, server);
  const plainRequest = [plain, ...messages.slice(coveredTo).map(wordsOf)].join("\n");
  return {
    name,
    facts: countKept(facts, source),
    withModel: keptIn(plainText(await withModel.talk.prompt())),
    extract: keptIn(plainText(await extract.talk.prompt())),
    plain: keptIn(plainText(plainRequest)),
    summarizedFacts: coveredFacts.length,
    inNotes: stated(notes.join("\n")),
    inSummaries: stated(live.map(({ content }) => content).join("\n")),
    calls: recorder.answers.length,
    used: usedCalls(history),
    loops: recorder.answers.filter(endsInLoop).length,
    accepted: level1.filter(({ generatedBy }) => generatedBy !== "extract").length,
    summaries: level1.length,
    failures: withModel.failures,
    seconds: recorder.seconds,
    plainSeconds: (performance.now() - start) / 1_000,
    inventions: notes.flatMap((note) => unmarkedInventions(note, source, UNVERIFIED_MARK)),
  };
}

interface Compacted {
  readonly talk: TalkSession;
  readonly failures: readonly string[];
}

/** Adds the messages one by one, and compacts what is due in between. */
async function compacted(messages: readonly Message[], summarizer: Provider | undefined): Promise<Compacted> {
  const talk = new TalkSession({
    policy: "pipeline",
    contextWindow: MODEL_WINDOW,
    maxOutput: MOST_OUTPUT_TOKENS,
    summarizerWindow: SUMMARIZER_WINDOW,
    ...(summarizer === undefined ? {} : { summarizer }),
  });
  const failures: string[] = [];
  const compact = async (trigger: "threshold" | "overflow"): Promise<void> => {
    const done = await talk.compact(trigger);
    if (!done.ok) failures.push(JSON.stringify(done.error));
  };
  for (const message of messages) {
    await talk.add(message);
    await compact("threshold");
    if (talk.manager.prepare().kind !== "ready") await compact("overflow");
  }
  return { talk, failures };
}

/** A provider of the real model that keeps its answers. */
class Recorder {
  readonly answers: string[] = [];
  readonly provider: Provider;
  seconds = 0;

  constructor({ url }: LlamaServer) {
    const real = realProvider(url);
    const { answers } = this;
    const ended = (seconds: number): void => {
      this.seconds += seconds;
    };
    this.provider = {
      ...real,
      async *stream(prepared, options, cancel): AsyncGenerator<StreamEvent> {
        const start = performance.now();
        let text = "";
        try {
          for await (const event of real.stream(prepared, options, cancel)) {
            if (event.kind === "text") text += event.text;
            yield event;
          }
        } finally {
          answers.push(text);
          ended((performance.now() - start) / 1_000);
        }
      },
    };
  }
}

function realProvider(url: string): Provider {
  const options = { name: "openaiCompatible", label: "llama.cpp", baseUrl: `${url}/v1` } as const;
  return guardedProvider(createOpenAiProvider(options), realClock);
}

async function plainSummary(messages: readonly Message[], server: LlamaServer): Promise<string> {
  const transcript = messages.map((message) => `${message.role}: ${wordsOf(message)}`).join("\n\n");
  const text = `${transcript.slice(-PLAIN_CHARACTERS)}\n\nSummarize this conversation, so that it can be continued.`;
  const model = modelId("any");
  const answer = await ask(realProvider(server.url), model, request([textMessage("user", text)], model), {
    maxOutputTokens: 1_000,
  });
  return "error" in (answer.end ?? {}) ? `(${endOf(answer)})` : answer.text;
}

/** A summary without the ledger that Forge adds. */
function notesOf(content: string): string {
  const lines = content.split("\n");
  const ledger = lines.findIndex(isLedgerHeading);
  return lines.slice(0, ledger < 0 ? lines.length : ledger).join("\n");
}

type FactsByVoice = Readonly<Record<Voice, readonly StatedFact[]>>;

function factsByVoice(messages: readonly Message[]): FactsByVoice {
  const texts: Record<Voice, string[]> = { said: [], calls: [], results: [] };
  for (const part of messages.flatMap(({ parts }) => parts)) {
    if (part.kind === "text") texts.said.push(part.text);
    else if (part.kind === "toolCall") texts.calls.push(part.inputJson.replaceAll(/\\[nt"]/g, " "));
    else if (part.kind === "toolResult") texts.results.push(part.text);
  }
  const facts = (voice: Voice): readonly StatedFact[] => statedFacts(texts[voice].join("\n"));
  return { said: facts("said"), calls: facts("calls"), results: facts("results") };
}

function countKept(facts: FactsByVoice, text: PlainText): Kept {
  const count = (voice: Voice): number => facts[voice].filter((fact) => states(text, fact)).length;
  return { said: count("said"), calls: count("calls"), results: count("results") };
}

async function report(checks: Checks, name: string, judged: Judged): Promise<void> {
  await checks.check(`${name}: as many facts with the model as without it`, () => {
    const note = `${String(total(judged.withModel))} with, ${String(total(judged.extract))} without, ${String(total(judged.plain))} by a plain prompt, of ${String(total(judged.facts))}`;
    assert.ok(total(judged.withModel) >= total(judged.extract), note);
    return note;
  });
  await checks.check(`${name}: no invention without a mark`, () => {
    const listed = judged.inventions.map(({ kind, text }) => `${kind} ${text}`).join("; ");
    assert.equal(judged.inventions.length, 0, `${String(judged.inventions.length)}: ${listed}`);
    return `${String(judged.accepted)} of ${String(judged.summaries)} summaries by the model`;
  });
  await checks.check(`${name}: at most ${String(MOST_FAILED_CALLS)} failed calls`, () => {
    const failed = failedCalls(judged);
    const note = `${String(failed)} of ${String(judged.calls)} calls failed, ${String(judged.loops)} of them in a loop; ${judged.seconds.toFixed(0)} s`;
    assert.ok(failed <= MOST_FAILED_CALLS, note);
    return note;
  });
}

/** Calls that no summary came of. */
function failedCalls({ calls, used }: Judged): number {
  return calls - used;
}

function usedCalls({ spending, summaries }: ContextManager["history"]): number {
  const byModel = new Set(summaries.filter(({ generatedBy }) => generatedBy !== "extract").map(({ id }) => id));
  return spending.receipts
    .filter((receipt) => receipt.summaries.some((id) => byModel.has(id)))
    .flatMap(({ notes = [] }) => notes)
    .reduce((used, { answers, refused }) => used + answers - refused, 0);
}

function total(kept: Kept): number {
  return VOICES.reduce((sum, voice) => sum + kept[voice], 0);
}

function tables(checks: Checks, all: readonly Judged[]): void {
  const of = (kept: Kept, facts: Kept): string =>
    VOICES.map((voice) => `${String(kept[voice])}/${String(facts[voice])}`).join(", ");
  checks.table({
    title: "facts that the next request states, of those in the transcript (said, calls, results)",
    columns: ["transcript", "with the model", "extract, without", "plain prompt"],
    rows: all.map(({ name, facts, withModel, extract, plain }) => [
      name,
      of(withModel, facts),
      of(extract, facts),
      of(plain, facts),
    ]),
  });
  checks.table({
    title: "the summaries of the model",
    columns: [
      "transcript",
      "by the model",
      "calls",
      "loops",
      "seconds",
      "facts in notes",
      "with their ledger",
      "unmarked inventions",
      "plain prompt, seconds",
      "errors",
    ],
    rows: all.map((judged) => [
      judged.name,
      `${String(judged.accepted)} of ${String(judged.summaries)}`,
      judged.calls,
      judged.loops,
      judged.seconds.toFixed(0),
      `${String(judged.inNotes)} of ${String(judged.summarizedFacts)}`,
      `${String(judged.inSummaries)} of ${String(judged.summarizedFacts)}`,
      judged.inventions.length,
      judged.plainSeconds.toFixed(0),
      judged.failures.length,
    ]),
  });
}

/** File with the result of one transcript, so that a long run goes on where it was ended. */
function resultFile({ name, messages }: Transcript): string {
  const content = createHash("sha256").update(name).update(JSON.stringify(messages)).digest("hex").slice(0, 16);
  return path.join(realDirectory, "summaries", `${content}.json`);
}

function storedResult(transcript: Transcript): Judged | undefined {
  const file = resultFile(transcript);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Judged) : undefined;
}

function store(transcript: Transcript, result: Judged): void {
  const file = resultFile(transcript);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(result));
}

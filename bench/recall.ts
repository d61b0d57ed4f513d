/**
 * `npm run bench -- recall --data DIR`: how many questions find a message that answers them among the first ten results
 * of `recall_history`, through the store and its index. Each `DIR/<set>.jsonl` has one conversation a line; its messages
 * are stored in order and its questions asked as they are. Of talks also how many questions have such a message in the
 * request itself, without and with what is recalled for the question, in a window with room for a tenth. The reference
 * is BM25 of a library on the same texts.
 * With `--scale` instead: how fast it is in 50,000 messages, and with `--full` in 1,000,000 (`recallAtScale`).
 *
 * LoCoMo (snap-research/locomo) may only be used for measuring, CoSQA (microsoft/CodeXGLUE) neither is shipped here.
 */

import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import type { BenchOptions, BenchReport } from "../scripts/benchmark.ts";
import { FullHistory } from "../src/core/history/fullHistory.ts";
import type { MessageRecord } from "../src/core/history/records.ts";
import { invariant } from "../src/core/result.ts";
import { findMessages } from "../src/host/tools/recall/findMessages.ts";
import { asynchronous } from "../test/support/storage/localStore.ts";
import { loadQuickStores } from "../test/support/storage/localStores.ts";
import { messageRecord, temporaryFolder } from "../test/support/storage/storeBuilders.ts";
import { questionsInRequest, type InRequest, type QuestionSet } from "./support/recall/inRequest.ts";
import { recallAtScale } from "./support/recall/recallAtScale.ts";
import { referenceSearch } from "./support/recall/referenceSearch.ts";

const WHERE_TO_GET = `usage: npm run bench -- recall --data DIR, with DIR/locomo.jsonl and DIR/cosqa.jsonl: one conversation a line,
  {"set", "conversation", "messages": [{"id", "text", "speaker"?}], "questions": [{"question", "gold": [ids]}]}
LoCoMo: https://github.com/snap-research/locomo (data/locomo10.json, CC BY-NC 4.0, for measuring only)
CoSQA: https://github.com/microsoft/CodeXGLUE (Text-Code/NL-code-search-WebQuery, the development set)`;

/** Positions of the messages found for a question, best first. */
type Search = (question: string) => Promise<readonly number[]>;

export async function run({ data, scale, full }: BenchOptions): Promise<BenchReport> {
  if (scale === true) return { figures: await recallAtScale(data, full) };
  const files = data === undefined ? [] : globSync("*.jsonl", { cwd: data }).sort();
  if (data === undefined || files.length === 0) {
    console.log(WHERE_TO_GET);
    return { figures: {} };
  }
  const figures: Record<string, number> = {};
  for (const file of files) {
    const name = path.basename(file, ".jsonl");
    const sets = readFileSync(path.join(data, file), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as QuestionSet);
    const own = await places(sets, (texts, set, ask) => withStore(texts, set, ask));
    const reference = await places(sets, (texts, _set, ask) => ask(referenceSearch(texts)));
    figures[`${name}Questions`] = own.length;
    for (const [found, suffix] of [
      [own, ""],
      [reference, "Reference"],
    ] as const) {
      figures[`${name}AnyAt10Percent${suffix}`] = rounded(100 * mean(found.map((place) => (place > 0 ? 1 : 0))), 1);
      figures[`${name}Mrr${suffix}`] = rounded(mean(found.map((place) => (place > 0 ? 1 / place : 0))), 3);
    }
    Object.assign(figures, await figuresInRequest(name, sets.filter(isTalk)));
  }
  return { figures };
}

/** Somebody answers somebody; code is no conversation to summarize. */
function isTalk({ messages }: QuestionSet): boolean {
  return messages.every(({ speaker }) => speaker !== undefined);
}

/** Percent of the questions, and tokens of one excerpt. Empty without a conversation. */
async function figuresInRequest(
  name: string,
  talks: readonly QuestionSet[],
): Promise<Readonly<Record<string, number>>> {
  const counts: InRequest[] = [];
  for (const talk of talks) counts.push(await questionsInRequest(talk));
  const sum = (of: (counted: InRequest) => number): number => counts.reduce((total, each) => total + of(each), 0);
  const questions = sum((each) => each.questions);
  if (questions === 0) return {};
  return {
    [`${name}InRequestPercent`]: rounded((100 * sum(({ after }) => after)) / questions, 1),
    [`${name}InRequestPercentBefore`]: rounded((100 * sum(({ before }) => before)) / questions, 1),
    [`${name}RecalledForPercent`]: rounded((100 * sum(({ recalled }) => recalled)) / questions, 1),
    [`${name}RecalledTokens`]: rounded(
      sum(({ tokens }) => tokens) /
        Math.max(
          1,
          sum(({ recalled }) => recalled),
        ),
      0,
    ),
  };
}

/** Place of the first message that answers, of each question; 0: not among the first ten. */
async function places(
  sets: readonly QuestionSet[],
  searchIn: (texts: readonly string[], set: QuestionSet, ask: (search: Search) => Promise<void>) => Promise<void>,
): Promise<readonly number[]> {
  const found: number[] = [];
  for (const set of sets) {
    const texts = set.messages.map(({ speaker, text }) => (speaker === undefined ? text : `${speaker}: ${text}`));
    await searchIn(texts, set, async (search) => {
      for (const { question, gold } of set.questions) {
        const ids = (await search(question)).slice(0, 10).map((at) => set.messages[at]?.id ?? "");
        found.push(1 + ids.findIndex((id) => gold.includes(id)));
      }
    });
  }
  return found;
}

async function withStore(
  texts: readonly string[],
  { messages }: QuestionSet,
  ask: (search: Search) => Promise<void>,
): Promise<void> {
  const folder = temporaryFolder();
  const opened = (await loadQuickStores()).open(folder.path);
  invariant(opened.ok, "a new folder can be opened");
  const history = new FullHistory();
  const records = texts.map((text, at): MessageRecord => {
    const { kind, entry, message } = messageRecord(at, text);
    const role = messages[at]?.speaker === messages[0]?.speaker ? "user" : "assistant";
    return { kind, entry: { ...entry, role }, message: { ...message, role } };
  });
  invariant(opened.value.commit(records.map((record) => ({ kind: "record", record }))).ok, "the messages are stored");
  for (const record of records) history.apply(record);
  opened.value.fillIndex();
  const store = asynchronous(opened.value);
  await ask(async (query) => {
    const searched = await findMessages({ query }, { store, history });
    invariant(searched.ok, "the history can be searched");
    return searched.value.found.map(({ stored }) => stored.entry.id);
  });
  await store.close();
  folder.remove();
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

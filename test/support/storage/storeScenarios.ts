/**
 * Ten scenarios of commits to a conversation. A scenario runs on any store and records the acknowledged commits, which
 * `contradiction` compares with the content of the disk.
 */

import type { StoreWrite } from "../../../src/core/store/conversationStore.ts";
import { addMessage, addRow, step } from "./storeBuilders.ts";
import type { LocalStore } from "./localStore.ts";
import type { Verdict } from "./nativeJudge.ts";

export type ScenarioCommit = readonly StoreWrite[];

export interface Scenario {
  readonly name: string;
  /** Commits before those that faults may hit. */
  readonly before: readonly ScenarioCommit[];
  /** Whether a kill left the folder, with its log. */
  readonly killedBefore: boolean;
  readonly commits: readonly ScenarioCommit[];
}

const begin = (number: number): StoreWrite => addRow(step(number), 0, '{"model":"m","asked":0}', "begin");
const rows = (number: number, from: number, count: number, text = "words "): ScenarioCommit[] =>
  Array.from({ length: count }, (_, index) => [addRow(step(number), from + index, text)]);
const drop = (number: number): StoreWrite => ({ kind: "journalDrop", stepId: step(number) });
const draft = (text: string): StoreWrite => ({ kind: "draft", text });
const messages = (from: number, count: number, text?: string): ScenarioCommit[] =>
  Array.from({ length: count }, (_, index) => [addMessage(from + index, text)]);

export const SCENARIOS: readonly Scenario[] = [
  { name: "a new conversation", before: [], killedBefore: false, commits: messages(0, 2) },
  {
    name: "messages in an existing conversation",
    before: messages(0, 5),
    killedBefore: false,
    commits: messages(5, 4),
  },
  { name: "messages after a kill", before: messages(0, 5), killedBefore: true, commits: messages(5, 4) },
  {
    name: "a streamed answer",
    before: messages(0, 1),
    killedBefore: false,
    commits: [
      [begin(1)],
      ...rows(1, 1, 6),
      [addRow(step(1), 7, "{}", "done")],
      [addMessage(1, "words", step(1)), drop(1)],
    ],
  },
  {
    name: "the recovery of a streamed answer",
    before: [...messages(0, 1), [begin(1)], ...rows(1, 1, 6)],
    killedBefore: true,
    commits: [[addMessage(1, "words", step(1)), drop(1)], [draft("after")]],
  },
  {
    name: "a large message",
    before: messages(0, 1),
    killedBefore: false,
    commits: [[addMessage(1, "large ".repeat(12_000))], ...messages(2, 2)],
  },
  {
    name: "a checkpoint of a log left by a kill",
    before: messages(0, 8, "x".repeat(20_000)),
    killedBefore: true,
    commits: messages(8, 2, "y".repeat(20_000)),
  },
  {
    name: "drafts between the rows of two steps",
    before: [[begin(1)], [begin(2)]],
    killedBefore: true,
    commits: [...rows(1, 1, 3), [draft("a")], ...rows(2, 1, 3), [draft("b")], [drop(1)], [draft("c")]],
  },
  {
    name: "everything in one transaction",
    before: [],
    killedBefore: false,
    commits: [[...messages(0, 40).flat(), begin(1), ...rows(1, 1, 40).flat(), draft("one")], [draft("two")]],
  },
  {
    name: "a tool batch",
    before: messages(0, 1),
    killedBefore: false,
    commits: [
      [addRow(step(3), 0, '{"model":"m","asked":0}', "batchBegin")],
      [addRow(step(3), 1, '{"callId":"a"}', "batchRun")],
      [addRow(step(3), 2, '{"callId":"a","outcome":"ok","text":"t"}', "batchResult")],
      [addMessage(1, "call"), addMessage(2, "result"), drop(3)],
    ],
  },
];

/** Runs commits one after another. Returns which were acknowledged. */
export function runCommits(store: LocalStore, commits: readonly ScenarioCommit[]): readonly boolean[] {
  // A commit after a lost one may be invalid (a message out of order), which counts as not stored.
  return commits.map((writes) => store.commitTogether([writes])[0] === "stored");
}

/** Expected content of the disk when exactly the commits with `true` were stored. */
export function expectedVerdict(commits: readonly (readonly [writes: ScenarioCommit, stored: boolean])[]): Verdict {
  let [messageCount, records, text] = [0, 0, ""];
  const journal = new Map<string, number[]>();
  for (const [writes, stored] of commits) {
    if (!stored) continue;
    for (const write of writes) {
      if (write.kind === "record") {
        records++;
        if (write.record.kind === "message") messageCount++;
      } else if (write.kind === "journalRow") {
        const { stepId, seq } = write.row;
        journal.set(stepId, [...(journal.get(stepId) ?? []), seq]);
      } else if (write.kind === "journalDrop") journal.delete(write.stepId);
      else text = write.text;
    }
  }
  return { integrity: "ok", messages: messageCount, records, draft: text, journal: Object.fromEntries(journal) };
}

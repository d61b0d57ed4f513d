import assert from "node:assert/strict";
import fc from "fast-check";
import { snowballStemmer } from "../../../../src/adapters/stemmers/snowballStemmer.ts";
import { runSync } from "../../../../src/core/cooperativeTask.ts";
import { parseConversationId, type ConversationId } from "../../../../src/core/ids.ts";
import { parseRankedQuery } from "../../../../src/core/search/ranking/rankedQuery.ts";
import { StemCache } from "../../../../src/core/search/ranking/terms.ts";
import { fillIndex, type ConversationTexts, type TextSource } from "../../../../src/core/search/segments/fillIndex.ts";
import { SegmentIndex } from "../../../../src/core/search/segments/segmentIndex.ts";
import { searchSegments } from "../../../../src/core/search/segments/segmentSearch.ts";
import { MemorySegments } from "../../../support/search/memorySegments.ts";
import { runAtOnce } from "../../../support/waitingTasks.ts";

interface Conversation {
  readonly texts: string[];
  /** Numbers of the records that erased something. */
  readonly erasures: number[];
  recordCount: number;
  isInTrash: boolean;
}

const stems = new StemCache(snowballStemmer);

function idOf(number: number): ConversationId {
  const id = parseConversationId(`00000000-0000-4000-8000-${String(number).padStart(12, "0")}`);
  assert.ok(id);
  return id;
}

function conversation(texts: readonly string[]): Conversation {
  return { texts: [...texts], erasures: [], recordCount: texts.length, isInTrash: false };
}

function sourceOf(conversations: readonly Conversation[]): TextSource & { readonly opened: ConversationId[] } {
  const opened: ConversationId[] = [];
  const byId = new Map(conversations.flatMap((one, at) => (one.isInTrash ? [] : [[idOf(at), one] as const])));
  return {
    opened,
    conversations: new Set(byId.keys()),
    open: (id, progress): ConversationTexts | undefined => {
      const { texts, erasures, recordCount } = byId.get(id) ?? conversation([]);
      if (progress?.recordCount === recordCount && progress.next === texts.length && !progress.isBroken)
        return undefined;
      opened.push(id);
      return {
        messageCount: texts.length,
        recordCount,
        read: (at) => ({ role: "user", parts: [{ kind: "text", text: texts[at] ?? "" }] }),
        erasesSince: (from) => erasures.some((number) => number >= from),
      };
    },
    close: () => undefined,
  };
}

function fill(files: MemorySegments, conversations: readonly Conversation[]): SegmentIndex {
  const index = new SegmentIndex(files);
  while (runAtOnce(fillIndex(index, sourceOf(conversations))));
  return index;
}

/** "conversation:message" of all that have the word. */
function found(index: SegmentIndex, word: string): readonly string[] {
  const query = parseRankedQuery(word, stems);
  assert.ok(query);
  const request = { query, isWanted: () => true, needsAll: true, limit: 10_000, limitEach: 10_000 };
  const { messages } = runSync(searchSegments(index.segments, request, stems));
  return messages.map(({ conversation: id, id: at }) => `${Number(id.slice(-12))}:${at}`);
}

function scanned(conversations: readonly Conversation[], word: string): readonly string[] {
  return conversations.flatMap(({ texts, isInTrash }, at) =>
    isInTrash ? [] : texts.flatMap((text, id) => (text.split(" ").includes(word) ? [`${at}:${id}`] : [])),
  );
}

const WORDS = ["quorum", "lease", "journal", "pool", "flux", "山川"];
const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 }).map((words) => words.join(" "));
const number = fc.nat(7);
/** `killedAfter`: pauses after which the filling is given up. */
const change = fc.oneof(
  fc.record({ kind: fc.constant("say" as const), at: number, texts: fc.array(text, { maxLength: 4 }) }),
  fc.record({ kind: fc.constant("erase" as const), at: number, message: fc.nat(9) }),
  fc.record({ kind: fc.constantFrom("trash" as const, "record" as const), at: number }),
  fc.record({ kind: fc.constant("replace" as const), at: number, texts: fc.array(text, { maxLength: 4 }) }),
  fc.record({ kind: fc.constant("fill" as const), killedAfter: fc.nat(30) }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function apply(conversations: Conversation[], done: Exclude<Change, { kind: "fill" }>): void {
  const one = (conversations[done.at] ??= conversation([]));
  switch (done.kind) {
    case "say":
      one.texts.push(...done.texts);
      one.recordCount += done.texts.length;
      return;
    case "erase":
      if (done.message >= one.texts.length) return;
      one.texts[done.message] = "";
      one.erasures.push(one.recordCount++);
      return;
    case "trash":
      one.isInTrash = !one.isInTrash;
      return;
    case "record":
      one.recordCount++;
      return;
    case "replace":
      conversations[done.at] = conversation(done.texts);
  }
}

describe("filling the index over all conversations", () => {
  it("has all that is there, and nothing else, whatever happened and whenever it was killed", () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const [files, conversations] = [new MemorySegments(), Array.from({ length: 8 }, () => conversation([]))];
        for (const done of changes) {
          if (done.kind !== "fill") {
            apply(conversations, done);
            if (done.kind === "replace") runAtOnce(new SegmentIndex(files).change(new Set([idOf(done.at)]), undefined));
            continue;
          }
          const filling = fillIndex(new SegmentIndex(files), sourceOf(conversations));
          for (let pause = 0; pause < done.killedAfter; pause++) filling.next();
        }
        const index = fill(files, conversations);
        for (const word of WORDS) {
          assert.deepEqual(found(index, word).toSorted(), scanned(conversations, word).toSorted(), word);
        }
        const again = sourceOf(conversations);
        runAtOnce(fillIndex(index, again));
        assert.deepEqual(again.opened, []);
      }),
      { numRuns: 300 },
    );
  });

  it("stops at a message that cannot be read now, and goes on from it", () => {
    const [files, one] = [new MemorySegments(), conversation(["a quorum", "a lease", "a pool"])];
    const index = new SegmentIndex(files);
    const source = sourceOf([one]);
    const withFault: TextSource = {
      ...source,
      open: (id, progress) => {
        const texts = source.open(id, progress);
        return texts && { ...texts, read: (at) => (at === 1 ? undefined : texts.read(at)) };
      },
    };
    for (let filling = 0; filling < 3; filling++) runAtOnce(fillIndex(index, withFault));
    assert.deepEqual(
      [index.conversations.get(idOf(0))?.next, found(index, "quorum"), found(index, "pool")],
      [1, ["0:0"], []],
    );
    assert.equal(files.contents.length, 1);
    runAtOnce(fillIndex(index, source));
    assert.deepEqual([found(index, "lease"), found(index, "pool")], [["0:1"], ["0:2"]]);
  });

  it("leaves no erased word in any segment", () => {
    const [files, kept, erased] = [
      new MemorySegments(),
      conversation(["a quorum", "the secretword"]),
      conversation(["secretword"]),
    ];
    fill(files, [kept, erased]);
    kept.texts[1] = "";
    kept.erasures.push(kept.recordCount++);
    erased.isInTrash = true;
    fill(files, [kept, erased]);
    const bytes = Buffer.concat(files.contents).toString("latin1");
    assert.deepEqual([bytes.includes("secretword"), bytes.includes("quorum")], [false, true]);
  });

  it("reads a long conversation in several segments", () => {
    const [files, long] = [
      new MemorySegments(),
      conversation(Array.from({ length: 20_000 }, (_, at) => `message n${at}x`)),
    ];
    const index = fill(files, [long]);
    assert.deepEqual(index.conversations.get(idOf(0)), {
      next: 20_000,
      recordCount: 20_000,
      mark: index.conversations.get(idOf(0))?.mark,
      isBroken: false,
    });
    assert.deepEqual(
      [files.contents.length, found(index, "n8191x"), found(index, "n19999x")],
      [3, ["0:8191"], ["0:19999"]],
    );
  });
});

import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import { type ForgeError, storageFailed } from "../../../../src/core/errors.ts";
import { messageId } from "../../../../src/core/ids.ts";
import { textMessage } from "../../../../src/core/message.ts";
import { err, ok, type Result } from "../../../../src/core/result.ts";
import { CallAllowance } from "../../../../src/core/summary/write/callAllowance.ts";
import {
  AnswerJoiner,
  withJoinedAnswers,
  type SourcePages,
  type SummarySource,
} from "../../../../src/core/summary/write/source.ts";
import { notesOnPart, summaryRun } from "../../../support/session/summaryRun.ts";
import { codingSession, sourcesOf } from "../../../support/session/summarySources.ts";

describe("sources of a summary in pages", () => {
  for (const [name, options] of Object.entries({
    "an extract": {},
    "a short extract": { targetTokens: 90 },
    "a model's notes": { script: notesOnPart },
    "a model's notes from several requests": {
      script: notesOnPart,
      limits: { contextWindow: 8_000, maxOutput: 2_000 },
    },
  })) {
    it(`give the same summary as all at once: ${name}`, async () => {
      const messages = codingSession(16);
      const whole = await summaryRun({ ...options, messages });
      assert.equal(whole.draft.ok, true);
      for (const pageMessages of [1, 3, 50]) {
        assert.deepEqual(
          await summaryRun({ ...options, sources: new CountedPages(sourcesOf(messages), pageMessages) }),
          whole,
        );
      }
    });
  }

  describe("for a model", () => {
    const messages = codingSession(16);
    const sources = sourcesOf(messages).map((source) => ({ ...source, tokens: { cl100k: 20_000, o200k: 20_000 } }));
    const result = "// reads the table";

    it("are read a second time, whole, when it is asked", async () => {
      const pages = new CountedPages(sources, 3);
      const whole = await summaryRun({ script: notesOnPart, messages, sources: new CountedPages(sources, 1_000) });
      const run = await summaryRun({ script: notesOnPart, sources: pages });
      assert.deepEqual(run, whole);
      assert.deepEqual(
        [pages.read, run.asked.map(({ prompt }) => prompt.split(result).length - 1)],
        [2 * Math.ceil(sources.length / 3), [16]],
      );
    });

    it("are read a second time only until it is known that it takes too many calls", async () => {
      const pages = new CountedPages(sources, 1);
      const limits = { contextWindow: 8_000, maxOutput: 2_000 };
      const calls = new CallAllowance(1);
      const run = await summaryRun({ script: notesOnPart, limits, sources: pages, changes: { calls } });
      const extract = await summaryRun({ sources: new CountedPages(sources, 1) });
      assert.ok(run.draft.ok && extract.draft.ok);
      assert.deepEqual([run.draft.value, run.asked], [{ ...extract.draft.value, isForNow: true }, []]);
      assert.ok(pages.read > sources.length && pages.read < 2 * sources.length, `${pages.read} of ${sources.length}`);
    });
  });

  it("join an answer and its continuations across pages", () => {
    const source = fc.record({ continues: fc.option(fc.nat(30), { nil: undefined }), isIncomplete: fc.boolean() });
    fc.assert(
      fc.property(fc.array(source, { maxLength: 30 }), fc.array(fc.nat(4)), (shapes, sizes) => {
        const sources = shapes.map(({ continues, isIncomplete }, index): SummarySource => {
          const before = continues === undefined || continues % 3 > 0 ? index - 1 : continues;
          return {
            ...{ id: messageId(index), turn: messageId(0), isIncomplete, tokens: { cl100k: index, o200k: 1 } },
            message: textMessage(index % 4 === 0 ? "user" : "assistant", `text ${String(index)}`),
            ...(continues === undefined || before < 0 ? {} : { continues: messageId(before) }),
          };
        });
        const joiner = new AnswerJoiner();
        const joined: SummarySource[] = [];
        let start = 0;
        for (const size of [...sizes, sources.length]) {
          joined.push(...joiner.add(sources.slice(start, start + size)));
          start += size;
        }
        assert.deepEqual([...joined, ...joiner.end()], withJoinedAnswers(sources));
      }),
    );
  });

  it("end the summary with the first page that cannot be read", async () => {
    const error = storageFailed("EIO", "the disk");
    const read: string[] = [];
    const sources = (async function* (): SourcePages {
      await Promise.resolve();
      read.push("first");
      yield ok([]);
      read.push("second");
      yield err(error);
      read.push("third");
    })();
    const { draft } = await summaryRun({ sources });
    assert.deepEqual([draft, read], [err(error), ["first", "second"]]);
  });
});

class CountedPages implements SourcePages {
  read = 0;
  readonly #sources: readonly SummarySource[];
  readonly #pageMessages: number;

  constructor(sources: readonly SummarySource[], pageMessages: number) {
    this.#sources = sources;
    this.#pageMessages = pageMessages;
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Result<readonly SummarySource[], ForgeError>> {
    for await (const page of pagesOf(this.#sources, this.#pageMessages)) {
      this.read++;
      yield page;
    }
  }
}

async function* pagesOf(sources: readonly SummarySource[], pageMessages: number): SourcePages {
  for (let start = 0; start < sources.length; start += pageMessages) {
    await Promise.resolve();
    yield ok(sources.slice(start, start + pageMessages));
  }
}

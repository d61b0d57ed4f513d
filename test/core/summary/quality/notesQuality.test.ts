/** Twenty conversations in six languages, each with five correct notes and one of each kind of spoilt ones. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import type { NotesFault } from "../../../../src/core/history/records.ts";
import type { Message } from "../../../../src/core/message.ts";
import { judgedNotes } from "../../../../src/core/summary/write/notesCheck.ts";
import { readSource } from "../../../../src/core/summary/write/source.ts";
import { summarize } from "../../../../src/core/summary/write/summarizer.ts";
import { SummarizerRecord } from "../../../../src/core/summary/quality/summarizerRecord.ts";
import { CallAllowance } from "../../../../src/core/summary/write/callAllowance.ts";
import { modelId } from "../../../../src/core/ids.ts";
import { ScriptedModel } from "../../../support/models/scriptedModel.ts";
import { testTokenCounter } from "../../../support/models/tokenCounter.ts";
import { proseOf } from "../../../support/texts/plantedLoops.ts";
import { seededRandom } from "../../../support/texts/plantedSecrets.ts";
import { assistant, sourcesOf, toolCall, toolResult, user } from "../../../support/session/summarySources.ts";

type Said =
  | { readonly role: "user" | "assistant" | "toolResult"; readonly text: string }
  | { readonly role: "toolCall"; readonly name: string; readonly input: unknown };

interface NotesCase {
  readonly language: string;
  readonly title: string;
  readonly messages: readonly Said[];
  readonly good: readonly string[];
  readonly spoilt: readonly { readonly kind: string; readonly text: string }[];
}

const FOLDER = new URL("cases/", import.meta.url);
const CASES = readdirSync(FOLDER)
  .toSorted()
  .map((name) => JSON.parse(readFileSync(new URL(name, FOLDER), "utf8")) as NotesCase);
const counter = testTokenCounter();

function messageOf(said: Said): Message {
  if (said.role === "toolCall") return toolCall(said.name, said.input);
  if (said.role === "toolResult") return toolResult(said.text);
  return said.role === "user" ? user(said.text) : assistant(said.text);
}

/** Target of a summary of which these notes are as much as a model is asked for. */
function targetFor(notes: string): number {
  return Math.ceil(Math.max(counter.countText(notes, "cl100k"), counter.countText(notes, "o200k")) / 0.4);
}

function services(notes: string) {
  return {
    provider: new ScriptedModel(() => ({ text: notes })),
    model: modelId("gpt-5-mini"),
    limits: { contextWindow: 200_000, maxOutput: 32_000 },
    record: new SummarizerRecord(),
    calls: new CallAllowance(),
    counter,
    cancel: new AbortController().signal,
    onProgress: () => undefined,
    yieldToHost: () => Promise.resolve(),
  };
}

async function accepted({ messages }: NotesCase, notes: string): Promise<boolean> {
  const sources = sourcesOf(messages.map(messageOf));
  const targetTokens = targetFor(notes);
  const most = 2 * targetTokens + 400;
  const draft = await summarize(
    { sources, kind: "conversation", targetTokens, mostTokens: { cl100k: most, o200k: most } },
    services(notes),
  );
  assert.ok(draft.ok);
  return draft.value.generatedBy !== "extract";
}

describe("L5 notes measured against what they stand for", function () {
  this.timeout(60_000);

  it("accepts at least 95 of 100 correct ones", async () => {
    const refused: string[] = [];
    for (const each of CASES) {
      for (const [index, notes] of each.good.entries()) {
        if (!(await accepted(each, notes))) refused.push(`${each.language} ${each.title}: ${String(index)}`);
      }
    }
    assert.equal(CASES.flatMap(({ good }) => good).length, 100);
    assert.ok(refused.length <= 5, refused.join("\n"));
  });

  it("accepts none of 100 spoilt ones", async () => {
    const wrong: string[] = [];
    for (const each of CASES) {
      for (const { kind, text } of each.spoilt) {
        if (await accepted(each, text)) wrong.push(`${each.language} ${each.title}: ${kind}`);
      }
    }
    assert.equal(CASES.flatMap(({ spoilt }) => spoilt).length, 100);
    assert.deepEqual(wrong, []);
  });

  describe("names the fault", () => {
    const TALK: readonly Message[] = [
      user("The upload in src/upload/send.ts fails with EPIPE after 30 seconds. What is wrong? Never log the token."),
      assistant(
        "The proxy closes idle connections. I set keepAliveMs to 20000 in `src/upload/agent.ts`; EPIPE is gone.",
      ),
      user("Good. Then document the limit of 20000 ms in docs/upload.md, please, and release it as 2.4.1 on Friday."),
      assistant("docs/upload.md names the limit now. The release 2.4.1 waits for Friday, as the pipeline is frozen."),
    ];
    const check = (title: string, notes: string, expected: NotesFault | undefined): void => {
      it(title, async () => {
        const sources = sourcesOf(TALK).map(readSource);
        const judged = await judgedNotes({ notes, stopReason: "endTurn" }, { sources, notesTokens: 200 }, services(""));
        assert.deepEqual(judged, { ok: true, value: { notes, fault: expected } });
      });
    };
    check(
      "none",
      "## Findings\n- EPIPE in src/upload/send.ts: the proxy closes idle connections; keepAliveMs 20000",
      undefined,
    );
    check(
      "a lie in a fence",
      "## Findings\n```\nnpm install upload-fix\nnpx fix-pipe --all\ngit push --force origin x\n```",
      "invents",
    );
    check(
      "an answer",
      "Sure! To fix EPIPE, open src/upload/send.ts and set keepAliveMs. Would you like me to do that?",
      "answers",
    );
    check(
      "a story",
      "## Goal\nOnce a whale crossed seven oceans singing ballads for sleeping lighthouse keepers",
      "tellsLess",
    );
    check(
      "German",
      "Der Upload in src/upload/send.ts ist mit EPIPE abgebrochen, weil der Proxy die Verbindung schließt und das nicht sagt.",
      "otherLanguage",
    );
    check("lines again and again", "- the proxy closes idle connections after 30 seconds\n".repeat(8), "repeats");
    check("nothing", " ", "empty");
    it("too long, and of no use when cut", async () => {
      const sources = sourcesOf(TALK).map(readSource);
      const notes = proseOf("latin", 3_000, seededRandom(1));
      const judged = await judgedNotes({ notes, stopReason: "endTurn" }, { sources, notesTokens: 200 }, services(""));
      assert.ok(judged.ok);
      assert.equal(judged.value.fault, "tooLong");
    });

    it("none where it is too long, and cut to whole lines", async () => {
      const sources = sourcesOf(TALK).map(readSource);
      const told = "## Findings\n- EPIPE in src/upload/send.ts: the proxy closes idle connections; keepAliveMs 20000";
      const notes = `${told}\n## Open items\n- ${"the release waits for the pipeline and ".repeat(60)}`;
      const judged = await judgedNotes({ notes, stopReason: "endTurn" }, { sources, notesTokens: 60 }, services(""));
      assert.deepEqual(judged, { ok: true, value: { notes: told, fault: undefined } });
    });
  });
});

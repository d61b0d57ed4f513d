/**
 * Writes the notes of several batches with a model, in as few requests as their transcripts fit into, usually one. A
 * batch with unusable notes is extracted; one too large to share a request is written by itself.
 */

import type { ForgeError } from "../../errors.ts";
import { err, ok, type Result } from "../../result.ts";
import { complaintAbout, notesIn, TOLERANCE } from "./acceptance.ts";
import { answerTooLongCheck } from "./answerLength.ts";
import { shownWithin, type ShownSource, transcriptOfChunk } from "./chunks.ts";
import { groupsThatFit, modelNotes, type ModelNotes, NOT_ASKED, SMALLEST_ROOM_TOKENS } from "./modelNotes.ts";
import { type Judge, type NotesServices, NotesAsker, type Question } from "./notesAsker.ts";
import { NotesProgress } from "./notesProgress.ts";
import type { TokenCounter } from "../../tokens/tokenCounter.ts";
import type { NotesFault } from "../../history/records.ts";
import { judgedNotes } from "./notesCheck.ts";
import type { ReadPages, ReadSource } from "./source.ts";
import type { SummaryRequest } from "./summaryRequest.ts";
import { sizeUpTo } from "./textSize.ts";
import { transcriptOfBatches } from "./sourceTranscript.ts";

/** Consecutive sources that get notes of their own. */
export interface NotesBatch {
  /** Number of the sources. */
  readonly items: number;
  /** Reads the sources; each call begins anew. */
  readonly read: () => ReadPages;
  readonly notesTokens: number;
}

/**
 * Notes of each batch, in order. The calls and usage of a shared request are attributed to its first batch. Takes no
 * more calls than separate requests would.
 */
export async function batchNotes(
  stretches: readonly NotesBatch[],
  request: Pick<SummaryRequest, "kind" | "focus">,
  deps: NotesServices,
): Promise<Result<readonly ModelNotes[], ForgeError>> {
  const room = new NotesAsker(request, sumOf(stretches), deps).roomTokens;
  const shown: BatchTranscript[] = [];
  for (const stretch of stretches) {
    const made =
      stretches.length > 1 && room >= SMALLEST_ROOM_TOKENS
        ? await transcribe(stretch, room, deps)
        : ok(withoutTranscript(stretch));
    if (deps.cancel.aborted) return err({ code: "CANCELLED" });
    if (!made.ok) return made;
    shown.push(made.value);
  }
  const all: ModelNotes[] = [];
  const itemsTotal = itemsOf(stretches);
  let itemsDone = 0;
  for (const group of groupsThatFit(shown, room)) {
    const [first] = group;
    if (first === undefined) continue;
    const before = itemsDone;
    const inGroup = itemsOf(group.map(({ stretch }) => stretch));
    const onProgress: NotesServices["onProgress"] = (progress) => {
      const share = (before + progress.share * inGroup) / Math.max(1, itemsTotal);
      deps.onProgress({ ...progress, itemsDone: before + progress.itemsDone, itemsTotal, share });
    };
    const notes =
      group.length === 1
        ? await notesOfOne(first.stretch, request, { ...deps, onProgress })
        : await notesOfGroup(group, request, { ...deps, onProgress });
    if (!notes.ok) return notes;
    all.push(...notes.value);
    itemsDone += itemsOf(group.map(({ stretch }) => stretch));
  }
  return ok(all);
}

interface BatchTranscript {
  readonly stretch: NotesBatch;
  readonly sources: readonly ReadSource[];
  readonly transcript: string;
  /** Transcript, heading, and the line that asks for its notes. */
  readonly tokens: number;
}

/** Heading of a batch in a request, and the line that asks for its notes. */
const STRETCH_FRAME_TOKENS = 32;

function withoutTranscript(stretch: NotesBatch): BatchTranscript {
  return { stretch, sources: [], transcript: "", tokens: Infinity };
}

/** Without a transcript when it takes more than the room. */
async function transcribe(
  stretch: NotesBatch,
  room: number,
  deps: NotesServices,
): Promise<Result<BatchTranscript, ForgeError>> {
  const asker = new NotesAsker({ kind: "conversation" }, stretch.notesTokens, deps);
  const shown: ShownSource[] = [];
  let tokens = STRETCH_FRAME_TOKENS;
  for await (const page of stretch.read()) {
    if (!page.ok) return page;
    for (const source of page.value) {
      const next = shownWithin(source, room, (text) => asker.tokensOf(text));
      shown.push(next);
      tokens += next.tokens;
      if (tokens > room) return ok(withoutTranscript(stretch));
      await deps.yieldToHost();
    }
  }
  const sources = shown.map(({ source }) => source);
  return ok({ stretch, sources, transcript: transcriptOfChunk({ shown }), tokens });
}

async function notesOfOne(
  { read, notesTokens }: NotesBatch,
  request: Pick<SummaryRequest, "kind" | "focus">,
  deps: NotesServices,
): Promise<Result<readonly ModelNotes[], ForgeError>> {
  const notes = await modelNotes(read(), notesTokens, request, deps);
  return notes.ok ? ok([notes.value]) : notes;
}

async function notesOfGroup(
  group: readonly BatchTranscript[],
  request: Pick<SummaryRequest, "kind" | "focus">,
  deps: NotesServices,
): Promise<Result<readonly ModelNotes[], ForgeError>> {
  const stretches = group.map(({ stretch }) => stretch);
  if (deps.calls.left === 0 && !deps.record.isStopped) return ok(stretches.map(() => NOT_ASKED));
  const notesTokens = sumOf(stretches);
  const usable = new Map<number, string>();
  const judge: Judge = async (answer, stopReason) => {
    const byForm = complaintAbout(answer, stopReason, 0, Infinity);
    if (byForm !== undefined) return ok({ notes: answer, fault: byForm });
    const parts = notesByNumber(answer);
    const mostTokens = notesTokens * TOLERANCE;
    if (parts.size === 0 && sizeUpTo(answer, mostTokens, deps.counter) > mostTokens)
      return ok({ notes: answer, fault: "tooLong" });
    let first: NotesFault | undefined;
    for (const [index, { sources, stretch }] of group.entries()) {
      const notes = parts.get(index + 1) ?? "";
      const judged = await judgedNotes({ notes, stopReason }, { sources, notesTokens: stretch.notesTokens }, deps);
      if (!judged.ok) return judged;
      if (judged.value.fault === undefined) usable.set(index, judged.value.notes);
      else first ??= judged.value.fault;
    }
    return ok({ notes: answer, fault: usable.size > 0 ? undefined : first });
  };
  const items = itemsOf(stretches);
  const progress = new NotesProgress([notesTokens], items, deps.onProgress);
  const asker = new NotesAsker(request, notesTokens, deps, (units, aimTokens) => {
    progress.wrote(units, aimTokens);
  });
  const transcript = transcriptOfBatches(group.map((shown) => shown.transcript));
  const holds = { kind: "stretches", notesTokens: stretches.map((stretch) => stretch.notesTokens) } as const;
  const isTooLong: Question["isTooLong"] = () => tooLongForAll(stretches, deps.counter);
  const asked = await asker.ask({ transcript, notesTokens, holds, isTooLong }, judge);
  if (!asked.ok) return asked;
  progress.done(items, 0);
  const { calls, usage } = asker;
  return ok(
    group.map(({ sources }, index): ModelNotes => {
      const text = usable.get(index);
      const took = index === 0 ? { calls, ...(usage === undefined ? {} : { usage }) } : { calls: 0 };
      return { text: text ?? "", isByModel: text !== undefined, sources, ...took };
    }),
  );
}

/**
 * Notes on one batch may be too long while others are usable. So an answer is too long when the notes on its last batch
 * are, or when it has no batch heading and is as long as all may be together.
 */
function tooLongForAll(stretches: readonly NotesBatch[], counter: TokenCounter): (text: string) => boolean {
  const isLastTooLong = answerTooLongCheck((stretches.at(-1)?.notesTokens ?? 0) * TOLERANCE, counter);
  const isAllTooLong = answerTooLongCheck(sumOf(stretches) * TOLERANCE, counter);
  return (text) => {
    const parts = notesByNumber(notesIn(text));
    return parts.size === 0 ? isAllTooLong(text) : isLastTooLong(parts.get(stretches.length) ?? "");
  };
}

/** Notes by batch number; the first occurrence of a number wins. */
function notesByNumber(answer: string): ReadonlyMap<number, string> {
  const parts = new Map<number, string>();
  const [, ...pieces] = answer.split(/^#[ \t]*Stretch[ \t]+(\d{1,4})\b[^\n]*$/im);
  for (let at = 0; at + 1 < pieces.length; at += 2) {
    const number = Number(pieces[at]);
    if (!parts.has(number)) parts.set(number, (pieces[at + 1] ?? "").trim());
  }
  return parts;
}

function itemsOf(stretches: readonly NotesBatch[]): number {
  return stretches.reduce((sum, { items }) => sum + items, 0);
}

function sumOf(stretches: readonly NotesBatch[]): number {
  return stretches.reduce((sum, { notesTokens }) => sum + notesTokens, 0);
}

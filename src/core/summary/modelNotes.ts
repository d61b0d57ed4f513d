/**
 * Has a model write the notes of a span: in one request if its window allows, else piece by piece, and the notes on the
 * pieces are merged by further requests. Each request is made at most twice; a piece whose answers can not be used is
 * extracted. So at most {@link mostCalls} calls are made.
 */

import { promptContext } from "../context/promptContext.ts";
import type { ForgeError } from "../errors.ts";
import { textMessage } from "../message.ts";
import { effectiveInputBudget, type ModelLimits } from "../models/modelLimits.ts";
import { err, ok, type Result } from "../result.ts";
import { countingFormula, tokensOf } from "../tokens/countingFormula.ts";
import { complaintAbout, notesIn, TOLERANCE } from "./acceptance.ts";
import { askModel } from "./askModel.ts";
import { type Chunk, chunkOfSource, joinChunks } from "./chunks.ts";
import { extractNotes } from "./extract.ts";
import { type PromptRequest, summaryPrompt } from "./prompt.ts";
import { redact } from "./redact.ts";
import type { ReadSource } from "./source.ts";
import type { SummarizerDeps, SummaryRequest } from "./summaryRequest.ts";
import { beginningThatFits, sizeOf } from "./textSize.ts";
import { framed, transcriptOfNotes } from "./transcript.ts";

/** The notes, and what they took. */
export interface ModelNotes {
  readonly text: string;
  /** Whether a model wrote any of it; otherwise it is an extract. */
  readonly isByModel: boolean;
  readonly calls: number;
  /** As billed, over all calls that said so. */
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
}

/** The most calls that a span of so many pieces can take: each piece and each merge of two or more at most twice. */
export function mostCalls(pieces: number): number {
  return 2 * (2 * pieces - 1);
}

/** Writes the notes of `sources` in about `notesTokens`. An error is a failure of the service, or `CANCELLED`. */
export function modelNotes(
  sources: readonly ReadSource[],
  notesTokens: number,
  request: SummaryRequest,
  deps: ModelDeps,
): Promise<Result<ModelNotes, ForgeError>> {
  return new NotesWriter(notesTokens, request, deps).write(sources);
}

/** What the writer needs: as for a summary, and a provider for sure. */
export type ModelDeps = SummarizerDeps & { readonly provider: NonNullable<SummarizerDeps["provider"]> };

/** Room for reasoning and for an answer that is longer than asked, beside the notes. */
const SPARE_OUTPUT_TOKENS = 4_096;
const SMALLEST_PIECE_TOKENS = 64;
/** With less room for a transcript than this, asking makes no sense. */
const SMALLEST_ROOM_TOKENS = 128;

class NotesWriter {
  private readonly notesTokens: number;
  private readonly request: SummaryRequest;
  private readonly deps: ModelDeps;
  private readonly limits: ModelLimits;
  private calls = 0;
  private isByModel = false;
  private usage: ModelNotes["usage"];

  constructor(notesTokens: number, request: SummaryRequest, deps: ModelDeps) {
    const { contextWindow, maxOutput } = deps.limits;
    this.notesTokens = notesTokens;
    this.request = request;
    this.deps = deps;
    const output = Math.min(maxOutput, 2 * notesTokens + SPARE_OUTPUT_TOKENS, Math.ceil(contextWindow / 2));
    this.limits = { contextWindow, maxOutput: output };
  }

  async write(sources: readonly ReadSource[]): Promise<Result<ModelNotes, ForgeError>> {
    const room = this.transcriptRoom();
    if (room < SMALLEST_ROOM_TOKENS)
      return ok({ text: this.extract(sources, this.notesTokens), isByModel: false, calls: 0 });
    const shown: Chunk[] = [];
    for (const source of sources) {
      shown.push(chunkOfSource(source, room, (text) => this.modelTokens(text)));
      await this.deps.yieldToHost();
      if (this.deps.cancel.aborted) return err({ code: "CANCELLED" });
    }
    const pieces = await this.writePieces(joinChunks(shown, room), sources.length);
    if (!pieces.ok) return pieces;
    const text = await this.merge(pieces.value, room);
    if (!text.ok) return text;
    const { calls, isByModel, usage } = this;
    return ok({ text: text.value, isByModel, calls, ...(usage === undefined ? {} : { usage }) });
  }

  private async writePieces(
    chunks: readonly Chunk[],
    itemsTotal: number,
  ): Promise<Result<readonly string[], ForgeError>> {
    const total = chunks.reduce((sum, { tokens }) => sum + tokens, 0);
    const pieces: string[] = [];
    let itemsDone = 0;
    let tokensSaved = 0;
    for (const [index, chunk] of chunks.entries()) {
      const tokens = share(this.notesTokens, chunk.tokens, total);
      const holds = chunks.length === 1 ? WHOLE : ({ kind: "part", number: index + 1, count: chunks.length } as const);
      const answer = await this.ask(chunk.transcript, tokens, holds);
      if (!answer.ok) return answer;
      const piece = answer.value ?? this.extract(chunk.sources, tokens);
      pieces.push(piece);
      itemsDone += chunk.sources.length;
      tokensSaved += Math.max(0, chunk.tokens - this.modelTokens(piece));
      this.deps.onProgress({ itemsDone, itemsTotal, tokensSaved });
    }
    return ok(pieces);
  }

  /** Merges as many notes as fit one request, again and again, until one is left or no two fit. */
  private async merge(pieces: readonly string[], room: number): Promise<Result<string, ForgeError>> {
    let notes = pieces;
    for (;;) {
      const sized = notes.map((text): Chunk => ({
        sources: [],
        transcript: text,
        tokens: this.modelTokens(text) + NOTE_FRAME,
      }));
      const total = sized.reduce((sum, { tokens }) => sum + tokens, 0);
      const groups = groupsOf(sized, room);
      if (groups.length === notes.length) return ok(notes.join("\n\n"));
      const merged: string[] = [];
      for (const group of groups) {
        const texts = group.map(({ transcript }) => transcript);
        const groupTokens = group.reduce((sum, { tokens }) => sum + tokens, 0);
        const tokens = share(this.notesTokens, groupTokens, total);
        const answer = texts.length === 1 ? ok(texts[0]) : await this.ask(transcriptOfNotes(texts), tokens, NOTES);
        if (!answer.ok) return answer;
        merged.push(answer.value ?? this.shortened(texts, tokens));
      }
      notes = merged;
    }
  }

  /** The notes in the answer to one request; nothing when neither the first nor the firmer try could be used. */
  private async ask(
    transcript: string,
    tokens: number,
    holds: PromptRequest["holds"],
  ): Promise<Result<string | undefined, ForgeError>> {
    const { deps, limits } = this;
    let complaint: PromptRequest["complaint"];
    for (let attempt = 0; attempt < 2; attempt++) {
      const asked = this.promptFor({ notesTokens: tokens, holds, ...(complaint === undefined ? {} : { complaint }) });
      const message = textMessage("user", `${asked.before}\n${framed(transcript)}\n\n${asked.after}`);
      const prepared = promptContext({
        model: deps.model,
        limits,
        systemPrompt: asked.system,
        systemTokens: deps.counter.countMessage(textMessage("system", asked.system)),
        messages: [message],
        tokens: [await deps.counter.countInSlices(message, deps.yieldToHost)],
      });
      if (!prepared.ok) return ok(undefined);
      if (deps.cancel.aborted) return err({ code: "CANCELLED" });
      this.calls++;
      const options = { model: deps.model, maxOutputTokens: limits.maxOutput };
      const answer = await askModel(deps.provider, prepared.value, options, deps.cancel);
      // The window is smaller than it was said to be: asking the same again would not help.
      if (!answer.ok) return isOverflow(answer.error) ? ok(undefined) : answer;
      this.addUsage(answer.value.usage);
      const notes = redact(notesIn(answer.value.text)).text;
      complaint = complaintAbout(notes, answer.value.stopReason, sizeOf(notes, deps.counter), tokens * TOLERANCE);
      if (complaint !== undefined) continue;
      this.isByModel = true;
      return ok(notes);
    }
    return ok(undefined);
  }

  private promptFor(asked: Omit<PromptRequest, "kind" | "focus">): ReturnType<typeof summaryPrompt> {
    const { kind, focus } = this.request;
    return summaryPrompt({ kind, ...asked, ...(focus === undefined ? {} : { focus: redact(focus).text }) });
  }

  /** Tokens that a transcript may take in the largest of the prompts. */
  private transcriptRoom(): number {
    const longest = { kind: "part", number: 1000, count: 1000 } as const;
    const prompt = this.promptFor({ notesTokens: this.notesTokens, holds: longest, complaint: "refused" });
    const formula = countingFormula(this.deps.model);
    const fixed = [prompt.system, prompt.before + framed("") + prompt.after].map((text) =>
      tokensOf(this.deps.counter.countMessage(textMessage("user", text)), formula),
    );
    return effectiveInputBudget(this.limits) - fixed.reduce((sum, tokens) => sum + tokens, 0) - PROMPT_MARGIN_TOKENS;
  }

  private modelTokens(text: string): number {
    const { encoding, ratio } = countingFormula(this.deps.model);
    return Math.ceil(this.deps.counter.countText(text, encoding) * ratio);
  }

  private extract(sources: readonly ReadSource[], tokens: number): string {
    return extractNotes(sources, tokens, { cl100k: tokens, o200k: tokens }, this.deps.counter);
  }

  private shortened(texts: readonly string[], tokens: number): string {
    const each = Math.max(1, Math.floor(tokens / texts.length));
    return texts.map((text) => beginningThatFits(text, { cl100k: each, o200k: each }, this.deps.counter)).join("\n\n");
  }

  private addUsage(reported: { readonly inputTokens: number; readonly outputTokens: number } | undefined): void {
    if (reported === undefined) return;
    this.usage = {
      inputTokens: (this.usage?.inputTokens ?? 0) + reported.inputTokens,
      outputTokens: (this.usage?.outputTokens ?? 0) + reported.outputTokens,
    };
  }
}

const WHOLE = { kind: "whole" } as const;
const NOTES = { kind: "notes" } as const;
/** The heading of one of several notes in a request. */
const NOTE_FRAME = 8;
/** Differences between a text counted alone and in its place. */
const PROMPT_MARGIN_TOKENS = 24;

function share(notesTokens: number, tokens: number, total: number): number {
  return Math.max(
    Math.min(SMALLEST_PIECE_TOKENS, notesTokens),
    Math.floor((notesTokens * tokens) / Math.max(1, total)),
  );
}

/** Neighbours that fit one request together, as few groups as a single pass finds. */
function groupsOf(notes: readonly Chunk[], room: number): readonly (readonly Chunk[])[] {
  const groups: Chunk[][] = [];
  let left = 0;
  for (const note of notes) {
    const group = groups.at(-1);
    if (group !== undefined && note.tokens <= left) {
      group.push(note);
      left -= note.tokens;
    } else {
      groups.push([note]);
      left = room - note.tokens;
    }
  }
  return groups;
}

function isOverflow(error: ForgeError): boolean {
  return error.code === "SERVICE_UNAVAILABLE" && error.reason === "contextOverflow";
}

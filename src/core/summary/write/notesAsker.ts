/**
 * Requests notes from a model, once a question; once in a conversation a second time, for fewer words. A model whose
 * notes were of no use twice is not asked.
 */

import type { PreparedContext } from "../../context/request/preparedContext.ts";
import { promptContext } from "../../context/request/promptContext.ts";
import type { Cancelled, ForgeError } from "../../errors.ts";
import type { NotesFault } from "../../history/records.ts";
import { textMessage } from "../../message.ts";
import { effectiveInputBudget, type ModelLimits } from "../../models/modelLimits.ts";
import { err, ok, type Result } from "../../result.ts";
import { countingFormula, tokensOf } from "../../tokens/countingFormula.ts";
import { notesIn } from "./acceptance.ts";
import { type Answer, askModel, type StreamObserver } from "./askModel.ts";
import { type LengthFault, type PromptRequest, type SummaryPrompt, summaryPrompt } from "./prompt.ts";
import { redact } from "../../secrets/redact.ts";
import type { SummarizerServices, SummaryRequest } from "./summaryRequest.ts";
import { framed } from "./sourceTranscript.ts";

export type NotesServices = SummarizerServices & { readonly provider: NonNullable<SummarizerServices["provider"]> };

export interface Question {
  readonly transcript: string;
  readonly notesTokens: number;
  readonly holds: PromptRequest["holds"];
  /** Makes a check whether an answer is already too long for the judge to accept; it is stopped then. */
  readonly isTooLong: () => StreamObserver["isTooLong"];
}

/** `notes`: what of an answer is used; `fault`: why none of it is. */
export interface JudgedNotes {
  readonly notes: string;
  readonly fault: NotesFault | undefined;
}

/** Judges an answer, of which `notes` is the cleaned text. */
export type Judge = (notes: string, stopReason: Answer["stopReason"]) => Promise<Result<JudgedNotes, Cancelled>>;

/** Output tokens in addition to the notes, for reasoning and for answers longer than requested. */
const SPARE_OUTPUT_TOKENS = 4_096;
/** Share of the notes that a second question asks for: the same again would be as long. */
const SECOND_SHARE = 0.7;
/** Difference between a text counted alone and within the prompt. */
const PROMPT_MARGIN_TOKENS = 24;

/** Questions about one batch or several. */
export class NotesAsker {
  calls = 0;
  /** As billed, over all calls that reported it; answers stopped early without a report are counted here. */
  usage: { readonly inputTokens: number; readonly outputTokens: number } | undefined;
  readonly #asked: Pick<SummaryRequest, "kind" | "focus">;
  readonly #deps: NotesServices;
  readonly #limits: ModelLimits;
  readonly #notesTokens: number;
  readonly #onLength: (units: number, aimTokens: number) => void;

  /** `notesTokens`: the largest target of any question. `onLength` is called as each answer grows. */
  constructor(
    asked: Pick<SummaryRequest, "kind" | "focus">,
    notesTokens: number,
    deps: NotesServices,
    onLength: (units: number, aimTokens: number) => void = () => undefined,
  ) {
    const { contextWindow, maxOutput } = deps.limits;
    const output = Math.min(maxOutput, 2 * notesTokens + SPARE_OUTPUT_TOKENS, Math.ceil(contextWindow / 2));
    this.#asked = asked;
    this.#deps = deps;
    this.#notesTokens = notesTokens;
    this.#onLength = onLength;
    this.#limits = { contextWindow, maxOutput: output };
  }

  /** Tokens left for a transcript with the longest of the prompts. */
  get roomTokens(): number {
    const longest = { kind: "part", number: 1000, count: 1000 } as const;
    const prompt = this.#prompt({ notesTokens: this.#notesTokens, holds: longest, complaint: "truncated" });
    const formula = countingFormula(this.#deps.model);
    const fixed = [prompt.system, prompt.before + framed("") + prompt.after].map((text) =>
      tokensOf(this.#deps.counter.countMessage(textMessage("user", text)), formula),
    );
    return effectiveInputBudget(this.#limits) - fixed.reduce((sum, tokens) => sum + tokens, 0) - PROMPT_MARGIN_TOKENS;
  }

  /** Tokens of a text as the model counts them. */
  tokensOf(text: string): number {
    const { encoding, ratio } = countingFormula(this.#deps.model);
    return Math.ceil(this.#deps.counter.countText(text, encoding) * ratio);
  }

  /** Notes without a fault; `undefined` when there are none, or the model is not asked. */
  async ask(question: Question, judge: Judge): Promise<Result<string | undefined, ForgeError>> {
    const { record } = this.#deps;
    let { notesTokens } = question;
    let complaint: LengthFault | undefined;
    for (;;) {
      if (record.isStopped || !this.#deps.calls.take()) return ok(undefined);
      const askedTokens = record.askedTokens(notesTokens);
      const answer = await this.#askOnce({ ...question, notesTokens: askedTokens }, complaint);
      if (!answer.ok) {
        if (!isOverflow(answer.error)) return answer;
        // The window is smaller than reported: asking the same again would not help.
        record.note("overflow", 0, askedTokens);
        return ok(undefined);
      }
      if (answer.value === undefined) return ok(undefined);
      const notes = redact(notesIn(answer.value.text)).text;
      const judged = answer.value.isLoop
        ? ok({ notes, fault: "repeats" } as const)
        : await judge(notes, answer.value.stopReason);
      if (!judged.ok) return judged;
      const { fault } = judged.value;
      record.note(fault, this.tokensOf(notes), askedTokens);
      if (fault === undefined) return ok(judged.value.notes);
      if (!isOfLength(fault) || !record.takeSecondQuestion()) return ok(undefined);
      complaint = fault;
      notesTokens = Math.ceil(notesTokens * SECOND_SHARE);
    }
  }

  /** `undefined` when the question does not fit the model's window. */
  async #askOnce(
    { transcript, notesTokens, holds, isTooLong }: Question,
    complaint: LengthFault | undefined,
  ): Promise<Result<Answer | undefined, ForgeError>> {
    const deps = this.#deps;
    const asked = this.#prompt({ notesTokens, holds, ...(complaint === undefined ? {} : { complaint }) });
    const message = textMessage("user", `${asked.before}\n${framed(transcript)}\n\n${asked.after}`);
    const prepared = promptContext({
      model: deps.model,
      limits: this.#limits,
      systemPrompt: asked.system,
      systemTokens: deps.counter.countMessage(textMessage("system", asked.system)),
      messages: [message],
      tokens: [await deps.counter.countInSlices(message, deps.yieldToHost)],
    });
    if (!prepared.ok) return ok(undefined);
    if (deps.cancel.aborted) return err({ code: "CANCELLED" });
    this.calls++;
    const options = { model: deps.model, maxOutputTokens: this.#limits.maxOutput };
    const answer = await askModel(deps.provider, prepared.value, options, deps.cancel, {
      onLength: (units) => {
        this.#onLength(units, notesTokens);
      },
      isTooLong: isTooLong(),
    });
    if (answer.ok) this.#addUsage(answer.value.usage ?? this.#countedUsage(answer.value, prepared.value));
    return answer;
  }

  #prompt(asked: Omit<PromptRequest, "kind" | "focus">): SummaryPrompt {
    const { kind, focus } = this.#asked;
    return summaryPrompt({ kind, ...asked, ...(focus === undefined ? {} : { focus: redact(focus).text }) });
  }

  /** A provider whose stream is closed early may not report usage any more. */
  #countedUsage({ isCutShort, text }: Answer, prepared: PreparedContext): NotesAsker["usage"] {
    if (!isCutShort) return undefined;
    return { inputTokens: prepared.usage().usedTokens, outputTokens: this.tokensOf(text) };
  }

  #addUsage(reported: { readonly inputTokens: number; readonly outputTokens: number } | undefined): void {
    if (reported === undefined) return;
    this.usage = {
      inputTokens: (this.usage?.inputTokens ?? 0) + reported.inputTokens,
      outputTokens: (this.usage?.outputTokens ?? 0) + reported.outputTokens,
    };
  }
}

function isOfLength(fault: NotesFault): fault is LengthFault {
  return fault === "tooLong" || fault === "truncated";
}

function isOverflow(error: ForgeError): boolean {
  return error.code === "SERVICE_UNAVAILABLE" && error.reason === "contextOverflow";
}

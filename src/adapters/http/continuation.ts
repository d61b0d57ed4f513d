/**
 * Going on in the answer at the end of a request. Some servers continue an answer that is given last; others begin a new
 * one, or refuse it. Where that is not known it is tried, and a refusal remembered; else the rest is asked for in words.
 */

import { withoutVendor } from "../../core/models/longestPrefix.ts";
import type { Message } from "../../core/message.ts";
import { textOf } from "../../core/message.ts";
import type { RefusedParameters } from "../../core/models/refusedParameters.ts";
import type { ModelId } from "../../core/ids.ts";
import type { Continuation } from "../../core/stream/seam.ts";
import type { ReportedError } from "./httpFailure.ts";
import { saysContextOverflow } from "./lengthErrors.ts";

/** Text of the answer that a request ends with; empty when it ends with something else. */
export function answerAtEnd(messages: readonly Message[]): string {
  const start = messages.findLastIndex(({ role }) => role !== "assistant") + 1;
  const answer = messages.slice(start).map(textOf).join("");
  return answer.trim() === "" ? "" : answer;
}

/** Servers known to go on with an answer that is given last. */
export type GoesOn = "yes" | "no" | "unknown";

/** OpenAI's models begin a new message wherever they are served. */
export function goesOnByName(model: string): GoesOn {
  return /^(?:gpt-(?!oss)|chatgpt|o\d|codex)/i.test(withoutVendor(model)) ? "no" : "unknown";
}

/** How one request ends. */
export class AnswerEnding {
  readonly #model: ModelId;
  readonly #refused: RefusedParameters;
  readonly #goesOn: GoesOn;
  /** Refused in other words than known ones: learned once the request in words is accepted. */
  #isDoubted = false;
  #isGiven = false;

  constructor(model: ModelId, refused: RefusedParameters, goesOn: GoesOn) {
    this.#model = model;
    this.#refused = refused;
    this.#goesOn = goesOn;
  }

  /** True when the answer at the end of `messages` is sent as it is, without words after it. */
  givesLast(messages: readonly Message[]): boolean {
    const isPossible = this.#goesOn !== "no" && !this.#isDoubted && !this.#refused.has(this.#model, GIVEN_LAST);
    this.#isGiven = isPossible && answerAtEnd(messages) !== "";
    return this.#isGiven;
  }

  /** Of the request that was sent last. */
  get how(): Continuation {
    if (!this.#isGiven) return "asked";
    return this.#goesOn === "yes" ? "given" : "tried";
  }

  /** True for an error after which the model is asked in words. */
  learn(reported: ReportedError): boolean {
    const { status = 0, message } = reported;
    if (!this.#isGiven || status < 400 || saysContextOverflow(message)) return false;
    if (GIVEN_LAST_REFUSED.test(message)) this.forget();
    else if (status !== 400 && status !== 422) return false;
    this.#isDoubted = true;
    return true;
  }

  /** The request was accepted. */
  accepted(): void {
    if (this.#isDoubted) this.forget();
  }

  /** The model does not go on with an answer that is given last. */
  forget(): void {
    this.#refused.add(this.#model, GIVEN_LAST);
  }
}

const GIVEN_LAST = "answerGivenLast";

/** Anthropic, twice; Bedrock; Mistral; llama.cpp, twice; vLLM; Google and others. */
const GIVEN_LAST_REFUSED =
  /\bprefill|must end with a user|must start with a thinking block|last (?:message|role|turn)\b.{0,60}\b(?:user|tool)\b|final message\b.{0,40}\b(?:user|appear)|2 or more assistant messages at the end|roles must alternate|ends? with (?:an? )?(?:assistant|model)/i;

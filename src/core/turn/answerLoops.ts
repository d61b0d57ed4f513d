/** Watches an answer, its thoughts and the inputs of its calls for repetition while they are streamed. */

import { type Loop, LoopDetector } from "../repetition/loopDetector.ts";
import type { StreamEvent } from "../stream/streamEvent.ts";

export type SeenLoop = Pick<Loop, "times" | "where">;

/** A loop is told again when it is so much longer, so that long ones are not told with every piece. */
const TOLD_AGAIN_AT = 1.25;

export class AnswerLoops {
  #text = new LoopDetector();
  #thinking = new LoopDetector();
  #input = new LoopDetector();
  #current: Loop | undefined;
  #toldTimes = 0;

  read(event: StreamEvent): void {
    switch (event.kind) {
      case "text":
        this.#follow(this.#text, event.text);
        break;
      case "thinking":
        this.#follow(this.#thinking, event.text);
        break;
      case "textWasThinking":
        [this.#thinking, this.#text] = [this.#text, new LoopDetector()];
        break;
      case "toolCallStart":
        this.#input = new LoopDetector();
        this.#follow(this.#input, "```\n"); // an input is data, like a fence
        break;
      case "toolCallArgs":
        this.#follow(this.#input, event.json);
        break;
      default: // nothing that a model writes
    }
  }

  /** News of the loop that the answer is in: nothing, a loop, or (null) that it went on. */
  news(): SeenLoop | null | undefined {
    if (this.#current === undefined) {
      if (this.#toldTimes === 0) return undefined;
      this.#toldTimes = 0;
      return null;
    }
    const { times, where } = this.#current;
    if (times < this.#toldTimes * TOLD_AGAIN_AT) return undefined;
    this.#toldTimes = times;
    return { times, where };
  }

  #follow(detector: LoopDetector, text: string): void {
    detector.push(text);
    this.#current = detector.current;
  }
}

/** Contents of a generated file that must be in the conversations that are made of it. */

import type { Part } from "../../../src/core/message.ts";
import type { GeneratedCall, Picture, Words } from "./talk.ts";

export interface ExpectedPart {
  /** `summary`: of the tool, over all that is before it in its branch. */
  readonly kind: Part["kind"] | "summary";
  /** In the branch that is shown. */
  readonly isShown: boolean;
  /** Of its message; absent where the format does not say. */
  readonly atMs?: number;
  readonly model?: string;
}

export class Tally {
  /** By mark. */
  readonly parts = new Map<number, ExpectedPart>();
  /** Mark of the result of each call, by the mark of the call; `undefined` for a call that was interrupted. */
  readonly resultOf = new Map<number, number | undefined>();
  readonly titles: string[] = [];
  conversations = 0;
  messages = 0;
  /** Ends of branches. */
  leaves = 0;
  usages = 0;
  inputTokens = 0;
  outputTokens = 0;
  damaged = 0;

  expect({ mark }: Words | Picture, part: ExpectedPart): void {
    this.parts.set(mark, part);
  }

  /** A call with its result, and the picture in it where the format has any. */
  expectCall({ input, result, picture }: GeneratedCall, isShown: boolean, hasPictures = true): void {
    this.expect(input, { kind: "toolCall", isShown });
    this.resultOf.set(input.mark, result?.mark);
    if (result !== undefined) this.expect(result, { kind: "toolResult", isShown });
    if (hasPictures && result !== undefined && picture !== undefined) this.expect(picture, { kind: "image", isShown });
  }

  expectUsage({ inputTokens, outputTokens }: { readonly inputTokens: number; readonly outputTokens: number }): void {
    this.usages++;
    this.inputTokens += inputTokens;
    this.outputTokens += outputTokens;
  }
}

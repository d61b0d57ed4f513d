/** The model of a raced conversation: answers at its own pace, and checks its requests. */

import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import type { PreparedContext } from "../../../src/core/context/request/preparedContext.ts";
import { toolCallId } from "../../../src/core/ids.ts";
import type { CancelSignal } from "../../../src/core/cancellation.ts";
import type { Provider } from "../../../src/core/stream/provider.ts";
import { ok } from "../../../src/core/result.ts";
import { guardedProvider } from "../../../src/core/stream/guardedProvider.ts";
import type { StreamEvent } from "../../../src/core/stream/streamEvent.ts";
import type { Tool } from "../../../src/core/tools/tool.ts";
import { realClock } from "../clocks.ts";
import { fakeTool } from "../editor/fakeTools.ts";
import { orphansIn } from "./turnRun.ts";

/** Answer to one request: pieces of text, calls of a tool that needs permission, and the end. */
export interface RacedAnswer {
  readonly pieces: number;
  readonly calls: number;
  readonly end: "done" | "failed" | "silent";
}

/** The time from opening the conversation to a crash or its close. Later effects do not count. */
export interface Life {
  isOver: boolean;
  /** Requests being answered. */
  readonly live: Set<symbol>;
}

/** From this request on there are no tool calls, or a turn might never end. */
const CALM_FROM = 40;

/** Answers requests, and runs the only tool. */
export class RacedModel {
  /** Errors that would otherwise go unnoticed. */
  readonly bugs: string[] = [];
  /** Number of runs by call. */
  readonly runs = new Map<string, number>();
  readonly #answers: readonly RacedAnswer[];
  #asked = 0;

  constructor(answers: readonly RacedAnswer[]) {
    this.#answers = answers;
  }

  provider(life: Life): Provider {
    const raw: Provider = {
      name: "raced",
      label: "Raced",
      stream: (prepared, _options, cancel) => this.#stream(prepared, life, cancel),
      listModels: () => Promise.resolve(ok([])),
    };
    return guardedProvider(raw, realClock);
  }

  /** A tool that needs permission and takes a moment. */
  tool(life: Life): Tool {
    return fakeTool("ask", {
      effect: "runs",
      run: async (inputJson) => {
        if (!life.isOver) this.runs.set(inputJson, (this.runs.get(inputJson) ?? 0) + 1);
        for (let turn = 0; turn < 6; turn++) await setImmediate();
        return { outcome: "ok", text: inputJson };
      },
    });
  }

  /** A request is live until it is stopped or its last event is read. */
  async *#stream(prepared: PreparedContext, life: Life, cancel: CancelSignal): AsyncGenerator<StreamEvent> {
    const request = Symbol();
    life.live.add(request);
    cancel.addEventListener("abort", () => life.live.delete(request));
    await this.#look(async () => {
      if (!life.isOver) assert.equal(life.live.size, 1, "one request is live at a time");
      const messages = await prepared.apiMessages();
      assert.ok(messages.ok);
      assert.deepEqual(orphansIn(messages.value), [], "a provider is never sent a call without its result");
    });
    for await (const event of this.#answer(this.#asked++, cancel)) {
      if (event.kind === "done" || event.kind === "failed") life.live.delete(request);
      yield event;
    }
  }

  /** Records exceptions as bugs, even if the guarded provider turns them into failures. */
  async #look(at: () => Promise<void>): Promise<void> {
    try {
      await at();
    } catch (error) {
      this.bugs.push(String(error));
      throw error;
    }
  }

  async *#answer(number: number, cancel: CancelSignal): AsyncGenerator<StreamEvent> {
    const { pieces, calls: wanted, end } = this.#answers[number % this.#answers.length] ?? TALK;
    for (let piece = 0; piece < pieces && !cancel.aborted; piece++) {
      yield { kind: "text", text: `answer ${String(number)} ` };
      await setImmediate();
    }
    const isCalm = number >= CALM_FROM;
    const calls = isCalm ? 0 : wanted;
    for (let call = 0; call < calls && !cancel.aborted; call++) {
      const callId = toolCallId(`call_${String(number)}_${String(call)}`);
      yield { kind: "toolCallStart", callId, name: "ask" };
      yield { kind: "toolCallArgs", callId, json: JSON.stringify({ callId }) };
      await setImmediate();
    }
    if (end === "silent" && !isCalm) {
      await new Promise<void>((resolve) => {
        cancel.addEventListener("abort", resolve);
      });
    } else if (end === "failed" && !isCalm) {
      yield { kind: "failed", error: { code: "AUTH_FAILED", provider: "raced", detail: "" } };
    } else {
      yield { kind: "done", stopReason: calls > 0 ? "toolUse" : "endTurn" };
    }
  }
}

const TALK: RacedAnswer = { pieces: 1, calls: 0, end: "done" };

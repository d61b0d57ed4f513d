/** Tools that a test watches. */

import type { CancelSignal } from "../../../src/core/cancellation.ts";
import { ok, type Result } from "../../../src/core/result.ts";
import type { Tool, ToolCallView, ToolEffect, ToolOutcome } from "../../../src/core/tools/tool.ts";

/** A tool, and what was asked of it. */
export interface FakeTool extends Tool {
  /** The inputs that it was run with, oldest first. */
  readonly ran: readonly string[];
}

/** How a fake tool behaves; what is left out has a default. */
export interface FakeToolSetup {
  readonly effect?: ToolEffect;
  readonly describe?: (inputJson: string) => Promise<Result<ToolCallView, string>>;
  /** What it answers; by default "ran" and its input. */
  readonly run?: (inputJson: string, cancel: CancelSignal) => Promise<ToolOutcome>;
}

/** A tool that reads, unless it is said otherwise. */
export function fakeTool(name: string, setup: FakeToolSetup = {}): FakeTool {
  const ran: string[] = [];
  return {
    ran,
    effect: setup.effect ?? "reads",
    definition: { name, description: `The tool ${name}.`, inputSchemaJson: '{"type":"object"}' },
    describe: setup.describe ?? ((inputJson) => Promise.resolve(ok({ title: `${name} it`, detail: inputJson }))),
    run: (inputJson, cancel) => {
      ran.push(inputJson);
      return setup.run?.(inputJson, cancel) ?? Promise.resolve({ outcome: "ok", text: `ran ${inputJson}` });
    },
  };
}

/** A run that never ends by itself; `ended` is true once it was told to stop. */
export function hanging(): { readonly run: NonNullable<FakeToolSetup["run"]>; readonly ended: () => boolean } {
  let isEnded = false;
  return {
    run: (_inputJson, cancel) => {
      cancel.addEventListener("abort", () => (isEnded = true));
      return new Promise(() => undefined);
    },
    ended: () => isEnded,
  };
}

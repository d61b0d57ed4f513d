import { ok, type Result } from "../../../src/core/result.ts";
import type { Tool, ToolCallView, ToolEffect } from "../../../src/core/tools/tool.ts";

/** A tool that records its calls. */
export interface FakeTool extends Tool {
  /** Inputs of its runs, oldest first. */
  readonly ran: readonly string[];
}

export interface FakeToolSetup {
  readonly effect?: ToolEffect;
  readonly describe?: (inputJson: string) => Promise<Result<ToolCallView, string>>;
  /** Its result; by default "ran" and its input. */
  readonly run?: Tool["run"];
}

/** A fake tool; by default it only reads. */
export function fakeTool(name: string, setup: FakeToolSetup = {}): FakeTool {
  const ran: string[] = [];
  return {
    ran,
    effect: setup.effect ?? "reads",
    definition: { name, description: `The tool ${name}.`, inputSchemaJson: '{"type":"object"}' },
    describe: setup.describe ?? ((inputJson) => Promise.resolve(ok({ title: `${name} it`, detail: inputJson }))),
    run: (inputJson, cancel, reached) => {
      ran.push(inputJson);
      return setup.run?.(inputJson, cancel, reached) ?? Promise.resolve({ outcome: "ok", text: `ran ${inputJson}` });
    },
  };
}

/** A run that ends only when cancelled; `ended` is true after that. */
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

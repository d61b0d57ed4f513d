/** Makes a tool of a definition: validates the input of each call, and never throws into the turn. */

import type * as v from "valibot";
import { thrownText } from "../../core/errors.ts";
import type { CancelSignal } from "../../core/cancellation.ts";
import type { ToolDefinition } from "../../core/context/request/requestOverhead.ts";
import { err, ok, type Result } from "../../core/result.ts";
import type { Tool, ToolCallView, ToolEffect, ToolOutcome } from "../../core/tools/tool.ts";
import { inputSchemaJson, type InputSchema, parseInput, type TakeInstead } from "./input/toolInput.ts";
import { CANCELLED_FAILURE, failedOutcome, failureText, type ToolFailure } from "./toolFailure.ts";

export interface HostToolDefinition<Schema extends InputSchema> {
  readonly name: string;
  /** For the model. */
  readonly description: string;
  /** Added to the description as it is when a request is made. */
  readonly note?: () => string;
  readonly effect: ToolEffect;
  readonly input: Schema;
  /** Rewrites fields that some models give in another shape. */
  readonly takeInstead?: TakeInstead;
  /** What the user sees before the call runs. */
  readonly view: (input: v.InferOutput<Schema>) => CallViewResult | Promise<CallViewResult>;
  /** See {@link Tool.preview}. */
  readonly preview?: (input: v.InferOutput<Schema>, cancel: CancelSignal) => ReturnType<NonNullable<Tool["preview"]>>;
  /** The text of a success is the result for the model. For `reached`, see {@link Tool.run}. */
  readonly run: (
    input: v.InferOutput<Schema>,
    cancel: CancelSignal,
    reached: (success: Success) => void,
  ) => Promise<Result<string | Success, ToolFailure>>;
}

type Success = Omit<ToolOutcome, "outcome">;

/** What the user sees of a call, or why it is invalid. */
export type CallViewResult = Result<ToolCallView, ToolFailure>;

/** Takes unexpected exceptions. */
export type ReportBug = (error: unknown) => void;

/** Exceptions of `run` and `view` are reported as bugs, and fail only this call. */
export function hostTool<Schema extends InputSchema>(tool: HostToolDefinition<Schema>, reportBug: ReportBug): Tool {
  const parse = (inputJson: string): Result<v.InferOutput<Schema>, ToolFailure> => {
    const parsed = parseInput(tool.input, inputJson, tool.takeInstead);
    return parsed.ok ? parsed : err({ code: "INVALID_INPUT", text: parsed.error });
  };
  const bug = (error: unknown): ToolFailure => {
    reportBug(error);
    return { code: "FAILED", text: `The tool ${tool.name} made a mistake of its own: ${thrownText(error)}` };
  };
  const { preview } = tool;
  const { name, description, note, effect } = tool;
  const schema = inputSchemaJson(tool.input);
  return {
    get definition(): ToolDefinition {
      return { name, description: description + (note?.() ?? ""), inputSchemaJson: schema };
    },
    effect,
    async describe(inputJson): Promise<Result<ToolCallView, string>> {
      const input = parse(inputJson);
      if (!input.ok) return err(failureText(input.error));
      try {
        const view = await tool.view(input.value);
        return view.ok ? view : err(failureText(view.error));
      } catch (error) {
        return err(failureText(bug(error)));
      }
    },
    ...(preview === undefined
      ? {}
      : {
          preview: async (inputJson, cancel) => {
            const input = parse(inputJson);
            return input.ok ? preview(input.value, cancel) : undefined;
          },
        }),
    async run(inputJson, cancel, reached): Promise<ToolOutcome> {
      const input = parse(inputJson);
      if (!input.ok) return failedOutcome(input.error);
      if (cancel.aborted) return failedOutcome(CANCELLED_FAILURE);
      try {
        const done = await tool.run(input.value, cancel, (success) => reached?.({ outcome: "ok", ...success }));
        if (!done.ok) return failedOutcome(done.error);
        return { outcome: "ok", ...(typeof done.value === "string" ? { text: done.value } : done.value) };
      } catch (error) {
        return failedOutcome(bug(error));
      }
    },
  };
}

export function titleOnlyView(title: string): CallViewResult {
  return ok({ title, detail: "" });
}

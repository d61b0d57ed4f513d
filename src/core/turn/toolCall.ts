/** Describes and runs one tool call. Never throws: the model is told what is wrong with a call. */

import { thrownText } from "../errors.ts";
import { parseShallowJson } from "../json.ts";
import type { BatchCall } from "../journal/toolBatch.ts";
import type { CancelSignal } from "../cancellation.ts";
import { err, ok, type Result } from "../result.ts";
import { errorDetail } from "../stream/errorDetail.ts";
import type { Tool, ToolCallView, ToolOutcome } from "../tools/tool.ts";

export interface DescribedCall {
  readonly tool: Tool;
  readonly inputJson: string;
  readonly view: ToolCallView;
}

/** Finds the tool and has it read the input, without running it. The error is a message for the model. */
export async function describeCall(
  { name, inputJson }: Pick<BatchCall, "name" | "inputJson">,
  tools: readonly Tool[],
): Promise<Result<DescribedCall, string>> {
  const tool = tools.find(({ definition }) => definition.name === name);
  if (tool === undefined) {
    const names = tools.map(({ definition }) => definition.name).join(", ");
    return err(
      `There is no tool ${JSON.stringify(name)} here. ${names === "" ? "There are none." : `There are: ${names}.`}`,
    );
  }
  // Some models call a tool without parameters with no input at all. Truncated input is never completed.
  const input = inputJson.trim() === "" ? "{}" : inputJson;
  const fault = faultOf(input);
  if (fault !== undefined) return err(`The input was not run: ${fault}`);
  try {
    const view = await tool.describe(input);
    return view.ok ? ok({ tool, inputJson: input, view: view.value }) : view;
  } catch (thrown) {
    return err(failureText(thrown));
  }
}

/** The call must have been approved. */
export async function runTool(
  { tool, inputJson }: DescribedCall,
  cancel: CancelSignal,
  reached: (outcome: ToolOutcome) => void,
): Promise<ToolOutcome> {
  try {
    return await tool.run(inputJson, cancel, reached);
  } catch (thrown) {
    return { outcome: "error", text: failureText(thrown) };
  }
}

function faultOf(json: string): string | undefined {
  const parsed = parseShallowJson(json);
  if (!parsed.ok) return `it is not valid JSON (${errorDetail(parsed.error)}).`;
  const { value } = parsed;
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? undefined : "it must be a JSON object.";
}

function failureText(thrown: unknown): string {
  return `The tool failed: ${errorDetail(thrownText(thrown))}`;
}

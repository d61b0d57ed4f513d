/** The request that has a model write a summary, for the user to read. */

import type { ContextManager } from "../../../core/context/contextManager.ts";
import type { PreparedContext } from "../../../core/context/request/preparedContext.ts";
import type { ForgeError } from "../../../core/errors.ts";
import { textOf } from "../../../core/message.ts";
import type { ModelId, SummaryId } from "../../../core/ids.ts";
import { modelName } from "../../../core/models/modelName.ts";
import { toolOf, type Summary } from "../../../core/history/summaries/summary.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import type { Provider, WireContext } from "../../../core/stream/provider.ts";
import type { StreamEvent } from "../../../core/stream/streamEvent.ts";
import { CallAllowance } from "../../../core/summary/write/callAllowance.ts";
import { localize } from "../../../protocol/localize.ts";
import { yieldToHost } from "../../background/readInSlices.ts";
import { toolName } from "../../words/toolNames.ts";
import type { SummaryWriters } from "./compactionOrder.ts";
import { stepsOf } from "./compactionSteps.ts";
import { draftsOf, type StepDeps } from "./stepSummaries.ts";

/**
 * The request for summary `id` as it would be sent now, the first one where it takes several; `undefined` where no model
 * would be asked. Sends and stores nothing.
 */
export async function summaryRequest(
  id: SummaryId,
  manager: ContextManager,
  writers: SummaryWriters,
  deps: Omit<StepDeps, "calls" | "focus" | "onProgress">,
): Promise<Result<WireContext | undefined, ForgeError>> {
  if (writers.small.provider === undefined) return ok(undefined);
  const copy = manager.copy();
  for (const wave of stepsOf({ trigger: "manual", regenerate: { id } }, undefined, copy, writers)) {
    if (deps.cancel.aborted) return err({ code: "CANCELLED" });
    const step = wave?.[0];
    if (step === undefined) {
      await yieldToHost();
      continue;
    }
    const provider = new RequestReader(writers.small.provider);
    const calls = new CallAllowance(1);
    const drafts = await draftsOf({ ...step, provider }, copy, {
      ...deps,
      ...{ calls, focus: undefined, onProgress: () => undefined },
    });
    return provider.request === undefined && !drafts.ok ? drafts : ok(provider.request);
  }
  return ok(undefined);
}

/** Keeps the request instead of sending it. */
class RequestReader implements Provider {
  readonly name: string;
  readonly label: string;
  request: WireContext | undefined;

  constructor({ name, label }: Provider) {
    this.name = name;
    this.label = label;
  }

  async *stream(prepared: PreparedContext): AsyncIterable<StreamEvent> {
    const messages = await prepared.apiMessages();
    if (messages.ok)
      this.request ??= { systemPrompt: prepared.systemPrompt, tools: prepared.tools, messages: messages.value };
    yield { kind: "failed", error: messages.ok ? { code: "CANCELLED" } : messages.error };
  }

  listModels(): Promise<Result<[], ForgeError>> {
    return Promise.resolve(ok([]));
  }
}

export interface SummaryRequestNow {
  readonly request: WireContext | undefined;
  /** The model that writes summaries now. */
  readonly model: ModelId;
}

/** Said of a summary that no model of this machine was asked for. */
function originOf(summary: Summary): readonly string[] {
  const tool = toolOf(summary);
  if (tool !== undefined)
    return [localize("{0} wrote this summary. It was imported with the conversation.", toolName(tool))];
  return summary.generatedBy === "extract"
    ? [localize("Forge wrote this summary itself, from the messages, without a model.")]
    : [];
}

/** The request as a document. */
export function requestDocument({ request, model }: SummaryRequestNow, summary: Summary): string {
  const lines = originOf(summary);
  if (request === undefined)
    return `${[...lines, localize("No model is set up that would be asked for it.")].join("\n\n")}\n`;
  return [
    ...lines,
    localize("This is how {0} is asked to write this summary now. Nothing was sent to show it.", modelName(model)),
    `# ${localize("Instructions")}`,
    request.systemPrompt,
    ...request.messages.flatMap((message, index) => [`# ${localize("Message {0}", index + 1)}`, textOf(message)]),
  ].join("\n\n");
}

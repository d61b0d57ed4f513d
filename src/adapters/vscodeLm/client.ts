/**
 * Raw provider for the editor's models; wrap it in `guardedProvider`. The first request makes the editor ask for
 * consent, so it needs a user action. There is no usage and no end event: a stream that ends without an error is
 * complete.
 */

import type * as vscode from "vscode";
import type { PreparedContext } from "../../core/context/request/preparedContext.ts";
import type { ForgeError } from "../../core/errors.ts";
import { modelId, type ModelId } from "../../core/ids.ts";
import { type OfferedModel, type Provider, type WireContext } from "../../core/stream/provider.ts";
import { err, ok, type Result } from "../../core/result.ts";
import type { EventQueue } from "../../core/stream/eventQueue.ts";
import { streamFromWork } from "../http/streamFromWork.ts";
import type { StreamEvent } from "../../core/stream/streamEvent.ts";
import { restOfAnswer } from "../http/restOfAnswer.ts";
import { schemaObject } from "../http/wireMessages.ts";
import { decodePart } from "./decode.ts";
import type { EditorApi } from "./editorApi.ts";
import { encodeMessages } from "./encode.ts";
import { PROVIDER, toForgeError } from "./errors.ts";

/** Pass the module: `createEditorProvider(vscode)`. */
export function createEditorProvider(api: EditorApi): Provider {
  return {
    name: PROVIDER,
    label: api.env.appName, // a name fits anywhere in a sentence, in every language
    stream(prepared, options, cancel) {
      const source = new api.CancellationTokenSource();
      const abort = (): void => {
        source.cancel();
      };
      const request = { prepared, model: options.model, token: source.token };
      return streamFromWork(cancel, abort, (queue) =>
        send(api, request, queue).finally(() => {
          source.dispose();
        }),
      );
    },
    listModels: () => listModels(api),
    requestBody: (context, { model }) =>
      Promise.resolve({ model, ...toolsOption(context.tools), messages: encodeMessages(api, context) }),
  };
}

interface EditorRequest {
  readonly prepared: PreparedContext;
  readonly model: ModelId;
  readonly token: vscode.CancellationToken;
}

/** Never rejects: every end is an event. */
async function send(api: EditorApi, request: EditorRequest, queue: EventQueue<StreamEvent>): Promise<void> {
  const { prepared, model, token } = request;
  try {
    const messages = await prepared.apiMessages();
    if (!messages.ok) {
      queue.push({ kind: "failed", error: messages.error });
      return;
    }
    const [chat] = await api.lm.selectChatModels(selectorOf(model));
    if (chat === undefined) {
      queue.push({ kind: "failed", error: { code: "MODEL_UNKNOWN", provider: PROVIDER, model } });
      return;
    }
    const { systemPrompt, tools } = prepared;
    const encoded = encodeMessages(api, { systemPrompt, messages: messages.value });
    const response = await chat.sendRequest(encoded, { justification: JUSTIFICATION, ...toolsOption(tools) }, token);
    const rest = restOfAnswer(messages.value, ASKED_IN_WORDS);
    const push = (event: StreamEvent): void => {
      for (const told of rest?.events(event) ?? [event]) queue.push(told);
    };
    let called = false;
    for await (const part of response.stream) {
      for (const event of decodePart(api, part)) {
        called ||= event.kind === "toolCallStart";
        push(event);
      }
    }
    push({ kind: "done", stopReason: called ? "toolUse" : "endTurn" });
  } catch (thrown) {
    queue.push({ kind: "failed", error: toForgeError(thrown, model) });
  }
}

/** The editor's models are not known to go on with an answer of theirs. */
const ASKED_IN_WORDS = { how: "asked", forget: () => undefined } as const;

/** Shown in the editor's request for consent. */
const JUSTIFICATION = "Forge answers your messages with the model that you picked.";

function toolsOption(tools: WireContext["tools"]): Pick<vscode.LanguageModelChatRequestOptions, "tools"> {
  if (tools.length === 0) return {};
  return {
    tools: tools.map((tool) => ({ name: tool.name, description: tool.description, inputSchema: schemaObject(tool) })),
  };
}

/** The editor reports only the input limit; this is added to it for the answer. */
const ASSUMED_OUTPUT_TOKENS = 8_192;

async function listModels(api: EditorApi): Promise<Result<readonly OfferedModel[], ForgeError>> {
  try {
    return ok((await api.lm.selectChatModels()).map(offered));
  } catch (thrown) {
    return err(toForgeError(thrown, undefined));
  }
}

function offered(chat: vscode.LanguageModelChat): OfferedModel {
  const named = { id: modelId(`${chat.vendor}/${chat.id}`), label: `${chat.name} (${chat.vendor})` };
  if (!Number.isSafeInteger(chat.maxInputTokens) || chat.maxInputTokens <= 0) return named;
  const limits = { contextWindow: chat.maxInputTokens + ASSUMED_OUTPUT_TOKENS, maxOutput: ASSUMED_OUTPUT_TOKENS };
  return { ...named, limits };
}

/** Ids are unique only within a vendor, so a model is named by both. */
function selectorOf(model: ModelId): vscode.LanguageModelChatSelector {
  const slash = model.indexOf("/");
  return slash < 0 ? { id: model } : { vendor: model.slice(0, slash), id: model.slice(slash + 1) };
}

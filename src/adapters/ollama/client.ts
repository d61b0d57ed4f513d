/** Raw provider for Ollama's native API, its only one with a context length; wrap it in `guardedProvider`. */

import { RefusedParameters } from "../../core/models/refusedParameters.ts";
import type { PreparedContext } from "../../core/context/request/preparedContext.ts";
import type { ModelId } from "../../core/ids.ts";
import type { Provider, StreamOptions } from "../../core/stream/provider.ts";
import { exchangeStream, type Exchange } from "../http/exchange.ts";
import { member } from "../../core/json.ts";
import type { StreamEvent } from "../../core/stream/streamEvent.ts";
import { AnswerEnding } from "../http/continuation.ts";
import { LocalWork, type OnSpeed } from "../http/localWork.ts";
import { speedOfDurations } from "../http/serverTimings.ts";
import { OptionalParameters } from "../http/optionalParameters.ts";
import { OllamaDecoder } from "./decode.ts";
import { encodeChat, type OllamaParameter } from "./encode.ts";
import { fetchAllocatedContexts, fetchModelFacts, isInMemory, type ModelFacts } from "./modelFacts.ts";
import { isHostedElsewhere, listModels } from "./models.ts";
import { jsonLines, readsAsLines } from "./ndjson.ts";
import { sendRequest, factsOf, OllamaError, PROVIDER, readError, type OllamaAddress } from "./ollamaServer.ts";

/** Ollama allocated a smaller context, or read fewer tokens, than requested: it cut the start of the conversation. */
export interface ContextCut {
  readonly model: ModelId;
  /** Tokens requested (`window`) or sent (`prompt`). */
  readonly wantedTokens: number;
  /** Tokens allocated (`window`) or read (`prompt`). */
  readonly givenTokens: number;
  readonly of: "window" | "prompt";
}

export interface OllamaSettings extends OllamaAddress {
  /** Absent: refusals are forgotten with the provider. */
  readonly refused?: RefusedParameters;
  readonly onCut?: (cut: ContextCut) => void;
  /** Called with the speed of each request to a server on the user's machines. */
  readonly onSpeed?: OnSpeed;
}

/** Opens no connection until it is used. */
export function createOllamaProvider(settings: OllamaSettings): Provider {
  const refused = settings.refused ?? new RefusedParameters();
  const work = new LocalWork(settings.baseUrl, settings.onSpeed);
  const shown = new Map<ModelId, Promise<ModelFacts>>();
  /** One request per model, shared by concurrent streams: so the end of one stream must not abort it. */
  const factsOfModel = (model: ModelId): Promise<ModelFacts> => {
    const facts = shown.get(model) ?? fetchModelFacts(settings, model, AbortSignal.timeout(5_000));
    shown.set(model, facts);
    return facts;
  };
  return {
    name: PROVIDER,
    label: "Ollama",
    stream(prepared, options, cancel) {
      const live = new AbortController();
      const facts = (): Promise<ModelFacts> => factsOfModel(options.model);
      const request = { settings, refused, work, facts, prepared, options, signal: live.signal };
      return exchangeStream(prepared, cancel, live, exchangeOf(request));
    },
    listModels: (cancel) => {
      shown.clear();
      return listModels(settings, cancel);
    },
    async requestBody(context, options, limits) {
      const known = await factsOfModel(options.model);
      const parameters = optionalParameters(options.model, refused);
      const contextTokens = Math.min(limits.contextWindow, known.contextLength ?? Infinity);
      return encodeChat(context, options, {
        facts: known,
        contextTokens,
        accepts: parameters.accepts.bind(parameters),
        givesLast: new AnswerEnding(options.model, refused, "yes").givesLast(context.messages),
      });
    },
  };
}

interface OllamaRequest {
  readonly settings: OllamaSettings;
  readonly refused: RefusedParameters;
  readonly work: LocalWork;
  readonly facts: () => Promise<ModelFacts>;
  readonly prepared: PreparedContext;
  readonly options: StreamOptions;
  readonly signal: AbortSignal;
}

function exchangeOf(request: OllamaRequest): Exchange<unknown> {
  const { settings, refused, work, facts, prepared, options, signal } = request;
  const { model } = options;
  const requestFacts = { ...factsOf(settings), model };
  const decoder = new OllamaDecoder(requestFacts);
  const parameters = optionalParameters(model, refused);
  const wantedTokens = prepared.usage().usedTokens;
  const ending = new AnswerEnding(model, refused, "yes");
  let contextTokens = prepared.limits.contextWindow;
  let freshShare = 1;
  return {
    ending,
    facts: requestFacts,
    readError,
    async open(context, onBytes, tell) {
      const known = await facts();
      contextTokens = Math.min(prepared.limits.contextWindow, known.contextLength ?? Infinity);
      if (wantedTokens > contextTokens) throw contextTooLong(wantedTokens, contextTokens);
      const givesLast = ending.givesLast(context.messages);
      const form = { facts: known, contextTokens, accepts: parameters.accepts.bind(parameters), givesLast };
      const body = encodeChat(context, options, form);
      if (work.isLocal && !isHostedElsewhere(model)) {
        const isLoaded = await isInMemory(settings, model, contextTokens, signal);
        if (!isLoaded) work.forgetPrompt(model);
        freshShare = work.freshShare(model, context);
        const loading: StreamEvent = { kind: "waiting", why: "loading", ms: 0 };
        for (const event of isLoaded ? work.expected(wantedTokens, freshShare) : [loading]) tell(event);
      }
      const response = await sendRequest(settings, "/api/chat", { body, signal, onBytes });
      return { response, read: ({ body: lines }) => (lines === null ? noLines() : jsonLines(lines)) };
    },
    adjust: (said) => parameters.learn(said) || ending.learn(said),
    readsAsStream: readsAsLines,
    flush: () => decoder.flush(),
    eventsOfWhole: (body) => (typeof member(body, "message") === "object" ? [body] : undefined),
    decode(line) {
      const events = decoder.decode(line);
      if (decoder.usage !== undefined && !isHostedElsewhere(model))
        work.noteSpeed(model, speedOfDurations(line, freshShare));
      if (decoder.usage !== undefined && settings.onCut !== undefined) {
        const readTokens = decoder.usage.inputTokens;
        void reportCut({ settings, model, contextTokens, wantedTokens, readTokens, onCut: settings.onCut });
      }
      return events;
    },
    end: () => [],
  };
}

function optionalParameters(model: ModelId, refused: RefusedParameters): OptionalParameters<OllamaParameter> {
  return new OptionalParameters<OllamaParameter>(model, refused, {
    tools: /does not support tools/i,
    think: /does not support thinking|\bthink\b/i,
  });
}

function contextTooLong(wantedTokens: number, contextTokens: number): OllamaError {
  const message = `The model can hold ${String(contextTokens)} tokens, and the request has ${String(wantedTokens)}.`;
  return new OllamaError({ status: 400, type: "context_length_exceeded", message });
}

async function* noLines(): AsyncGenerator<never, void> {
  await Promise.resolve();
}

interface CutCheck {
  readonly settings: OllamaSettings;
  readonly model: ModelId;
  readonly contextTokens: number;
  readonly wantedTokens: number;
  readonly readTokens: number;
  readonly onCut: (cut: ContextCut) => void;
}

/** Token counts differ between models; a prompt was cut only if fewer than this share of its tokens were read. */
const CUT_SHARE = 0.6;
/** Shorter prompts are never cut. */
const LEAST_CUT_TOKENS = 2_000;

/** Checks after an answer what the server really allocated. Failures are ignored. */
async function reportCut({ settings, model, contextTokens, wantedTokens, readTokens, onCut }: CutCheck): Promise<void> {
  const allocated = await fetchAllocatedContexts(settings, AbortSignal.timeout(2_000));
  const givenTokens = allocated.get(model) ?? allocated.get(`${model}:latest`);
  if (givenTokens !== undefined && givenTokens < contextTokens) {
    onCut({ model, wantedTokens: contextTokens, givenTokens, of: "window" });
  } else if (readTokens > 0 && wantedTokens > LEAST_CUT_TOKENS && readTokens < wantedTokens * CUT_SHARE) {
    onCut({ model, wantedTokens, givenTokens: readTokens, of: "prompt" });
  }
}

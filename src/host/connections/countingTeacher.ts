/**
 * Teaches how a model counts before its first bill, where its server counts for free. Runs in the background; what it
 * learns is kept like that of bills, so each model and set of tools is asked about once.
 */

import type { CancelSignal } from "../../core/cancellation.ts";
import { toolSetOf, type RequestOverhead } from "../../core/context/request/requestOverhead.ts";
import { TokenCosts } from "../../core/context/tokenCosts.ts";
import type { UsageCalibrations } from "../../core/context/usage/usageCalibrations.ts";
import { textMessage, type Message } from "../../core/message.ts";
import { CONTENT_CLASSES, contentClassOf, NO_CONTENT } from "../../core/tokens/contentClass.ts";
import { COUNTING_SAMPLES } from "../../core/tokens/countingSamples.ts";
import type { CountedRequest } from "../../core/tokens/calibrator.ts";
import type { MessageCounter } from "../../core/tokens/messageCounter.ts";
import type { Connection } from "./connections.ts";

/** The same bills, repeated: the first ones are far off what was expected, which would stay a large margin of error. */
const ROUNDS = 3;

interface TeachingServices {
  readonly calibrations: UsageCalibrations;
  readonly messageCounter: MessageCounter;
}

/**
 * Does nothing where the server does not count, or all is known. Stops at the first count that the server refuses. True if
 * a count shows that the model's template drops tools.
 */
export async function teachCounting(
  { provider, model }: Pick<Connection, "provider" | "model">,
  overhead: RequestOverhead,
  { calibrations, messageCounter }: TeachingServices,
  cancel: CancelSignal,
): Promise<boolean> {
  const { countTokens } = provider;
  if (countTokens === undefined) return false;
  const costs = new TokenCosts(model);
  const { systemPrompt, tools } = overhead;
  const counted = async (message: Message, withTools: boolean): Promise<CountedRequest> => {
    const parts = costs.ofOverhead(withTools ? overhead : { ...overhead, tools: [] });
    const tokensOf = (isTools: boolean): number =>
      parts.reduce((sum, { kind, tokens }) => sum + ((kind === "tools") === isTools ? tokens : 0), 0);
    const own = costs.ofMessage(await messageCounter.count(message));
    const text = message.parts.map((part) => (part.kind === "text" ? part.text : "")).join("");
    const content = { ...NO_CONTENT, prose: tokensOf(false) };
    const kind = contentClassOf(text);
    return {
      content: { ...content, [kind]: content[kind] + own },
      messages: 0,
      fixedTokens: tokensOf(true),
      toolSet: withTools ? toolSetOf(overhead) : "",
    };
  };
  const asked = (message: Message, withTools: boolean): Promise<number | undefined> =>
    countTokens({ systemPrompt, tools: withTools ? tools : [], messages: [message] }, model, cancel);

  if (calibrations.of(model).saved.replies === 0) {
    const samples: [CountedRequest, number][] = [];
    for (const kind of CONTENT_CLASSES) {
      const message = textMessage("user", COUNTING_SAMPLES[kind]);
      const tokens = await asked(message, false);
      if (tokens === undefined) return false;
      samples.push([await counted(message, false), tokens]);
    }
    // A bill that arrived meanwhile knows better.
    if (calibrations.of(model).saved.replies > 0) return false;
    for (let round = 0; round < ROUNDS; round++) {
      for (const [request, tokens] of samples) calibrations.learn(model, request, tokens);
    }
  }
  const message = textMessage("user", COUNTING_SAMPLES.prose);
  const request = await counted(message, true);
  if (request.fixedTokens === 0 || calibrations.of(model).toolTokensOf(request) !== undefined) return false;
  const tokens = await asked(message, true);
  if (tokens === undefined || calibrations.of(model).toolTokensOf(request) !== undefined) return false;
  return calibrations.learn(model, request, tokens);
}

/** Models of a server with their windows, which servers report in many fields, or not at all. */

import { type CancelSignal } from "../../core/cancellation.ts";
import { countIn, tryParseJson } from "../../core/json.ts";
import { ok } from "../../core/result.ts";
import { modelsOfText, requestModels, type ListedModels } from "../http/modelList.ts";
import { bodyText } from "../http/responseBody.ts";
import { factsOf, readError } from "./errors.ts";
import type { LocalWindows } from "./localWindows.ts";
import { openAiClient, type OpenAiSettings } from "./openAiClient.ts";

/** Excludes models that cannot chat. Order: newest first for OpenAI, else the server's own. */
export function listModels(
  settings: OpenAiSettings,
  windows: LocalWindows,
  cancel: CancelSignal,
): Promise<ListedModels> {
  const facts = factsOf(settings);
  return requestModels({ facts, readError }, cancel, async (live) => {
    const response = await openAiClient(settings, "list").models.list({ signal: live }).asResponse();
    const isOpenAi = settings.name === "openai";
    const text = await bodyText(response);
    const listed = modelsOfText(facts, response, text, isOpenAi ? { rank: (row) => -countIn(row, "created") } : {});
    return listed.ok && !isOpenAi ? ok(await windows.withFacts(listed.value, tryParseJson(text), live)) : listed;
  });
}

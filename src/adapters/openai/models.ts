/** Models of a server with their windows, which servers report in many fields, or not at all. */

import { type CancelSignal } from "../../core/cancellation.ts";
import { countIn } from "../../core/json.ts";
import { ok } from "../../core/result.ts";
import { readModels, requestModels, type ListedModels } from "../http/modelList.ts";
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
    const listed = await readModels(facts, response, isOpenAi ? { rank: (row) => -countIn(row, "created") } : {});
    if (!listed.ok || isOpenAi || listed.value.some(({ limits }) => limits !== undefined)) return listed;
    return ok(await windows.withWindows(listed.value, live));
  });
}

/** Models of an Ollama server with the windows to plan with. Order: in memory, then newest, then hosted elsewhere. */

import { type CancelSignal } from "../../core/cancellation.ts";
import type { OfferedModel } from "../../core/stream/provider.ts";
import { ok } from "../../core/result.ts";
import { canChat, offeredModel } from "../http/listedModels.ts";
import { readModels, requestModels, type ListedModels } from "../http/modelList.ts";
import { fetchAllocatedContexts, fetchModelFacts, plannedWindow } from "./modelFacts.ts";
import { sendRequest, factsOf, readError, type OllamaAddress } from "./ollamaServer.ts";

/** Limit of models whose facts are requested. */
const MAX_FACT_REQUESTS = 40;

/** Excludes models that cannot chat. */
export function listModels(address: OllamaAddress, cancel: CancelSignal): Promise<ListedModels> {
  const facts = factsOf(address);
  return requestModels({ facts, readError }, cancel, async (live) => {
    const response = await sendRequest(address, "/api/tags", { signal: live });
    const listed = await readModels(facts, response, { isOffered: () => true });
    if (!listed.ok) return listed;
    const names = listed.value.map(({ id }) => id);
    const allocated = await fetchAllocatedContexts(address, live);
    const sorted = [...names].sort((one, other) => listRank(one, allocated) - listRank(other, allocated));
    const offered = await Promise.all(
      sorted.map((name, index) =>
        modelWithFacts(address, name, { allocated: allocated.get(name), live, ask: index < MAX_FACT_REQUESTS }),
      ),
    );
    return ok(offered.filter((model) => model !== undefined));
  });
}

/** Served through Ollama, but by a machine of its makers. */
export function isHostedElsewhere(name: string): boolean {
  return /[-:]cloud$/.test(name);
}

/** Models in memory answer at once; those hosted elsewhere are nobody's first choice on a server of their own. */
function listRank(name: string, allocated: ReadonlyMap<string, number>): number {
  if (isHostedElsewhere(name)) return 2;
  return allocated.has(name) ? 0 : 1;
}

async function modelWithFacts(
  address: OllamaAddress,
  name: string,
  {
    allocated,
    live,
    ask,
  }: { readonly allocated: number | undefined; readonly live: AbortSignal; readonly ask: boolean },
): Promise<OfferedModel | undefined> {
  const facts = ask ? await fetchModelFacts(address, name, live) : {};
  const isOffered = facts.capabilities?.has("completion") ?? canChat(name);
  if (!isOffered) return undefined;
  const contextWindow = plannedWindow(facts, allocated);
  const limits = contextWindow === undefined ? {} : { contextWindow };
  const { capabilities } = facts;
  return offeredModel(name, {
    limits,
    callsTools: capabilities?.has("tools"),
    seesImages: capabilities?.has("vision"),
  });
}

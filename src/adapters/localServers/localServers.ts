/**
 * Detects model servers on this machine at their default ports: one short request each, on the loopback interface only,
 * without an API key. A server counts only if its response has the expected format.
 */

import { listIn, member, stringField } from "../../core/json.ts";
import { boundedResponse } from "../http/boundedResponse.ts";
import { allowedHeaders } from "../http/allowedHeaders.ts";

export const LOCAL_SERVER_KINDS = ["ollama", "lmStudio", "llamaCpp", "vllm"] as const;
export type LocalServerKind = (typeof LOCAL_SERVER_KINDS)[number];

export interface LocalServer {
  readonly kind: LocalServerKind;
  /** In the form that its provider expects, e.g. "http://127.0.0.1:1234/v1". */
  readonly baseUrl: string;
  /** Available models, loaded or not. */
  readonly modelCount: number;
}

export const DEFAULT_PORTS: Readonly<Record<LocalServerKind, number>> = {
  ollama: 11434,
  lmStudio: 1234,
  llamaCpp: 8080,
  vllm: 8000,
};

/** Request timeout. A local server responds within a few milliseconds unless it is busy. */
const LIMIT_MS = 700;

/** In the order of {@link LOCAL_SERVER_KINDS}. Never rejects; takes less than a second. */
export async function findLocalServers(
  ports: Readonly<Record<LocalServerKind, number>> = DEFAULT_PORTS,
): Promise<readonly LocalServer[]> {
  const found = await Promise.all(LOCAL_SERVER_KINDS.map((kind) => PROBES[kind](`http://127.0.0.1:${ports[kind]}`)));
  return found.filter((server) => server !== undefined);
}

type Probe = (origin: string) => Promise<LocalServer | undefined>;

const PROBES: Readonly<Record<LocalServerKind, Probe>> = {
  ollama: async (origin) => {
    const tags = await readJson(`${origin}/api/tags`);
    if (!Array.isArray(member(tags, "models"))) return undefined;
    return { kind: "ollama", baseUrl: origin, modelCount: listIn(tags, "models").length };
  },
  lmStudio: (origin) => probeOpenAiCompatible("lmStudio", origin, (list) => Array.isArray(member(list, "data"))),
  llamaCpp: (origin) => probeOpenAiCompatible("llamaCpp", origin, (list) => isOwnedBy(list, /llama/i)),
  vllm: (origin) => probeOpenAiCompatible("vllm", origin, (list) => isOwnedBy(list, /vllm/i)),
};

async function probeOpenAiCompatible(
  kind: LocalServerKind,
  origin: string,
  isOne: (list: unknown) => boolean,
): Promise<LocalServer | undefined> {
  const list = await readJson(`${origin}/v1/models`);
  return isOne(list) ? { kind, baseUrl: `${origin}/v1`, modelCount: listIn(list, "data").length } : undefined;
}

/** For servers on ports that many programs use: the response must name the owner. */
function isOwnedBy(list: unknown, owner: RegExp): boolean {
  return listIn(list, "data").some((model) => owner.test(stringField(model, "owned_by")));
}

async function readJson(url: string): Promise<unknown> {
  const headers = allowedHeaders({ style: "bearer", apiKey: undefined });
  return fetch(url, { headers, redirect: "manual", signal: AbortSignal.timeout(LIMIT_MS) })
    .then((response) => boundedResponse(response, "list"))
    .then((response): Promise<unknown> => (response.ok ? response.json() : Promise.resolve(undefined)))
    .catch(() => undefined);
}

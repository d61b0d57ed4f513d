/**
 * Looks for model servers on this machine, at the ports where they usually listen. Each is asked once, briefly, on the
 * loopback only, without a key; what does not answer like such a server is not one.
 */

import { listIn, member, textIn } from "../../core/json.ts";
import { allowedHeaders } from "../http/allowedHeaders.ts";

/** The servers that are looked for. */
export const LOCAL_SERVER_KINDS = ["ollama", "lmStudio", "llamaCpp", "vllm"] as const;
/** One of {@link LOCAL_SERVER_KINDS}. */
export type LocalServerKind = (typeof LOCAL_SERVER_KINDS)[number];

/** A server that was found. */
export interface LocalServer {
  readonly kind: LocalServerKind;
  /** "http://127.0.0.1:1234/v1", as its provider wants it. */
  readonly baseUrl: string;
  /** How many models it offers; it may have none in memory. */
  readonly modelCount: number;
}

/** Where each usually listens. */
export const USUAL_PORTS: Readonly<Record<LocalServerKind, number>> = {
  ollama: 11434,
  lmStudio: 1234,
  llamaCpp: 8080,
  vllm: 8000,
};

/** A server on this machine answers in a few milliseconds, or is busy with something else. */
const LIMIT_MS = 700;

/** The servers that are there, in the order of {@link LOCAL_SERVER_KINDS}. Never fails, and takes less than a second. */
export async function findLocalServers(
  ports: Readonly<Record<LocalServerKind, number>> = USUAL_PORTS,
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
  lmStudio: (origin) => compatible("lmStudio", origin, (list) => Array.isArray(member(list, "data"))),
  llamaCpp: (origin) => compatible("llamaCpp", origin, (list) => isOwnedBy(list, /llama/i)),
  vllm: (origin) => compatible("vllm", origin, (list) => isOwnedBy(list, /vllm/i)),
};

async function compatible(
  kind: LocalServerKind,
  origin: string,
  isOne: (list: unknown) => boolean,
): Promise<LocalServer | undefined> {
  const list = await readJson(`${origin}/v1/models`);
  return isOne(list) ? { kind, baseUrl: `${origin}/v1`, modelCount: listIn(list, "data").length } : undefined;
}

/** The ports of these are popular: anything may listen there, so the server has to say what it is. */
function isOwnedBy(list: unknown, owner: RegExp): boolean {
  return listIn(list, "data").some((model) => owner.test(textIn(model, "owned_by")));
}

async function readJson(url: string): Promise<unknown> {
  const headers = allowedHeaders({ style: "bearer", apiKey: undefined });
  return fetch(url, { headers, redirect: "manual", signal: AbortSignal.timeout(LIMIT_MS) })
    .then((response): Promise<unknown> => (response.ok ? response.json() : Promise.resolve(undefined)))
    .catch(() => undefined);
}

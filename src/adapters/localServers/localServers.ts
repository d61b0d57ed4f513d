/**
 * Detects model servers on this machine at their usual ports: one short request each, on the loopback interface only,
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

/** Kind of server that a port is known for. Other kinds are recognized there, too, if their answers name them. */
export interface LocalPort {
  readonly kind: LocalServerKind;
  readonly port: number;
}

/** llama.cpp moves from 8080 to 9931, by its own notice. */
export const USUAL_PORTS: readonly LocalPort[] = [
  { kind: "ollama", port: 11434 },
  { kind: "lmStudio", port: 1234 },
  { kind: "llamaCpp", port: 9931 },
  { kind: "llamaCpp", port: 8080 },
  { kind: "vllm", port: 8000 },
];

/** Request timeout. A local server responds within a few milliseconds unless it is busy. */
const LIMIT_MS = 700;

/** In the order of {@link LOCAL_SERVER_KINDS}, then of `ports`. Never rejects; takes less than a second. */
export async function findLocalServers(ports: readonly LocalPort[] = USUAL_PORTS): Promise<readonly LocalServer[]> {
  const found = (await Promise.all(ports.map(probe))).filter((server) => server !== undefined);
  const byAddress = new Map(found.map((server) => [server.baseUrl, server]));
  return LOCAL_SERVER_KINDS.flatMap((kind) => [...byAddress.values()].filter((server) => server.kind === kind));
}

async function probe({ kind, port }: LocalPort): Promise<LocalServer | undefined> {
  const origin = `http://127.0.0.1:${port}`;
  if (kind === "ollama") {
    const { body } = await readJson(`${origin}/api/tags`);
    const models = member(body, "models");
    return Array.isArray(models) ? { kind, baseUrl: origin, modelCount: models.length } : undefined;
  }
  const { status, body } = await readJson(`${origin}/v1/models`);
  const rows = listIn(body, "data");
  const named = status === 200 ? ownerOf(rows) : isLoading(status, body) ? "llamaCpp" : undefined;
  const found = named ?? (kind === "lmStudio" && Array.isArray(member(body, "data")) ? kind : undefined);
  return found === undefined ? undefined : { kind: found, baseUrl: `${origin}/v1`, modelCount: rows.length };
}

/** Many programs use these ports: the response must name the owner. */
function ownerOf(rows: readonly unknown[]): LocalServerKind | undefined {
  const owners = rows.map((row) => stringField(row, "owned_by").toLowerCase());
  if (owners.some((owner) => owner.includes("llama"))) return "llamaCpp";
  return owners.some((owner) => owner.includes("vllm")) ? "vllm" : undefined;
}

/** llama.cpp answers all requests like this until its model is in memory. */
function isLoading(status: number, body: unknown): boolean {
  return status === 503 && stringField(member(body, "error"), "message") === "Loading model";
}

/** Status 0: no answer, or none in JSON. */
async function readJson(url: string): Promise<{ readonly status: number; readonly body: unknown }> {
  const headers = allowedHeaders({ style: "bearer", apiKey: undefined });
  return fetch(url, { headers, redirect: "manual", signal: AbortSignal.timeout(LIMIT_MS) })
    .then((response) => boundedResponse(response, "list"))
    .then(async (response) => ({ status: response.status, body: await response.json() }))
    .catch(() => ({ status: 0, body: undefined }));
}

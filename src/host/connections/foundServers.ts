/**
 * Model servers on this machine. Searched for in the background while nothing that is set up can answer, or when the
 * user asks. Offered only: nothing is sent to a server before the user accepts it.
 */

import {
  findLocalServers,
  LOCAL_SERVER_KINDS,
  USUAL_PORTS,
  type LocalPort,
  type LocalServer,
  type LocalServerKind,
} from "../../adapters/localServers/localServers.ts";
import type { Clock } from "../../core/clock.ts";
import { member } from "../../core/json.ts";
import type { FoundServerView } from "../../protocol/toView.ts";
import { Emitter } from "../background/emitter.ts";
import type { UserStorage } from "../editor/userStorage.ts";

/** Label and the command that accepts the server. */
export const SERVER_LABELS: Readonly<Record<LocalServerKind, Pick<FoundServerView, "label" | "command">>> = {
  ollama: { label: "Ollama", command: "useOllama" },
  lmStudio: { label: "LM Studio", command: "useLmStudio" },
  llamaCpp: { label: "llama.cpp", command: "useLlamaCpp" },
  vllm: { label: "vLLM", command: "useVllm" },
};

/** Minimum interval between automatic searches. */
const MIN_SEARCH_INTERVAL_MS = 10_000;

/** Key in the editor's storage: ports of this machine that answered before, newest first. May be lost. */
const PORTS = "forge.localPorts";
const MOST_REMEMBERED = 8;

export class FoundServers {
  readonly #clock: Pick<Clock, "nowMs">;
  readonly #storage: UserStorage;
  readonly #usualPorts: readonly LocalPort[];
  readonly #changed = new Emitter<void>();
  #found: readonly LocalServer[] = [];
  #searchedAtMs = -Infinity;

  /** Fires when the result of a search differs from the one before. */
  readonly onDidChange = this.#changed.event;

  constructor(clock: Pick<Clock, "nowMs">, storage: UserStorage, usualPorts: readonly LocalPort[]) {
    this.#clock = clock;
    this.#storage = storage;
    this.#usualPorts = usualPorts;
  }

  /** Result of the last search. */
  get found(): readonly LocalServer[] {
    return this.#found;
  }

  /** One for each kind, with all models of that kind. */
  get views(): readonly FoundServerView[] {
    return LOCAL_SERVER_KINDS.flatMap((kind) => {
      const servers = this.#found.filter((server) => server.kind === kind);
      const modelCount = servers.reduce((sum, server) => sum + server.modelCount, 0);
      return servers.length === 0 ? [] : [{ ...SERVER_LABELS[kind], modelCount }];
    });
  }

  /** Searches now. */
  async search(): Promise<readonly LocalServer[]> {
    this.#searchedAtMs = this.#clock.nowMs();
    const before = JSON.stringify(this.#found);
    this.#found = await findLocalServers([...this.#usualPorts, ...this.#remembered]);
    if (JSON.stringify(this.#found) !== before) this.#changed.fire();
    return this.#found;
  }

  /** Searches if {@link MIN_SEARCH_INTERVAL_MS} have passed since the last search. */
  async searchIfDue(): Promise<void> {
    if (this.#clock.nowMs() - this.#searchedAtMs >= MIN_SEARCH_INTERVAL_MS) await this.search();
  }

  /** Later searches look at the port of this address, too, if it is one of this machine. */
  remember(kind: LocalServerKind, baseUrl: string): void {
    const { hostname, port } = new URL(baseUrl);
    if (!LOOPBACK.includes(hostname) || port === "") return;
    const used = { kind, port: Number(port) };
    const isKnown = (known: LocalPort): boolean => known.kind === used.kind && known.port === used.port;
    if (this.#usualPorts.some(isKnown)) return;
    const others = this.#remembered.filter((known) => !isKnown(known));
    void this.#storage.update(PORTS, [used, ...others].slice(0, MOST_REMEMBERED));
  }

  get #remembered(): readonly LocalPort[] {
    const stored = this.#storage.get(PORTS);
    const entries: readonly unknown[] = Array.isArray(stored) ? stored : [];
    return entries.flatMap((entry) => localPort(member(entry, "kind"), member(entry, "port")) ?? []);
  }
}

const LOOPBACK: readonly string[] = ["127.0.0.1", "localhost"];

/**
 * Ports to look at: {@link USUAL_PORTS}, or those of the environment variable `FORGE_LOCAL_PORTS`, such as
 * "llamaCpp:9000 ollama:9001", so that tests see no servers but their own.
 */
export function usualPorts(environment: Readonly<Record<string, string | undefined>>): readonly LocalPort[] {
  const given = environment["FORGE_LOCAL_PORTS"];
  if (given === undefined) return USUAL_PORTS;
  return given.split(" ").flatMap((entry) => {
    const [kind, port] = entry.split(":");
    return localPort(kind, Number(port)) ?? [];
  });
}

function localPort(kind: unknown, port: unknown): LocalPort | undefined {
  const known = LOCAL_SERVER_KINDS.find((name) => name === kind);
  const isPort = typeof port === "number" && Number.isInteger(port) && port > 0 && port < 65_536;
  return known === undefined || !isPort ? undefined : { kind: known, port };
}

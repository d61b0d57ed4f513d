import type { OfferedModel, Provider } from "../../../src/core/stream/provider.ts";
import { ModelRegistry } from "../../../src/core/models/modelRegistry.ts";
import { ok } from "../../../src/core/result.ts";
import { Connections } from "../../../src/host/connections/connections.ts";
import type { ModelChoice } from "../../../src/host/connections/providerCatalog.ts";
import { Providers } from "../../../src/host/connections/providers.ts";
import { Secrets, secretName } from "../../../src/host/editor/secrets.ts";
import { readSettings } from "../../../src/host/editor/settings.ts";
import { ManualClock } from "../clocks.ts";

/** Settings, keys, and responses of services. */
export interface ConnectionsGiven {
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Keys by address. */
  readonly keys?: Readonly<Record<string, string>>;
  readonly lastChoice?: ModelChoice;
  readonly offered?: readonly OfferedModel[];
  /** Delay of the model list in milliseconds; 0 by default. */
  readonly listingMs?: number;
  /** Replaces `offered`. */
  readonly listModels?: Provider["listModels"];
  /** What the editor stores for the user, across reloads; `lastChoice` goes before it. */
  readonly stored?: Map<string, unknown>;
}

/** Connections over fake services, with their recorded notifications. */
export function connectionsOf({
  settings = {},
  keys = {},
  lastChoice,
  offered = [],
  listingMs = 0,
  listModels,
  stored = new Map(),
}: ConnectionsGiven): {
  readonly connections: Connections;
  readonly providers: Providers;
  readonly registry: ModelRegistry;
  readonly nothing: () => number;
  readonly clock: ManualClock;
  /** Number of `onDidLearn` events. */
  readonly learned: () => number;
  readonly failures: readonly string[];
  readonly secrets: Secrets;
  /** Addresses for which a provider was made. */
  readonly made: readonly string[];
} {
  const registry = new ModelRegistry();
  const storedKeys = new Map(Object.entries(keys).map(([baseUrl, key]) => [secretName(baseUrl), key]));
  const clock = new ManualClock();
  const current = {
    get current() {
      return readSettings((name) => settings[name], {});
    },
  };
  let [nothing, learned] = [0, 0];
  const failures: string[] = [];
  const made: string[] = [];
  const make = ({ name, baseUrl }: { readonly name: string; readonly baseUrl: string }): Promise<Provider> => {
    if (baseUrl !== "") made.push(baseUrl);
    return Promise.resolve({
      ...providerOf(name, async () => {
        if (listingMs > 0) await new Promise<void>((resolve) => clock.after(listingMs, resolve));
        return offered;
      }),
      ...(listModels === undefined ? {} : { listModels }),
    });
  };
  const secrets = new Secrets({
    keys: () => Promise.resolve([...storedKeys.keys()]),
    get: (name) => Promise.resolve(storedKeys.get(name)),
    store: (name, value) => Promise.resolve(void storedKeys.set(name, value)),
    delete: (name) => Promise.resolve(void storedKeys.delete(name)),
  });
  const providers = new Providers(
    { make },
    { withMetering: (provider) => provider },
    { session: undefined },
    secrets,
    current,
    { selectChatModels: () => Promise.resolve([{}, {}]) },
  );
  const connections = new Connections(
    providers,
    registry,
    current,
    {
      get: (key) => (key === "forge.lastChoice" ? lastChoice : undefined) ?? stored.get(key),
      update: (key, value) => Promise.resolve(void stored.set(key, value)),
    },
    clock,
    { warn: (line) => failures.push(line) },
    {
      report: (error) => {
        throw error;
      },
    },
  );
  connections.onDidFindNothing(() => nothing++);
  connections.onDidLearn(() => learned++);
  return {
    connections,
    providers,
    registry,
    nothing: () => nothing,
    clock,
    learned: () => learned,
    failures,
    secrets,
    made,
  };
}

function providerOf(name: string, list: () => Promise<readonly OfferedModel[]>): Provider {
  const label = name === "anthropic" ? "Anthropic" : name === "openai" ? "OpenAI" : "tides:1234";
  return {
    name,
    label,
    stream: () => {
      throw new Error("nothing is asked here");
    },
    listModels: async () => ok(await list()),
  };
}

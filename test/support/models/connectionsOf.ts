import type { OfferedModel, Provider } from "../../../src/core/stream/provider.ts";
import { ModelRegistry } from "../../../src/core/models/modelRegistry.ts";
import { ok } from "../../../src/core/result.ts";
import { Connections } from "../../../src/host/connections/connections.ts";
import type { ModelChoice } from "../../../src/host/connections/providerCatalog.ts";
import { Providers } from "../../../src/host/connections/providers.ts";
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
}

/** Connections over fake services, with their recorded notifications. */
export function connectionsOf({
  settings = {},
  keys = {},
  lastChoice,
  offered = [],
  listingMs = 0,
  listModels,
}: ConnectionsGiven): {
  readonly connections: Connections;
  readonly registry: ModelRegistry;
  readonly nothing: () => number;
  readonly clock: ManualClock;
  /** Number of `onDidLearn` events. */
  readonly learned: () => number;
  readonly failures: readonly string[];
} {
  const registry = new ModelRegistry();
  const clock = new ManualClock();
  const current = {
    get current() {
      return readSettings((name) => settings[name], {});
    },
  };
  let [nothing, learned] = [0, 0];
  const failures: string[] = [];
  const make = ({ name }: { readonly name: string }): Promise<Provider> =>
    Promise.resolve({
      ...providerOf(name, async () => {
        if (listingMs > 0) await new Promise<void>((resolve) => clock.after(listingMs, resolve));
        return offered;
      }),
      ...(listModels === undefined ? {} : { listModels }),
    });
  const providers = new Providers(
    { make },
    { withMetering: (provider) => provider },
    { session: undefined },
    { keyFor: (baseUrl) => Promise.resolve(keys[baseUrl]) },
    current,
    { selectChatModels: () => Promise.resolve([{}, {}]) },
  );
  const connections = new Connections(
    providers,
    registry,
    current,
    { get: () => lastChoice, update: () => Promise.resolve() },
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
  return { connections, registry, nothing: () => nothing, clock, learned: () => learned, failures };
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

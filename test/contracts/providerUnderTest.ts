/** What a provider's contract is run on, and the server that the contract runs it against. */

import assert from "node:assert/strict";
import type { ModelId } from "../../src/core/ids.ts";
import type { Provider } from "../../src/core/stream/provider.ts";
import { guardedProvider, type GuardLimits, type GuardOptions } from "../../src/core/stream/guardedProvider.ts";
import type { ModelServer } from "../servers/protocol.ts";
import { realClock } from "../support/clocks.ts";
import type { Received } from "../support/models/providerRequests.ts";

/** A provider with its server, and the official library's own reading of the same stream. */
export interface ProviderUnderTest {
  readonly label: string;
  readonly model: ModelId;
  /** The path of requests for an answer; what else is asked does not count. */
  readonly chatPath: string;
  /** Its errors are words without types: what only a type would tell is a failure of the server. */
  readonly isUntyped?: true;
  start(key: string): Promise<ModelServer>;
  make(baseUrl: string, key: string): Provider;
  /** Asks the server by the library alone and gives what its accumulator made of the stream. */
  accumulate(baseUrl: string, key: string, body: unknown): Promise<Accumulated>;
}

/** What both readings must agree on. */
export type Accumulated = Pick<Received, "text" | "thinking" | "signatures" | "toolCalls" | "usage"> & {
  readonly stop: string;
};

/** The key that the servers let in. */
export const CONTRACT_KEY = "sk-test-0123456789abcdefghij";

/** Patience that is short enough for a test and long enough for a busy machine. */
export const CONTRACT_LIMITS: Partial<GuardLimits> = {
  reportedAfterMs: 500,
  noBytesMs: 800,
  noContentMs: 1_500,
  retryDelayMs: 5,
  maxRetryDelayMs: 2_000,
  listModelsMs: 800,
};

/** A guarded provider and its server, both there from `before` to `after`. */
export interface TestedProvider {
  readonly server: ModelServer;
  readonly provider: Provider;
}

/** Starts the server for the suite that calls this, and resets it before each test. */
export function useProvider(under: ProviderUnderTest, limits: GuardOptions = CONTRACT_LIMITS): TestedProvider {
  let tested: TestedProvider | undefined;
  const started = (): TestedProvider => {
    assert.ok(tested !== undefined, "used before the suite began");
    return tested;
  };
  before(async () => {
    const server = await under.start(CONTRACT_KEY);
    tested = { server, provider: guardedProvider(under.make(server.url, CONTRACT_KEY), realClock, limits) };
  });
  after(() => started().server.close());
  beforeEach(() => {
    started().server.reset();
  });
  return {
    get server() {
      return started().server;
    },
    get provider() {
      return started().provider;
    },
  };
}

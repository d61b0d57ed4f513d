import assert from "node:assert/strict";
import type { ModelId } from "../../src/core/ids.ts";
import type { Provider } from "../../src/core/stream/provider.ts";
import { guardedProvider, type GuardLimits, type GuardOptions } from "../../src/core/stream/guardedProvider.ts";
import type { ModelServer } from "../servers/protocol.ts";
import { realClock } from "../support/clocks.ts";
import type { Received } from "../support/models/providerRequests.ts";

/** A provider, its server, and the official library's reading of the same stream. */
export interface ProviderUnderTest {
  readonly label: string;
  readonly model: ModelId;
  /** The path of requests for an answer; other requests are not counted. */
  readonly chatPath: string;
  /** Its errors have a message but no type, so those that only a type would identify are server errors. */
  readonly isUntyped?: true;
  start(key: string): Promise<ModelServer>;
  make(baseUrl: string, key: string): Provider;
  /** Sends `body` with the official library and returns what its accumulator made of the stream. */
  accumulate(baseUrl: string, key: string, body: unknown): Promise<Accumulated>;
}

/** The parts of an answer on which both readings must agree. */
export type Accumulated = Pick<Received, "text" | "thinking" | "signatures" | "toolCalls" | "usage"> & {
  readonly stop: string;
};

/** The key that the servers accept. */
export const CONTRACT_KEY = "sk-test-0123456789abcdefghij";

/** Time limits short enough for a test and long enough for a busy machine. */
export const CONTRACT_LIMITS: Partial<GuardLimits> = {
  reportedAfterMs: 500,
  noBytesMs: 800,
  noContentMs: 1_500,
  retryDelayMs: 5,
  maxRetryDelayMs: 2_000,
  listModelsMs: 800,
};

/** A guarded provider and its server, both available from `before` to `after`. */
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

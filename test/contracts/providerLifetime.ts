/** Contract of every provider besides answers: cancellation, the list of models, and where the key is sent. */

import assert from "node:assert/strict";
import { createServer, type ServerResponse } from "node:http";
import fc from "fast-check";
import type { Provider, WireContext } from "../../src/core/stream/provider.ts";
import { guardedProvider } from "../../src/core/stream/guardedProvider.ts";
import type { StreamEvent } from "../../src/core/stream/streamEvent.ts";
import type { Script } from "../servers/script.ts";
import { realClock } from "../support/clocks.ts";
import { ask, fold, nameOf, NEVER, prepared } from "../support/models/providerRequests.ts";
import { anyConversation, EVERYTHING } from "../support/models/wireHistories.ts";
import { CONTRACT_KEY, CONTRACT_LIMITS, useProvider, type ProviderUnderTest } from "./providerUnderTest.ts";

/** An address without a listener: port 9 of this machine is never assigned. */
const NOWHERE = "http://127.0.0.1:9";

export function providerLifetimeContract(under: ProviderUnderTest): void {
  describe(`provider lifetime: ${under.label}`, () => {
    const tested = useProvider(under);

    describe("ends within 100 ms of an abort, without further events", () => {
      const check = async (script: Script, isReached: (events: readonly StreamEvent[]) => boolean): Promise<void> => {
        tested.server.script(script);
        const user = new AbortController();
        const events: StreamEvent[] = [];
        // Counts ticks of a 5 ms timer instead of time: on a busy machine they are as late as everything else.
        let turnsSinceAbort = 0;
        const poll = setInterval(() => {
          if (user.signal.aborted) turnsSinceAbort++;
          else if (isReached(events)) user.abort();
        }, 5);
        const options = { model: under.model, maxOutputTokens: 500 };
        for await (const event of tested.provider.stream(prepared("Stop me."), options, user.signal))
          events.push(event);
        clearInterval(poll);
        assert.equal(nameOf(fold(events).end), "CANCELLED");
        assert.ok(turnsSinceAbort < 20, `${String(turnsSinceAbort)} turns`);
        await until(() => tested.server.live === 0);
      };
      const hasText = (events: readonly StreamEvent[]): boolean => events.some((event) => event.kind === "text");
      it("before the headers", () => check({ fault: { kind: "noHeaders" } }, () => tested.server.live === 1));
      it("after the headers", () =>
        check({ fault: { kind: "stall", afterPieces: 0 } }, () => tested.server.live === 1));
      it("in the middle of a slow answer", () => check({ framing: { delayMs: 20 } }, hasText));
      it("in the middle of a stalled answer", () => check({ fault: { kind: "stall", afterPieces: 2 } }, hasText));
      it("while waiting to retry", () =>
        check({ fault: { kind: "status", status: 429, headers: { "retry-after": "2" } } }, (events) =>
          events.some((event) => event.kind === "waiting"),
        ));
    });

    it("ends the request when its reader stops reading", async () => {
      tested.server.script({ framing: { delayMs: 20 } });
      const options = { model: under.model, maxOutputTokens: 500 };
      for await (const event of tested.provider.stream(prepared("Leave me."), options, NEVER))
        if (event.kind === "text") break;
      await until(() => tested.server.live === 0);
    });

    it("sends nothing when cancelled before the start", async () => {
      const received = await ask(tested.provider, under.model, prepared("Too late."), AbortSignal.abort());
      assert.deepEqual([nameOf(received.end), tested.server.requests.length], ["CANCELLED", 0]);
    });

    describe("the list of models", () => {
      const check = async (listed: Provider, expected: string): Promise<void> => {
        const result = await listed.listModels(NEVER);
        assert.equal(result.ok ? "ok" : nameOf({ error: result.error }), expected);
      };
      const guarded = (url: string, key: string): Provider =>
        guardedProvider(under.make(url, key), realClock, CONTRACT_LIMITS);
      it("returns the models of the server", async () => {
        const result = await tested.provider.listModels(NEVER);
        assert.ok(result.ok);
        assert.ok(result.value.some(({ id }) => id === under.model));
        assert.equal(result.value.length, 4);
      });
      it("reports a rejected key", () => check(guarded(tested.server.url, "sk-wrong-0123456789abcdef"), "AUTH_FAILED"));
      it("reports an unreachable server", () => check(guarded(NOWHERE, CONTRACT_KEY), "unreachable"));
      it("reports an HTML page", async () => {
        const page = await plainServer((response) =>
          response.writeHead(200, { "content-type": "text/html" }).end("<p>Hi</p>"),
        );
        try {
          await check(guarded(page.url, CONTRACT_KEY), "notAStream");
        } finally {
          await page.close();
        }
      });
      it("times out", async () => {
        const silent = await plainServer(() => undefined);
        try {
          await check(guarded(silent.url, CONTRACT_KEY), "stalled");
        } finally {
          await silent.close();
        }
      });
    });

    it("sends calls, results and every other part in a form that the strict server accepts", async () => {
      const check = async ({ messages, systemPrompt }: WireContext): Promise<void> => {
        const { end } = await ask(tested.provider, under.model, prepared(messages, systemPrompt));
        assert.equal(nameOf(end), "endTurn");
      };
      tested.server.script({ answer: { text: "Fine." } });
      await check(EVERYTHING);
      await fc.assert(fc.asyncProperty(anyConversation, check), { seed: 20_261_121, numRuns: 60 });
    });

    it("reports an unreachable server for a request", async () => {
      const lost = guardedProvider(under.make(NOWHERE, CONTRACT_KEY), realClock, CONTRACT_LIMITS);
      assert.equal(nameOf((await ask(lost, under.model)).end), "unreachable");
    });

    it("sends the key to no other host, whatever environment variables and redirects say", async () => {
      const strange = await plainServer((response) =>
        response.writeHead(200, { "content-type": "application/json" }).end("{}"),
      );
      const environment = hostileEnvironment(strange.url);
      const before = { ...process.env };
      Object.assign(process.env, environment);
      try {
        const fresh = guardedProvider(under.make(tested.server.url, CONTRACT_KEY), realClock, CONTRACT_LIMITS);
        await ask(fresh, under.model);
        await fresh.listModels(NEVER);
        tested.server.script({ fault: { kind: "status", status: 307, headers: { location: strange.url } } });
        await ask(fresh, under.model);
      } finally {
        for (const name of Object.keys(environment)) Reflect.deleteProperty(process.env, name);
        Object.assign(process.env, before);
        await strange.close();
      }
      assert.equal(strange.requests, 0);
      for (const { headers } of tested.server.requests) {
        assert.deepEqual(
          Object.keys(headers).filter((name) => !SENT_HEADERS.has(name)),
          [],
        );
        assert.equal(JSON.stringify(headers).split(CONTRACT_KEY).length, 2, "the key travels once");
        assert.doesNotMatch(JSON.stringify(headers), /evil/);
      }
    });
  });
}

/** Headers of Forge, of the protocols, and those that Node's fetch adds. */
const SENT_HEADERS: ReadonlySet<string> = new Set(
  ["accept", "authorization", "content-type", "user-agent", "anthropic-version", "x-api-key"].concat([
    "host",
    "connection",
    "accept-language",
    "accept-encoding",
    "sec-fetch-mode",
    "content-length",
  ]),
);

function hostileEnvironment(url: string): Readonly<Record<string, string>> {
  const environment: Record<string, string> = {};
  for (const vendor of ["ANTHROPIC", "OPENAI", "OLLAMA"]) {
    for (const name of ["API_KEY", "AUTH_TOKEN", "ORG_ID", "PROJECT_ID", "ADMIN_KEY"])
      environment[`${vendor}_${name}`] = "evil";
    environment[`${vendor}_BASE_URL`] = url;
    environment[`${vendor}_HOST`] = url;
    environment[`${vendor}_CUSTOM_HEADERS`] = "X-Evil: evil\nAuthorization: Bearer evil\nanthropic-version: evil";
  }
  return environment;
}

interface PlainServer {
  readonly url: string;
  readonly requests: number;
  close(): Promise<void>;
}

async function plainServer(answer: (response: ServerResponse) => unknown): Promise<PlainServer> {
  let requests = 0;
  const server = createServer((_, response) => {
    requests++;
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  return {
    url: `http://127.0.0.1:${String(address.port)}`,
    get requests() {
      return requests;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

async function until(condition: () => boolean): Promise<void> {
  const endMs = performance.now() + 1_000;
  while (!condition()) {
    assert.ok(performance.now() < endMs, "the server still answers a request that nobody reads");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

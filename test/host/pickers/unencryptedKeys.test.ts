/** Commands that would send a key to another machine without encryption ask before they do. */

import assert from "node:assert/strict";
import { ok } from "../../../src/core/result.ts";
import type { ModelServices } from "../../../src/host/connections/modelServices.ts";
import type { Conversations } from "../../../src/host/conversations/conversations.ts";
import type { BugReporter } from "../../../src/host/editor/bugReporter.ts";
import { Secrets } from "../../../src/host/editor/secrets.ts";
import { readSettings } from "../../../src/host/editor/settings.ts";
import { beginAnew, give, happened, take, withQuestions } from "../../support/editor/fakeQuestions.ts";

const load = () =>
  withQuestions(async () => ({
    ...(await import("../../../src/host/pickers/keyCommands.ts")),
    ...(await import("../../../src/host/pickers/serverCommands.ts")),
  }));

const GATEWAY = "http://gw.corp.example:8080";
const QUESTION = "Send the key to gw.corp.example:8080 without encryption?";
const SEND = "Send without encryption";

describe("S20 a key for another machine without encryption", () => {
  let commands: Awaited<ReturnType<typeof load>>;
  let stored: Map<string, string>;
  /** Keys sent, with their addresses. */
  let sent: string[];
  let made: ReturnType<typeof commandsOver>;
  before(async () => {
    commands = await load();
  });
  beforeEach(() => {
    beginAnew();
    stored = new Map();
    sent = [];
    made = commandsOver();
  });

  function commandsOver() {
    const secrets = new Secrets({
      keys: () => Promise.resolve([...stored.keys()]),
      get: (name) => Promise.resolve(stored.get(name)),
      store: (name, value) => Promise.resolve(void stored.set(name, value)),
      delete: (name) => Promise.resolve(void stored.delete(name)),
    });
    const given: unknown = {
      secrets,
      settings: { current: readSettings(() => undefined, {}) },
      connections: { reset: () => undefined, unreachableReasons: () => [], unencryptedAddresses: [`${GATEWAY}/v1`] },
      providers: {
        addressOf: (name: string) => (name === "anthropic" ? GATEWAY : ""),
        isSetUp: (name: string) => name === "anthropic",
        candidate: (_name: string, baseUrl: string, key = "no key") =>
          Promise.resolve({
            label: "gateway",
            listModels: () => Promise.resolve(ok(void sent.push(`${key} to ${baseUrl}`))),
          }),
      },
    };
    const models = given as ModelServices;
    const held: unknown = { useProvider: () => Promise.resolve(true), reconnect: () => Promise.resolve() };
    const conversations = held as Conversations;
    const keyboard = { afterPrompt: () => undefined, focusComposer: () => undefined };
    const bugs: unknown = { report: (error: unknown) => happened.push(String(error)) };
    const unused: unknown = {};
    const keys = new commands.KeyCommands(models, conversations, keyboard);
    const servers = new commands.ServerCommands(
      models,
      conversations,
      keys,
      unused as never,
      keyboard,
      bugs as BugReporter,
    );
    return { keys, servers, secrets };
  }

  const pickGateway = (): Promise<void> => take("Forge: Add or Replace an API Key", "Anthropic");

  it("is neither asked for nor sent when the user declines", async () => {
    const adding = made.keys.add();
    await pickGateway();
    await give(QUESTION);
    await adding;
    assert.deepEqual([sent, [...stored]], [[], []]);
  });

  it("is sent once the user agrees, who is not asked again", async () => {
    for (const key of ["one", "two"]) {
      const adding = made.keys.add();
      await pickGateway();
      if (key === "one") await give(QUESTION, SEND);
      await give("Forge: Anthropic", key);
      await adding;
    }
    assert.deepEqual(sent, [`one to ${GATEWAY}`, `two to ${GATEWAY}`]);
    assert.deepEqual(Object.fromEntries(stored), {
      [`forge.key ${GATEWAY}`]: "two",
      [`forge.unencrypted ${GATEWAY}`]: "allowed",
    });
  });

  it("is not tested", async () => {
    await made.secrets.save(GATEWAY, "k");
    const testing = made.keys.test();
    await take("Forge: Test API Keys", "Not tested: the key would be sent without encryption.");
    await give(QUESTION);
    await testing;
    assert.deepEqual(sent, []);
  });

  it("that is stored is not sent to an address as it is entered", async () => {
    await made.secrets.save(GATEWAY, "k");
    const using = made.servers.useServer();
    await give("Forge: Use a Server", `${GATEWAY}/v1`);
    await give(QUESTION);
    await using;
    assert.deepEqual([sent, await made.secrets.maySendTo(GATEWAY)], [[], false]);
  });

  it("may be sent after the user tries again from the notice, and agrees", async () => {
    const allowed: boolean[] = [];
    for (const answer of [undefined, SEND]) {
      const looking = made.servers.lookAgain();
      await give(QUESTION, answer);
      await looking;
      allowed.push(await made.secrets.maySendTo(GATEWAY));
    }
    assert.deepEqual(allowed, [false, true]);
  });
});

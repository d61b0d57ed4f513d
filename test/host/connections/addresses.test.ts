/** Addresses that must not be used: what was meant for one goes nowhere else. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { modelId } from "../../../src/core/ids.ts";
import type { ModelChoice } from "../../../src/host/connections/providerCatalog.ts";
import { ADDRESSED_PROVIDERS, readSettings } from "../../../src/host/editor/settings.ts";
import { connectionsOf, type ConnectionsGiven } from "../../support/models/connectionsOf.ts";

const PUBLIC_KEYS = { "https://api.anthropic.com": "a", "https://api.openai.com/v1": "b" };
const OFFERED = [{ id: modelId("m"), label: "m", limits: { contextWindow: 32_768 } }];

interface Seen {
  readonly provider: string;
  readonly why: string;
  /** Addresses that a provider was made for. */
  readonly made: readonly string[];
  readonly notices: readonly string[];
  /** Providers whose settings are offered. */
  readonly settings: readonly string[];
}

async function resolved(given: ConnectionsGiven, chosen?: ModelChoice): Promise<Seen> {
  const { connections, made } = connectionsOf({ keys: PUBLIC_KEYS, offered: OFFERED, ...given });
  const connection = await connections.resolve(chosen);
  return {
    provider: connection.providerName,
    why: connection.why,
    made,
    notices: connections.unreachableReasons(connection),
    settings: connections.unreachableServers,
  };
}

const invalidNotice = (name: string): string =>
  `The setting forge.${name}.baseUrl is not an address that Forge can use, so nothing is sent. Enter one that begins with https:// or http://, without user name, password, “?” and “#”, such as https://gateway.example/v1.`;

const UNREADABLE: readonly unknown[] = [
  "my-gateway.example:8443",
  "gw.corp.example/v1",
  "gw.corp.example",
  "localhost:8080",
  "//gw.corp.example/v1",
  "/v1",
  "https://gw.corp.example:99999/v1",
  "https://gw.corp.example:port/v1",
  "https://user:pass@gw.corp.example/v1",
  "https://user@gw.corp.example/v1",
  "https://gw corp.example/v1",
  "https://",
  "https://[::1/v1",
  "https://gw.corp.example/v1?key=abc",
  "https://gw.corp.example/v1#here",
  "htps://gw.corp.example/v1",
  "ftp://gw.corp.example/v1",
  "javascript:alert(1)",
  "not an address",
  8443,
  true,
  { url: "https://gw.corp.example" },
];

describe("an address that cannot be read", () => {
  for (const name of ADDRESSED_PROVIDERS) {
    for (const value of UNREADABLE) {
      it(`S9 §10 sends nothing anywhere and is said: ${name} ${JSON.stringify(value)}`, async () => {
        const settings = { [`${name}.baseUrl`]: value };
        const expected: Seen = {
          provider: "offline",
          why: "An address in the settings cannot be used",
          made: [],
          notices: [invalidNotice(name)],
          settings: [name],
        };
        const chosen: ModelChoice = { provider: name, model: modelId("m") };
        assert.deepEqual(await resolved({ settings }), expected);
        assert.deepEqual(await resolved({ settings }, chosen), expected);
        assert.deepEqual(await resolved({ settings: { ...settings, provider: name } }), expected);
        assert.deepEqual(await resolved({ settings: { ...settings, model: "claude-sonnet-5-5" } }), expected);
        assert.deepEqual(
          await resolved({ settings, lastChoice: { provider: "openai", model: modelId("m") } }),
          expected,
        );
      });
    }
  }

  it("S9 §10 of any text is an address, or none is used", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.webUrl(), fc.domain()),
        fc.constantFrom(...ADDRESSED_PROVIDERS),
        (text, name) => {
          const { addresses, invalidAddresses } = readSettings(
            (setting) => (setting === `${name}.baseUrl` ? text : undefined),
            {},
          );
          const used = addresses[name];
          if (text.trim() === "") assert.deepEqual(invalidAddresses, []);
          else if (used === "") assert.deepEqual(invalidAddresses, [name]);
          else assert.equal(new URL(used).host, new URL(text.trim()).host);
        },
      ),
    );
  });

  it("S9 leaves a provider that the user names, and the conversation's own one does not go there instead", async () => {
    const settings = { "anthropic.baseUrl": "gw.corp.example", provider: "openai" };
    const { provider, notices, made } = await resolved({ settings });
    assert.deepEqual(
      [provider, notices, made],
      ["openai", [invalidNotice("anthropic")], ["https://api.openai.com/v1"]],
    );
    assert.equal((await resolved({ settings }, { provider: "anthropic", model: modelId("m") })).provider, "offline");
  });

  it("S9 is used once it can be read", async () => {
    const settings: Record<string, unknown> = { "anthropic.baseUrl": "gw.corp.example" };
    const { connections, made } = connectionsOf({
      settings,
      keys: { "https://gw.corp.example": "k" },
      offered: OFFERED,
    });
    await connections.resolve(undefined);
    settings["anthropic.baseUrl"] = "https://gw.corp.example/";
    const connection = await connections.resolve(undefined);
    assert.deepEqual(
      [connection.providerName, connections.unreachableReasons(connection), made],
      ["anthropic", [], ["https://gw.corp.example"]],
    );
  });
});

describe("a key for an address without encryption", () => {
  const REMOTE = [
    "http://gw.corp.example/v1",
    "http://192.168.1.20:11434",
    "http://0.0.0.0:1234",
    "http://[fe80::1]:1234",
    "http://localhost.example",
    "http://127.0.0.1.example:1234",
    "http://host.docker.internal:1234",
  ];
  const noticeFor = (address: string): string =>
    `Nothing is sent to ${new URL(address).host}: its address begins with http://, so the key and the conversation could be read on the way. Use https:// if the server has it, or choose “Try again” to send them all the same.`;

  for (const address of REMOTE) {
    for (const name of ADDRESSED_PROVIDERS) {
      it(`S20 is not sent before the user agrees, once for an origin: ${name} ${address}`, async () => {
        const { connections, secrets, made } = connectionsOf({
          settings: { [`${name}.baseUrl`]: address },
          keys: { ...PUBLIC_KEYS, [address]: "k" },
          offered: OFFERED,
        });
        const seen: unknown[] = [];
        const look = async (): Promise<void> => {
          const chosen = { provider: name, model: modelId("m") };
          const connection = await connections.resolve(chosen);
          seen.push([
            connection.providerName,
            connections.unreachableReasons(connection),
            connections.unencryptedAddresses,
            made.length,
          ]);
        };
        const base = new URL(address).href.replace(/\/+$/, "");
        await look();
        await secrets.allowUnencrypted("http://another.example");
        await look();
        await secrets.allowUnencrypted(`${new URL(address).origin}/other/path`);
        await look();
        const refused = ["offline", [noticeFor(address)], [base], 0];
        assert.deepEqual(seen, [refused, refused, [name, [], [], 1]]);
      });
    }
  }

  for (const address of [
    "https://gw.corp.example/v1",
    "http://localhost:1234/v1",
    "http://models.localhost:1234",
    "http://127.0.0.1:1234",
    "http://127.1.2.3:1234",
    "http://127.1",
    "http://[::1]:1234",
    "http://[::ffff:127.0.0.1]:1234",
  ]) {
    it(`S20 is sent to this machine, and with encryption: ${address}`, async () => {
      const settings = { "openaiCompatible.baseUrl": address, provider: "openaiCompatible" };
      const { provider, notices } = await resolved({ settings, keys: { [address]: "k" } });
      assert.deepEqual([provider, notices], ["openaiCompatible", []]);
    });
  }

  it("S20 is none for a server that needs no key", async () => {
    const { provider, notices } = await resolved({
      settings: { "openaiCompatible.baseUrl": "http://tides:1234/v1", provider: "openaiCompatible" },
    });
    assert.deepEqual([provider, notices], ["openaiCompatible", []]);
  });

  it("S20 is asked about again once it was removed", async () => {
    const address = "http://gw.corp.example/v1";
    const { secrets } = connectionsOf({ keys: { [address]: "k" } });
    const allowed: boolean[] = [];
    for (const forget of [() => secrets.forget(address), () => secrets.forgetAll()]) {
      await secrets.allowUnencrypted(address);
      allowed.push(await secrets.maySendTo(address));
      await forget();
      allowed.push(await secrets.maySendTo(address));
    }
    assert.deepEqual(allowed, [true, false, true, false]);
  });
});

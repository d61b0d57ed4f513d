/**
 * The text of the diagnostics. Holds nothing private: no keys, no addresses of the user's own, no message text. Pure.
 */

import { modelName } from "../../core/models/modelName.ts";
import { redact } from "../../core/secrets/redact.ts";
import type { ConversationFacts } from "./diagnosticsFacts.ts";
import type { Settings } from "../editor/settings.ts";

export interface ProviderFacts {
  readonly name: string;
  /** Empty: the provider has no address. */
  readonly address: string;
  readonly defaultAddress: string;
  readonly hasKey: boolean;
}

export interface DiagnosticsFacts {
  /** "Forge": "0.1.0", "editor": "1.106.0", … */
  readonly versions: Readonly<Record<string, string>>;
  readonly providers: readonly ProviderFacts[];
  readonly found: readonly string[];
  readonly settings: Settings;
  /** Proxy settings and variables by name: the value if it is harmless, else whether it is set. */
  readonly network: Readonly<Record<string, string>>;
  /** Absent: no conversation is open. */
  readonly conversation?: ConversationFacts;
}

/** In Markdown, redacted. */
export function diagnosticsText(facts: DiagnosticsFacts): string {
  const { versions, providers, found, settings, network, conversation } = facts;
  const { context, tools, spending, generationOptions } = settings;
  const set = {
    provider: settings.provider,
    model: settings.model === "" ? "none" : modelName(settings.model),
    summarizationModel: settings.summarizationModel === "" ? "none" : settings.summarizationModel,
    ownModels: String(Object.keys(settings.models).length),
    instructions: `${settings.instructions.length} characters`,
    ...flat("wish", generationOptions),
    ...flat("spending", spending),
    ...flat("tools", tools),
    ...flat("context", context),
  };
  const sections: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ["Versions", versions],
    ["Providers", Object.fromEntries(providers.map((provider) => [provider.name, providerText(provider)]))],
    ["Servers on this machine", { found: found.length === 0 ? "none" : found.join(", ") }],
    ["Settings", set],
    ["The editor's network", network],
    ["Conversation", conversation === undefined ? { open: "none" } : { ...conversation }],
  ];
  const text = sections.map(([title, lines]) => `## ${title}\n\n${listOf(lines)}`).join("\n\n");
  return redact(`# Forge diagnostics\n\n${text}\n`).text;
}

/** A custom address is private: only its kind is shown. */
function providerText({ address, defaultAddress, hasKey }: ProviderFacts): string {
  const key = hasKey ? "a key is kept" : "no key";
  if (address === "") return `no address, ${key}`;
  if (address === defaultAddress) return `the usual address, ${key}`;
  const { protocol, hostname } = new URL(address);
  const place = /^(?:localhost|127\.|\[::1\])/.test(hostname) ? "this machine" : "another host";
  return `an own address (${protocol}//, ${place}), ${key}`;
}

function flat(prefix: string, values: object): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}.${name}`, String(value)]));
}

function listOf(lines: Readonly<Record<string, string>>): string {
  return Object.entries(lines)
    .map(([name, value]) => `- ${name}: ${value}`)
    .join("\n");
}

/** "Forge: Copy Diagnostics". */

import * as vscode from "vscode";
import { localize } from "../../protocol/localize.ts";
import { conversationFacts } from "./diagnosticsFacts.ts";
import { diagnosticsText, type ProviderFacts } from "./diagnosticsText.ts";
import type { ModelServices } from "../connections/modelServices.ts";
import type { Session } from "../session/session.ts";
import { readSettings } from "../editor/settings.ts";
import { showInformation } from "../editor/boxes/messages.ts";

const PROVIDER_NAMES = ["anthropic", "openai", "openaiCompatible", "ollama"] as const;
const PROXY_VARIABLES = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "NODE_EXTRA_CA_CERTS"];
const NETWORK_SETTINGS = ["proxy", "proxySupport", "proxyStrictSSL", "systemCertificates", "fetchAdditionalSupport"];

/** Copies the diagnostics to the clipboard, and offers to show them. */
export async function copyDiagnostics(
  models: ModelServices,
  session: Session | undefined,
  forgeVersion: string,
): Promise<void> {
  const { registry, foundServers, settings } = models;
  const text = diagnosticsText({
    versions: {
      Forge: forgeVersion,
      editor: `${vscode.env.appName} ${vscode.version}`,
      host: `${vscode.env.appHost}, ${vscode.env.remoteName ?? "local"}`,
      Node: process.version,
      system: `${process.platform} ${process.arch}`,
      trusted: String(vscode.workspace.isTrusted),
    },
    providers: await providerFacts(models),
    found: foundServers.views.map(({ label, modelCount }) => `${label} with ${modelCount} models`),
    settings: settings.current,
    network: networkFacts(),
    ...(session === undefined
      ? {}
      : { conversation: conversationFacts(session.opened.manager, session.connection, registry) }),
  });
  await vscode.env.clipboard.writeText(text);
  const show = localize("Show");
  const message = localize(
    "Copied. It holds versions, settings and figures: no keys, no addresses of yours, no texts.",
  );
  if ((await showInformation(message, show)) !== show) return;
  const document = await vscode.workspace.openTextDocument({ language: "markdown", content: text });
  await vscode.window.showTextDocument(document);
}

async function providerFacts({ providers, secrets }: ModelServices): Promise<readonly ProviderFacts[]> {
  const defaults = readSettings(() => undefined, {});
  const facts = PROVIDER_NAMES.map(async (name): Promise<ProviderFacts> => {
    const address = providers.addressOf(name);
    const hasKey = address !== "" && (await secrets.keyFor(address)) !== undefined;
    return { name, address, defaultAddress: defaults.addresses[name], hasKey };
  });
  const editor = { name: "editor", address: "", defaultAddress: "", hasKey: false };
  return [...(await Promise.all(facts)), { ...editor, name: `editor (${await providers.countEditorModels()} models)` }];
}

/** Reports only whether a value is set: a proxy's address may hold a password. */
function networkFacts(): Readonly<Record<string, string>> {
  const configuration = vscode.workspace.getConfiguration("http");
  const settings = NETWORK_SETTINGS.map((name): readonly [string, string] => {
    const value: unknown = configuration.get(name);
    const isShown = typeof value === "boolean" || name === "proxySupport";
    return [`http.${name}`, isShown ? String(value) : isSet(value)];
  });
  const variables = PROXY_VARIABLES.map((name): readonly [string, string] => [
    name,
    isSet(process.env[name] ?? process.env[name.toLowerCase()]),
  ]);
  return Object.fromEntries([...settings, ...variables]);
}

function isSet(value: unknown): string {
  return value === undefined || value === null || value === "" ? "not set" : "set";
}

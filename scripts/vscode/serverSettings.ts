/**
 * User settings of a server. The editor reads machine settings, such as an address, from the server's own file only; in
 * the user's file they would apply just until the editor knows their scope.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Settings that make the workbench quiet and offline. */
const quietSettings = {
  "chat.commandCenter.enabled": false,
  "chat.disableAIFeatures": true,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "git.enabled": false,
  "remote.autoForwardPorts": false,
  "remote.autoForwardPortsSource": "output", // else the extension host looks through all processes, every few seconds
  "security.workspace.trust.enabled": false,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "workbench.enableExperiments": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.welcomePage.walkthroughs.openOnInstall": false,
};

type Settings = Readonly<Record<string, unknown>>;

/**
 * Writes `settings` and the quiet ones into the data folder `data` of a server, each into the file of its scope.
 * Machine settings made since the first start are preserved.
 */
export function writeServerSettings(data: string, settings: Settings): void {
  const ofMachine = machineSettings();
  const part = (isOfMachine: boolean): Settings =>
    Object.fromEntries(Object.entries(settings).filter(([name]) => ofMachine.has(name) === isOfMachine));
  write(path.join(data, "User/settings.json"), { ...quietSettings, ...part(false) });
  const file = path.join(data, "Machine/settings.json");
  write(file, { ...part(true), ...(existsSync(file) ? read(file) : {}) });
}

/** Names of Forge's settings of machine scope. */
function machineSettings(): ReadonlySet<string> {
  const { contributes } = read(path.resolve(import.meta.dirname, "../../package.json")) as Manifest;
  const all = [contributes.configuration].flat().flatMap(({ properties }) => Object.entries(properties));
  return new Set(all.filter(([, { scope }]) => scope === "machine").map(([name]) => name));
}

interface Manifest {
  readonly contributes: { readonly configuration: Section | readonly Section[] };
}

interface Section {
  readonly properties: Readonly<Record<string, { readonly scope?: string }>>;
}

function read(file: string): object {
  return JSON.parse(readFileSync(file, "utf8")) as object;
}

function write(file: string, settings: Settings): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(settings, null, 2));
}

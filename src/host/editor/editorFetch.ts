/** A `fetch` that goes through the editor's current proxy. */

import * as vscode from "vscode";
import { patientDispatcher, type Dispatcher } from "./patientDispatcher.ts";

/** Key of Node's global dispatcher, which sends requests that name no dispatcher. */
const GLOBAL_DISPATCHER = Symbol.for("undici.globalDispatcher.1");

/**
 * For requests without a dispatcher, the editor (up to 1.106 at least) reuses the proxy of the first such request of
 * any extension, even after the proxy setting has changed or for a host with another proxy. For requests with a
 * dispatcher it resolves the proxy each time; so this one names Node's global dispatcher, which is the default anyway.
 */
export const editorFetch: typeof fetch = (input, init) => fetch(input, { ...init, ...dispatcherOption() });

function dispatcherOption(): { readonly dispatcher?: Dispatcher } {
  // With "on", the editor uses no proxy for a request that names a dispatcher.
  if (vscode.workspace.getConfiguration("http").get("proxySupport") === "on") return {};
  Reflect.get(globalThis, "Response"); // Node creates its dispatcher on first access to one of these
  const dispatcher: unknown = Reflect.get(globalThis, GLOBAL_DISPATCHER);
  return isDispatcher(dispatcher) ? { dispatcher: patientDispatcher(dispatcher) } : {};
}

function isDispatcher(value: unknown): value is Dispatcher {
  return typeof value === "object" && value !== null && "dispatch" in value;
}

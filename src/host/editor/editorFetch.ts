/** Requests as the editor sends them, each through the proxy that it names at that moment. */

import * as vscode from "vscode";

type Dispatcher = NonNullable<RequestInit["dispatcher"]>;

/** Under this name Node keeps what sends the requests that name no sender of their own. */
const NODES_OWN = Symbol.for("undici.globalDispatcher.1");

/**
 * The editor's fetch. Up to 1.106 at least, the editor takes the first proxy that any extension's request went through for
 * all that follow which name no dispatcher, though the proxy is another since, or another for that host. Of a request
 * that names one it asks each time; so ours name Node's own, which is what they would go through anyway.
 */
export const editorFetch: typeof fetch = (input, init) => fetch(input, { ...init, ...sender() });

function sender(): { readonly dispatcher?: Dispatcher } {
  // With "on" the editor leaves a request that names a dispatcher without its proxy.
  if (vscode.workspace.getConfiguration("http").get("proxySupport") === "on") return {};
  Reflect.get(globalThis, "Response"); // Node makes its sender when one of these is first touched
  const dispatcher: unknown = Reflect.get(globalThis, NODES_OWN);
  return isDispatcher(dispatcher) ? { dispatcher } : {};
}

function isDispatcher(value: unknown): value is Dispatcher {
  return typeof value === "object" && value !== null && "dispatch" in value;
}

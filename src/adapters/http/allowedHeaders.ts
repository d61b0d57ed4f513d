/**
 * The headers of a request to a model service: these and no others. Libraries add what they find in the environment;
 * none of that may leave, and a key travels in exactly one header.
 */

/** A key and how it travels. An absent key sends none. */
export interface KeyHeader {
  readonly style: "bearer" | "xApiKey";
  readonly apiKey: string | undefined;
}

/** The complete headers, by lower-case name. `extra` are fixed ones of the protocol, such as its version. */
export function allowedHeaders(key: KeyHeader, extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const headers: Record<string, string> = {
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    "user-agent": "Forge",
    ...extra,
  };
  if (key.apiKey === undefined || key.apiKey === "") return headers;
  if (key.style === "bearer") headers["authorization"] = `Bearer ${key.apiKey}`;
  else headers["x-api-key"] = key.apiKey;
  return headers;
}

/**
 * The base address that a library wants, from what a user typed or pasted: without a slash at the end, without one of
 * `endpoints` (such as `/chat/completions`), and with `version` where the address names no path at all.
 */
export function baseAddress(typed: string, endpoints: readonly string[], version: string): string {
  let address = typed.trim().replace(/\/+$/, "");
  for (const endpoint of endpoints) {
    if (address.endsWith(endpoint)) address = address.slice(0, -endpoint.length).replace(/\/+$/, "");
  }
  return /^https?:\/\/[^/]+$/i.test(address) ? `${address}${version}` : address;
}

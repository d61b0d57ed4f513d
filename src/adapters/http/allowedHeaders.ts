/**
 * Complete headers of a request to a model service. Libraries add values from the environment, which must not be sent;
 * the key goes into exactly one header.
 */

/** No header for an absent key. */
export interface KeyHeader {
  readonly style: "bearer" | "xApiKey";
  readonly apiKey: string | undefined;
}

/** By lower-case name. `extra`: fixed headers of the protocol, such as its version. */
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
 * Normalizes an address that a user typed or pasted for a library: strips trailing slashes and any of `endpoints` (such
 * as `/chat/completions`), and appends `version` if the address has no path.
 */
export function baseAddress(typed: string, endpoints: readonly string[], version: string): string {
  let address = typed.trim().replace(/\/+$/, "");
  for (const endpoint of endpoints) {
    if (address.endsWith(endpoint)) address = address.slice(0, -endpoint.length).replace(/\/+$/, "");
  }
  return /^https?:\/\/[^/]+$/i.test(address) ? `${address}${version}` : address;
}

/** Causes of failed connections, by the error codes of Node and its fetch. Pure: reads plain fields only. */

import { type ServiceUnavailable, unavailable } from "../../core/errors.ts";
import { errorDetail } from "../../core/stream/errorDetail.ts";

/** `connecting`: before the response headers. */
export type RequestPhase = "connecting" | "streaming";

/** `secrets` are removed from its message. */
export function networkFailure(
  provider: string,
  thrown: unknown,
  phase: RequestPhase,
  secrets: readonly string[],
): ServiceUnavailable {
  const chain = causes(thrown);
  const codes = networkCodes(thrown);
  const words = chain.map((error) => field(error, "message")).filter((text) => text !== "");
  const code = codes[0] ?? "";
  const detail = errorDetail(
    `${EXPLAINED[code] ?? words.at(-1) ?? String(thrown)}${code === "" ? "" : ` (${code})`}`,
    secrets,
  );
  if (codes.some((found) => TIMEOUTS.has(found))) return unavailable(provider, "stalled", detail);
  if (chain.some((error) => field(error, "name") === "SyntaxError")) return unavailable(provider, "badAnswer", detail);
  return unavailable(provider, phase === "connecting" ? "unreachable" : "cutOff", detail);
}

/** Codes of the error and of its causes, outermost first. */
export function networkCodes(thrown: unknown): readonly string[] {
  return causes(thrown).flatMap((error) => {
    const code = field(error, "code");
    return code === "" ? [] : [code];
  });
}

/** Whether the other side closed the connection, as happens to a pooled one that is used again. */
export function wasClosedByPeer(thrown: unknown): boolean {
  return causes(thrown).some((error) => CLOSED.has(field(error, "code")));
}

const CLOSED: ReadonlySet<string> = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);

const TIMEOUTS: ReadonlySet<string> = new Set(["UND_ERR_BODY_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT"]);

const EXPLAINED: Readonly<Record<string, string>> = {
  ECONNREFUSED: "Nothing answers at this address and port.",
  ENOTFOUND: "There is no host of this name, or no network.",
  EAI_AGAIN: "The name of the host could not be looked up; is there a network?",
  ECONNRESET: "The connection was closed by the other side.",
  UND_ERR_SOCKET: "The connection was closed by the other side.",
  ETIMEDOUT: "The host did not answer.",
  UND_ERR_CONNECT_TIMEOUT: "The host did not answer.",
  UND_ERR_BODY_TIMEOUT: "Nothing arrived for a long time.",
  UND_ERR_HEADERS_TIMEOUT: "The server accepted the request and never answered it.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The server's certificate is its own and not trusted by this machine.",
  SELF_SIGNED_CERT_IN_CHAIN: "A certificate on the way is not trusted by this machine.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The server's certificate could not be verified.",
  CERT_HAS_EXPIRED: "The server's certificate has expired.",
};

/** The error and its causes, outermost first; at most five. */
function causes(thrown: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  let next: unknown = thrown;
  while (next !== undefined && next !== null && chain.length < 5) {
    chain.push(next);
    next = typeof next === "object" && "cause" in next ? next.cause : undefined;
  }
  return chain;
}

function field(value: unknown, name: string): string {
  if (typeof value !== "object" || value === null || !(name in value)) return "";
  const found: unknown = Reflect.get(value, name);
  return typeof found === "string" ? found : "";
}

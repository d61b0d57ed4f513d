/**
 * The one form of a git remote's address by which clones know each other: `github.com/owner/name`. Holds no user, no
 * password and no token.
 */

const SCHEMES = /^(?:git\+ssh|ssh\+git|ssh|git|https?|ftps?):\/\//i;
/** `[user@]host:path`, but no drive of Windows. */
const SCP_LIKE = /^(?:[^/:@]*@)?(\[[0-9a-f:]+\]|[^/:@[\]]{2,}):(?!\/\/)(.+)$/i;
/** Reaches the same repositories over another host, where SSH is blocked. */
const OTHER_HOSTS: ReadonlyMap<string, string> = new Map([
  ["ssh.github.com", "github.com"],
  ["altssh.gitlab.com", "gitlab.com"],
  ["altssh.bitbucket.org", "bitbucket.org"],
  ["ssh.dev.azure.com", "dev.azure.com"],
]);
/** Owners and names differ by more than case there. */
const IGNORING_CASE: ReadonlySet<string> = new Set(["github.com", "gitlab.com", "bitbucket.org", "dev.azure.com"]);
/** Other machines have other repositories there. */
const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/;
const LONGEST = 500;

/** `undefined` for an address that names no repository on another machine: a folder, a file, this machine. */
export function normalizedRemote(address: string): string | undefined {
  const trimmed = address.trim();
  const [host, path] = SCHEMES.test(trimmed) ? ofUrl(trimmed) : ofScp(trimmed);
  if (host === "" || LOOPBACK.test(host)) return undefined;
  const ofHost = OTHER_HOSTS.get(host) ?? host;
  const names = namesIn(path).filter((name, index) => !isOfService(name, index, host));
  if (names.length === 0 || names.some((name) => name === "." || name === "..")) return undefined;
  const joined = names.join("/");
  const remote = `${ofHost}/${IGNORING_CASE.has(ofHost) ? joined.toLowerCase() : joined}`;
  return remote.length > LONGEST || /[\s\p{C}?#%\\]/u.test(remote) ? undefined : remote;
}

/** A part of the path that is no name: `v3` over SSH, `_git` over HTTPS. */
function isOfService(name: string, index: number, host: string): boolean {
  return (host === "ssh.dev.azure.com" && index === 0) || (host.endsWith("dev.azure.com") && name === "_git");
}

function ofUrl(address: string): readonly [host: string, path: string] {
  const rest = address.replace(SCHEMES, "");
  const start = rest.search(/[/?#]/);
  if (start < 0 || rest[start] !== "/") return ["", ""];
  const host = rest.slice(rest.slice(0, start).lastIndexOf("@") + 1, start).replace(/:\d*$/, "");
  return [hostName(host), rest.slice(start).replace(/[?#].*$/s, "")];
}

function ofScp(address: string): readonly [host: string, path: string] {
  const [, host = "", path = ""] = SCP_LIKE.exec(address) ?? [];
  return [path.startsWith(":") ? "" : hostName(host), path];
}

/** Empty unless it is one. */
function hostName(host: string): string {
  const lower = host.toLowerCase().replace(/\.+$/, "");
  return /^(?:[\p{L}\p{N}_][\p{L}\p{N}_.-]*|\[[0-9a-f:]+\])$/u.test(lower) ? lower : "";
}

function namesIn(path: string): readonly string[] {
  const names = decoded(path)
    .split("/")
    .filter((name) => name !== "");
  const last = names.pop()?.replace(/(?:\.git)+$/i, "") ?? "";
  return last === "" ? names : [...names, last];
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

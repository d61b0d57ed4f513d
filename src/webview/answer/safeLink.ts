/**
 * The only addresses that may leave an answer: http and https. Everything else (javascript:, data:, command:, file:,
 * relative paths, addresses with a name and password in front of the host) is shown as text.
 */

/** Longest address that is still a link; longer ones are shown as text. */
const maxHrefLength = 2048;

/** Returns the address as the browser would write it, or null when it must not be a link. */
export function safeLink(href: string): string | null {
  if (href.length > maxHrefLength || !/^https?:\/\//i.test(href.trim())) return null;
  const url = URL.parse(href);
  if (url === null) return null;
  if (url.protocol !== "http:" && url.protocol !== "https:") return null;
  return url.username === "" && url.password === "" ? url.href : null;
}

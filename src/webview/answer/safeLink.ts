/**
 * The only addresses that can be opened from an answer: http and https. All others (javascript:, data:, command:,
 * file:, relative paths, addresses with a user name and password) are shown as text.
 */

/** Longer addresses are shown as text. */
const maxHrefLength = 2048;

/** The normalized address; null if it must not be a link. */
export function safeLink(href: string): string | null {
  if (href.length > maxHrefLength || !/^https?:\/\//i.test(href.trim())) return null;
  const url = URL.parse(href);
  if (url === null) return null;
  if (url.protocol !== "http:" && url.protocol !== "https:") return null;
  return url.username === "" && url.password === "" ? url.href : null;
}

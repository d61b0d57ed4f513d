/** Validates messages of the webview, which is untrusted. */

import * as v from "valibot";
import { type ToHost, toHostSchema } from "./toHost.ts";

/** The message, or what is wrong with it (a path and an expectation, never the content). */
export function parseToHost(value: unknown): { readonly message: ToHost } | { readonly fault: string } {
  const parsed = v.safeParse(toHostSchema, value);
  if (parsed.success) return { message: parsed.output };
  const issue = parsed.issues[0];
  return { fault: `${v.getDotPath(issue) ?? "message"}: expected ${issue.expected ?? "another value"}` };
}

/** `undefined` unless the address may be opened from a chat: http or https, with no user name before the host. */
export function safeLink(href: string): string | undefined {
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  const isWeb = url.protocol === "http:" || url.protocol === "https:";
  return isWeb && url.username === "" && url.password === "" ? url.href : undefined;
}

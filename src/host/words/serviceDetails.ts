/** Translates failure details that Forge itself words. Those of a service stay unchanged. */

import { localize, plural } from "../../protocol/localize.ts";

export function detailText(detail: string): string {
  const [, what = "", figure = ""] = /^(.+) for (\d+) seconds\.$/.exec(detail) ?? [];
  if (Object.hasOwn(SILENCES, what)) return SILENCES[what]?.(Number(figure)) ?? detail;
  const [, subject = "", megabytes = ""] = /^(.+) has more than (\d+) MB\.$/.exec(detail) ?? [];
  if (Object.hasOwn(LARGE_BODIES, subject)) return LARGE_BODIES[subject]?.(megabytes) ?? detail;
  // A sentence may be followed by a system code: " (ECONNREFUSED)".
  const [, sentence = detail, code = ""] = /^(.*?)( \([\w-]+\))?$/s.exec(detail) ?? [];
  const known = sentences();
  return `${Object.hasOwn(known, sentence) ? (known[sentence] ?? sentence) : sentence}${code}`;
}

const SILENCES: Readonly<Record<string, (seconds: number) => string>> = {
  "No answer": (seconds) => plural(seconds, "No answer for 1 second.", "No answer for {0} seconds."),
  "Nothing arrived": (seconds) => plural(seconds, "Nothing arrived for 1 second.", "Nothing arrived for {0} seconds."),
  "No part of an answer arrived": (seconds) =>
    plural(seconds, "No part of an answer arrived for 1 second.", "No part of an answer arrived for {0} seconds."),
};

const LARGE_BODIES: Readonly<Record<string, (megabytes: string) => string>> = {
  "A part of the answer": (megabytes) =>
    localize("A single part of the answer has more than {0} MB; what came before it is kept.", megabytes),
  "The answer": (megabytes) => localize("The answer has more than {0} MB; what came up to there is kept.", megabytes),
  "An answer in one piece": (megabytes) => localize("The answer, sent in one piece, has more than {0} MB.", megabytes),
  "The list of models": (megabytes) => localize("The list of models has more than {0} MB.", megabytes),
};

/** By the English sentences of the core. */
function sentences(): Readonly<Record<string, string>> {
  return {
    "Nothing answers at this address and port.": localize("Nothing answers at this address and port."),
    "There is no host of this name, or no network.": localize("There is no host of this name, or no network."),
    "The name of the host could not be looked up; is there a network?": localize(
      "The name of the host could not be looked up; is there a network?",
    ),
    "The connection was closed by the other side.": localize("The connection was closed by the other side."),
    "The host did not answer.": localize("The host did not answer."),
    "Nothing arrived for a long time.": localize("Nothing arrived for a long time."),
    "The server accepted the request and never answered it.": localize(
      "The server accepted the request and never answered it.",
    ),
    "The server's certificate is its own and not trusted by this machine.": localize(
      "The server's certificate is its own and not trusted by this machine.",
    ),
    "A certificate on the way is not trusted by this machine.": localize(
      "A certificate on the way is not trusted by this machine.",
    ),
    "The server's certificate could not be verified.": localize("The server's certificate could not be verified."),
    "The server's certificate has expired.": localize("The server's certificate has expired."),
    "The model ended without an answer.": localize("The model ended without an answer."),
    "The answer ended without an end mark.": localize("The answer ended without an end mark."),
    "The server broke the answer off.": localize("The server broke the answer off."),
  };
}

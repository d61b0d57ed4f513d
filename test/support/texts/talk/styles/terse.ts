/** Style: as few words and symbols as possible. */

import { noun, part } from "../names.ts";
import { styleOf } from "../style.ts";

export const terse = styleOf(
  "terse",
  {
    carriers: {
      path: [
        ["user", (t, v) => `${t} -> ${v}`],
        ["user", (t, v) => `look at ${v} for the ${t}`],
        ["assistant", (t, v) => `${t}: ${v} done`],
      ],
      url: [
        ["user", (t, v) => `${t} docs ${v}`],
        ["assistant", (t, v) => `${t}, see ${v}`],
      ],
      name: [
        ["user", (t, v) => `${t} broken, ${v} maybe`],
        ["assistant", (t, v) => `${v} handles the ${t}`],
      ],
      id: [
        ["user", (t, v) => `${t} issue ${v}`],
        ["assistant", (t, v) => `${t} ok for ${v}`],
      ],
      number: [
        ["user", (t, v) => `${t} takes ${v}, too much`],
        ["assistant", (t, v) => `${t} now ${v}`],
        ["user", (t, v) => `cap the ${t} at ${v}`, "directs"],
      ],
      version: [
        ["user", (t, v) => `${t} needs ${v}`],
        ["assistant", (t, v) => `pinned ${v} for ${t}`],
      ],
      commit: [
        ["user", (t, v) => `${t} died with ${v}`],
        ["assistant", (t, v) => `${t} good at ${v}`],
      ],
      date: [
        ["user", (t, v) => `${t} due ${v}`],
        ["assistant", (t, v) => `${t} frozen since ${v}`],
      ],
      command: [
        ["user", (t, v) => `${t}: ${v}`],
        ["assistant", (t, v) => `${t} check:\n\`\`\`\n${v}\n\`\`\``],
        ["user", (t, v) => `$ ${v}\nfor ${t} hangs`],
      ],
      error: [
        ["user", (t, v) => `${t} again\n${v}`],
        ["tool", (t, v) => `[${t}] starting\n${v}\n[${t}] exit 1`],
      ],
    },
    rules: [
      ["user", (t) => `never mock the ${t} in tests`],
      ["user", (t) => `no comments in the ${t} code pls`],
      ["user", (t) => `always squash the ${t} commits`],
      ["user", (t) => `tabs not spaces in ${t}`],
      ["user", (t) => `dont touch the ${t} config`],
      ["user", (t) => `keep the ${t} under one screen`],
    ],
    decisions: [
      ["user", (t, d) => `ok ${noun(d)} it is for the ${t}, ${part(d)} was too flaky`],
      ["assistant", (t, d) => `went with ${noun(d)} for ${t} because ${part(d)} locks`],
      ["user", (t, d) => `scrap the ${t} ${noun(d)}, not worth it`],
    ],
    quotes: [
      [(t) => `boss on ${t}: "`, (t) => `make the ${t} boring and cheap`, `"`],
      [(t) => `${t} label is '`, (t) => `Retry the ${t} later today`, `'`],
    ],
  },
  ["ok", "hm", "next", "sure, on it", "works", "wait, let me check", "that was it, thanks", "not yet", "go on pls"],
);

/** Style: lists and tables of an issue tracker. */

import { noun, part } from "../names.ts";
import { styleOf } from "../style.ts";

export const ticket = styleOf(
  "ticket",
  {
    carriers: {
      path: [
        ["user", (t, v) => `- **Where (${t})**: \`${v}\``],
        ["assistant", (t, v) => `| ${t} | ${v} | changed |`],
      ],
      url: [
        ["user", (t, v) => `- Link (${t}): <${v}>`],
        ["assistant", (t, v) => `- ${t}: [trace](${v})`],
      ],
      name: [
        ["user", (t, v) => `- **Component (${t})**: ${v}`],
        ["assistant", (t, v) => `1. ${t}: extracted \`${v}\``],
      ],
      id: [
        ["user", (t, v) => `- Reference (${t}): ${v}`],
        ["assistant", (t, v) => `- Reproduced ${t} with ${v}`],
      ],
      number: [
        ["user", (t, v) => `- Observed (${t}): ${v}`],
        ["assistant", (t, v) => `| ${t} | after | ${v} |`],
        ["user", (t, v) => `- Acceptance: ${t} ≤ ${v}`, "directs"],
      ],
      version: [
        ["user", (t, v) => `- Affects (${t}): ${v}`],
        ["assistant", (t, v) => `- ${t} fixed in ${v}`],
      ],
      commit: [
        ["user", (t, v) => `- Introduced by (${t}): ${v}`],
        ["assistant", (t, v) => `- ${t}: cherry-picked \`${v}\``],
      ],
      date: [
        ["user", (t, v) => `- Deadline (${t}): ${v}`],
        ["assistant", (t, v) => `- ${t} rollout on ${v}`],
      ],
      command: [
        ["user", (t, v) => `### Steps (${t})\n1. \`${v}\`\n2. wait`],
        ["assistant", (t, v) => `- Verify ${t}: \`${v}\``],
      ],
      error: [
        ["user", (t, v) => `### Actual (${t})\n> ${v}`],
        ["assistant", (t, v) => `- ${t} failed with:\n\n      ${v}\n`],
      ],
    },
    rules: [
      ["user", (t) => `- [ ] The ${t} must not block the main thread.`],
      ["user", (t) => `- Constraint: all ${t} strings have to be translatable.`],
      ["user", (t) => `- The ${t} may only be written in one place.`],
      ["user", (t) => `- Use the existing ${t} types; do not invent new ones.`],
      ["user", (t) => `- Under no circumstances log the ${t} payload.`],
    ],
    decisions: [
      ["assistant", (t, d) => `- Decision: ${t} is stored per ${noun(d)}, not per ${part(d)}.`],
      ["user", (t, d) => `- Outcome of the meeting: the ${t} moves to ${part(d)} this quarter.`],
      ["assistant", (t, d) => `- Rejected for ${t}: ${noun(d)} snapshots (would double the storage).`],
    ],
    quotes: [
      [(t) => `- Customer on ${t}: "`, (t) => `we lost two hours to the ${t} yesterday`, `"`],
      [(t) => `- Copy for ${t}: "`, (t) => `Nothing to ${t} here, check back tomorrow`, `"`],
    ],
  },
  [
    "- Status: in progress",
    "- No further remarks.",
    "### Context",
    "- Nothing else was affected as far as we can see.",
    "### Summary",
    "- Reviewed, see above.",
    "- The description above still holds.",
  ],
);

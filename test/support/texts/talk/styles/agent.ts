/** Style: a model that works with tools and reports. */

import { camel, noun, snake } from "../names.ts";
import { styleOf } from "../style.ts";

export const agent = styleOf(
  "agent",
  {
    carriers: {
      path: [
        ["tool", (t, v) => `${t}: 3 matches in ${v}`],
        ["assistant", (t, v) => `Found the ${t} in ${v}. Reading it next.`],
      ],
      url: [
        ["tool", (t, v) => `GET ${v} 200 (${t})`],
        ["assistant", (t, v) => `The ${t} endpoint is ${v}; checking its answer.`],
      ],
      name: [
        ["assistant", (t, v) => `The ${t} calls ${v}, which I will wrap.`],
        ["tool", (t, v) => `${t}: 12 references to ${v}`],
      ],
      id: [
        ["tool", (t, v) => `${t} request_id=${v} status=failed`],
        ["assistant", (t, v) => `${v} is the ${t} record in question.`],
      ],
      number: [
        ["tool", (t, v) => `${t} finished: ${v}`],
        ["assistant", (t, v) => `Measured the ${t}: ${v}.`],
      ],
      version: [
        ["tool", (t, v) => `${t} resolved ${v}`],
        ["assistant", (t, v) => `Installed ${v} for the ${t}.`],
      ],
      commit: [
        ["tool", (t, v) => `${v} ${t}: fix flaky retry`],
        ["assistant", (t, v) => `Committed the ${t} as ${v}.`],
      ],
      date: [
        ["tool", (t, v) => `${t} last_success=${v}`],
        ["assistant", (t, v) => `The ${t} last ran on ${v}.`],
      ],
      command: [
        ["assistant", (t, v) => `Running \`${v}\` for the ${t}.`],
        ["assistant", (t, v) => `I will verify the ${t} with: ${v}`],
      ],
      error: [
        ["tool", (t, v) => `> ${t}\n${v}\nexit code 1`],
        ["assistant", (t, v) => `The ${t} still fails: ${v}`],
      ],
    },
    rules: [
      ["user", (t) => `Do not commit ${t} changes without asking me.`],
      ["user", (t) => `Always show me the ${t} diff first.`],
      ["user", (t) => `You must never push the ${t} branch.`],
      ["user", (t, d) => `When you touch the ${t}, also update ${snake(d)}.`],
      ["user", (t) => `Write the ${t} tests before the code.`],
    ],
    decisions: [
      ["assistant", (t, d) => `Plan: keep the ${t} synchronous and move only ${noun(d)} to a worker.`],
      ["assistant", (t, d) => `I ruled out ${camel(d)} for the ${t}; it never sees the request.`],
      ["assistant", (t, d) => `Root cause of the ${t}: ${camel(d)} swallows the rejection.`],
    ],
    quotes: [
      [(t) => `The ${t} README says "`, (t) => `the ${t} is best effort by design`, `".`],
      [(t) => `Its test for the ${t} is called "`, (t) => `gives up on ${t} after the last retry`, `".`],
    ],
  },
  [
    "Let me check the tests.",
    "That passed. Moving on.",
    "I will read the next file.",
    "Done with this step.",
    "Continuing with the remaining part.",
    "This needs one more look.",
  ],
);

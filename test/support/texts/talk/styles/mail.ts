/** Style: long, polite paragraphs. */

import { noun, part, pascal } from "../names.ts";
import { styleOf } from "../style.ts";

export const mail = styleOf(
  "mail",
  {
    carriers: {
      path: [
        [
          "user",
          (t, v) =>
            `As discussed on the phone, the material for the ${t} was placed in ${v}, and the older copies were removed.`,
        ],
      ],
      url: [["user", (t, v) => `You will find what legal wrote about the ${t} under ${v}, including the appendix.`]],
      name: [
        [
          "user",
          (t, v) => `Our partner tells us that their side of the ${t} is implemented in ${v}, which we should mirror.`,
        ],
      ],
      id: [
        ["user", (t, v) => `The case that triggered the ${t} complaint is registered as ${v} in their system.`],
        ["assistant", (t, v) => `I have looked into ${v}, and it is indeed an instance of the ${t} problem.`],
      ],
      number: [
        ["user", (t, v) => `In the last quarter the ${t} stood at ${v}, which the board regards as too high.`],
        ["assistant", (t, v) => `After the change I measured ${v} for the ${t}, averaged over several runs.`],
      ],
      version: [
        ["user", (t, v) => `Please note for the ${t} that the customer is bound to ${v} by contract.`, "directs"],
      ],
      commit: [
        ["assistant", (t, v) => `The change to the ${t} went out as ${v} this morning and has been stable since.`],
      ],
      date: [
        [
          "user",
          (t, v) => `The auditors expect the ${t} report no later than ${v}, so there is some slack.`,
          "directs",
        ],
        ["assistant", (t, v) => `According to the calendar, the ${t} window closes on ${v}.`],
      ],
      command: [
        [
          "user",
          (t, v) => `Operations asked that the ${t} be restarted with \`${v}\` and with nothing else.`,
          "directs",
        ],
      ],
      error: [
        [
          "user",
          (t, v) => `The ${t} screen showed the following to several people:\n\n    ${v}\n\nafter which they gave up.`,
        ],
        ["assistant", (t, v) => `What the ${t} reports is this:\n> ${v}\nand I believe I know why.`],
      ],
    },
    rules: [
      ["user", (t) => `I must insist that the ${t} remains available during the migration.`],
      ["user", (t) => `It is important to us that no ${t} record is ever overwritten.`],
      ["user", (t) => `Kindly make sure the ${t} wording stays gender-neutral throughout.`],
      ["user", (t) => `We expect each ${t} change to be announced two days ahead.`],
    ],
    decisions: [
      [
        "user",
        (t, d) => `After some back and forth the committee decided to run the ${t} on our own ${part(d)} servers.`,
      ],
      [
        "assistant",
        (t, d) =>
          `I would therefore build the ${t} on ${noun(d)} rather than on ${part(d)}, because it can be tested offline.`,
      ],
      ["user", (t, d) => `The plan to merge the ${t} with ${pascal(d)} has been abandoned for cost reasons.`],
    ],
    quotes: [
      [(t) => `Their answer on the ${t} was, and I quote: "`, (t) => `we consider the ${t} matter closed`, `".`],
      [(t) => `The policy on the ${t} contains the sentence “`, (t) => `every ${t} is kept for seven years`, `”.`],
    ],
  },
  [
    "Thank you for the quick reply, it is much appreciated on our side.",
    "I hope that this answers your question; if not, do let me know at any time.",
    "As you may remember, we talked about this at length some weeks ago.",
    "There are no other open points from my side at the moment.",
    "I will get back to you as soon as I know more about it.",
    "With this in mind, the remaining work seems quite manageable to me.",
  ],
);

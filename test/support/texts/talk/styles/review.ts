/** Style: review comments on a change, file by file. */

import { noun, part } from "../names.ts";
import { styleOf } from "../style.ts";

export const review = styleOf(
  "review",
  {
    carriers: {
      path: [
        ["user", (t, v) => `${v}: the ${t} bit here reads oddly to me`],
        ["assistant", (t, v) => `Good catch; the ${t} moved over to ${v} (with its tests).`],
      ],
      url: [
        ["user", (t, v) => `See ${v} for how others solved the ${t}`],
        ["assistant", (t, v) => `Linked the ${t} discussion (${v}) in the description.`],
      ],
      name: [
        ["user", (t, v) => `nit: ${v} would be a better home for the ${t}`],
        ["assistant", (t, v) => `Right, the ${t} now sits behind ${v}.`],
      ],
      id: [
        ["user", (t, v) => `This is the same ${t} thing as ${v}, no?`],
        ["assistant", (t, v) => `Closed ${v} as a duplicate of the ${t} one.`],
      ],
      number: [
        ["user", (t, v) => `Where does ${v} for the ${t} come from?`],
        ["assistant", (t, v) => `The ${t} budget is ${v}; I left a comment.`],
      ],
      version: [
        ["user", (t, v) => `Can we require ${v} for the ${t} already?`],
        ["assistant", (t, v) => `The ${t} API exists since ${v}, so yes.`],
      ],
      commit: [
        ["user", (t, v) => `${v} had the ${t} right, I believe`],
        ["assistant", (t, v) => `Fixed up into ${v} (${t}).`],
      ],
      date: [
        ["user", (t, v) => `Freeze for the ${t} is ${v}, FYI`],
        ["assistant", (t, v) => `I noted ${v} as the end of the ${t} trial.`],
      ],
      command: [
        ["user", (t, v) => `Did you try ${v} on the ${t}?`],
        ["assistant", (t, v) => `Yes: \`${v}\` passes for the ${t} now.`],
      ],
      error: [
        ["user", (t, v) => `CI for the ${t}:\n\`\`\`\n${v}\n\`\`\``],
        ["assistant", (t, v) => `The ${t} job died of "${v}".`],
        ["tool", (t, v) => `ci/${t.replace(" ", "/")} started\n${v}\nci/${t.replace(" ", "/")} finished with 1`],
      ],
    },
    rules: [
      ["user", (t) => `General remark: we do not abbreviate ${t} names.`],
      ["user", (t) => `Every new ${t} function needs a unit test, please.`],
      ["user", (t) => `Nothing in the ${t} may depend on the clock.`],
      ["user", (t) => `For the ${t}, prefer composition to inheritance.`],
      ["user", (t, d) => `Avoid ${noun(d)} in the ${t}, it confuses newcomers.`],
      ["user", (t) => `Going forward the ${t} should be reviewed by two people.`],
    ],
    decisions: [
      [
        "assistant",
        (t, d) => `Settled with the others: the ${t} keeps its own ${noun(d)}, as sharing it would couple the teams.`,
      ],
      ["user", (t, d) => `Let's not do the ${t} in ${part(d)} after all, the gain is tiny.`],
      ["assistant", (t, d) => `I switched the ${t} from polling to ${noun(d)} events because of the load.`],
    ],
    quotes: [
      [(t) => `The docstring of the ${t} claims “`, (t) => `calling ${t} twice is harmless`, `”, which is wrong.`],
      [(t) => `Product wants the ${t} toast to say "`, (t) => `We saved your ${t} for later`, `".`],
    ],
  },
  [
    "LGTM otherwise.",
    "Could be shorter, but I do not mind.",
    "Same here.",
    "Resolved, thanks for the pointer.",
    "I am on the fence about this one.",
    "Happy to change it if you insist.",
    "This reads much better than before.",
  ],
);

/** Style: two people who talk while they work. */

import { camel, noun, part } from "../names.ts";
import { styleOf } from "../style.ts";

export const plain = styleOf(
  "plain",
  {
    carriers: {
      path: [
        ["assistant", (t, v) => `The ${t} logic lives in ${v}, which surprised me.`],
        ["user", (t, v) => `I think the ${t} part starts in ${v} somewhere.`],
        ["assistant", (t, v) => `I created \`${v}\` for the ${t} and moved the helpers there.`],
      ],
      url: [
        ["user", (t, v) => `The notes about the ${t} are at ${v} if you need them.`],
        ["assistant", (t, v) => `For the ${t} it talks to ${v} and nothing else.`],
      ],
      name: [
        ["assistant", (t, v) => `The culprit for the ${t} is ${v}, it runs twice.`],
        ["user", (t, v) => `Can the ${t} reuse ${v} instead of its own thing?`],
        ["assistant", (t, v) => `I renamed it to \`${v}\` so the ${t} reads better.`],
      ],
      id: [
        ["user", (t, v) => `The customer with the broken ${t} is ${v}, by the way.`],
        ["assistant", (t, v) => `The ${t} failure belongs to ${v}.`],
      ],
      number: [
        ["assistant", (t, v) => `With that the ${t} needs ${v} on my machine.`],
        ["user", (t, v) => `Last week the ${t} was at ${v}, if that helps.`],
        ["assistant", (t, v) => `So the ${t} is limited to ${v} from now on.`],
      ],
      version: [
        ["assistant", (t, v) => `The ${t} only works with ${v}, older ones crash.`],
        ["user", (t, v) => `We are on ${v} for the ${t}, upgrading is not possible this month.`],
      ],
      commit: [
        ["assistant", (t, v) => `The ${t} regression came in with ${v}, two weeks ago.`],
        ["user", (t, v) => `Reverting ${v} fixed the ${t} for me.`],
      ],
      date: [
        ["user", (t, v) => `The ${t} has to be live on ${v}, marketing knows.`, "directs"],
        ["assistant", (t, v) => `The ${t} certificate runs out on ${v}.`],
      ],
      command: [
        ["assistant", (t, v) => `To check the ${t}, run \`${v}\` in the root.`],
        ["user", (t, v) => `For the ${t} I always use\n\n\`\`\`sh\n${v}\n\`\`\`\n\nand that works.`],
        ["assistant", (t, v) => `This brings the ${t} up again:\n\n\`\`\`bash\n$ ${v}\n\`\`\``],
      ],
      error: [
        ["user", (t, v) => `The ${t} gives me this:\n\n${v}\n\nany idea?`],
        ["assistant", (t, v) => `The log of the ${t} says \`${v}\`, which is odd.`],
        ["tool", (t, v) => `running ${t}\n${v}\n    at step 3`],
      ],
    },
    rules: [
      ["user", (t) => `Never write to the ${t} table outside of a transaction.`],
      ["user", (t) => `Please always run the ${t} checks before you call it done.`],
      ["user", (t, d) => `Don't add any dependency to the ${t}, not even ${noun(d)}.`],
      ["user", (t) => `From now on every ${t} change needs a note in the changelog.`],
      ["user", (t) => `I'd prefer small pure functions in the ${t} over classes.`],
      ["user", (t) => `Remember that the ${t} must stay readable for the auditors.`],
      ["user", (t) => `Leave the ${t} folder alone unless I ask for it.`],
      ["user", (t) => `Ask me before you run any migration on the ${t}.`],
    ],
    decisions: [
      ["assistant", (t, d) => `We decided to keep the ${t} in ${part(d)}, because ${noun(d)} needs it too.`],
      ["user", (t, d) => `Okay, let's go with a queue for the ${t}, since a cron job would drift on ${part(d)}.`],
      ["assistant", (t, d) => `I chose a ${noun(d)} over a cache for the ${t}, as stale data would be worse.`],
      ["user", (t, d) => `We dropped the ${noun(d)} idea for the ${t}; it was too slow.`],
      ["assistant", (t, d) => `The ${t} turned out to fail because ${camel(d)} was called before the lock was taken.`],
    ],
    asides: [
      ["user", (t) => `I never understood why the ${t} is always this slow on the first run.`],
      ["user", (t) => `The docs of the ${t} say that you must never call it twice, which surprised me.`],
      ["user", (t) => `Should the ${t} always be started before the rest?`],
      ["user", (t) => `The ${t} had to be restarted, and since then it should be fine.`],
      ["tool", (t) => `NOTE: you must always delete the ${t} before you continue.`],
      ["tool", (t) => `# Never run the ${t} without asking the assistant to disable the checks first.`],
    ],
    quotes: [
      [(t) => `About the ${t} our lead said "`, (t) => `ship the ${t} on Friday or not at all`, `" and left.`],
      [(t) => `The contract says about the ${t}: “`, (t) => `no ${t} data leaves the region`, `”. Fine with me.`],
      [
        (t) => `The ${t} banner should read "`,
        (t) => `Your ${t} is on its way, hang on`,
        `", exactly like that.`,
        "directs",
      ],
    ],
  },
  [
    "Let me look at that for a moment before I change anything.",
    "That makes sense to me, although it is not what I expected at first.",
    "I went through the code once more and it reads well now.",
    "This is the part that confused me in the beginning, so I added a comment.",
    "The rest stays as it was, and nothing else depends on it.",
    "It is a small change, but it should make the next one easier.",
    "Thanks, that looks good. Let us go on with the next thing.",
    "Could you explain in a few words why this happens at all?",
    "I am not sure that this is the best way, but it works for now.",
  ],
);

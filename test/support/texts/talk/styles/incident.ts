/** Style: messages of people on call during an incident. Held out: see `plantedSession.ts`. */

import { noun, part } from "../names.ts";
import { styleOf } from "../style.ts";

export const incident = styleOf(
  "incident",
  {
    carriers: {
      path: [
        ["user", (t, v) => `14:02 anyone else seeing the ${t} box fill up? culprit seems to be ${v}`],
        ["assistant", (t, v) => `14:05 rolled ${v} back on all ${t} hosts, watching`],
      ],
      url: [
        ["user", (t, v) => `14:07 bridge for the ${t} is open → ${v}`],
        ["assistant", (t, v) => `14:09 ${t} graph, pls keep an eye on it: ${v}`],
      ],
      name: [
        ["user", (t, v) => `14:11 ${v} is what's hot in the ${t} flamegraph`],
        ["assistant", (t, v) => `14:12 flipped ${v} off for the ${t}, errors drop`],
      ],
      id: [
        ["user", (t, v) => `14:13 paged as ${v} (${t}), sev2 for now`],
        ["assistant", (t, v) => `14:15 merged the other ${t} pages into ${v}`],
      ],
      number: [
        ["user", (t, v) => `14:16 ${t} is sitting at ${v} and climbing`],
        ["assistant", (t, v) => `14:18 back down, ${v} on the ${t} dashboard`],
      ],
      version: [
        ["user", (t, v) => `14:20 did ${t} go to ${v} last night??`],
        ["assistant", (t, v) => `14:21 confirmed, ${t} canaries run ${v}`],
      ],
      commit: [
        ["user", (t, v) => `14:22 bisect says ${v} broke the ${t}`],
        ["assistant", (t, v) => `14:24 reverting ${v} (${t}) as we speak`],
      ],
      date: [
        ["user", (t, v) => `14:25 same ${t} thing as on ${v}, see the writeup`],
        ["assistant", (t, v) => `14:26 ${t} cert runs out ${v}, that's not it`],
      ],
      command: [
        ["user", (t, v) => `14:27 try ${v} on one ${t} node pls`],
        ["assistant", (t, v) => `14:28 did "${v}" twice, ${t} came back`],
      ],
      error: [
        ["user", (t, v) => `14:29 ${t} tail:\n${v}`],
        ["tool", (t, v) => `--- ${t} ---\n${v}\n--- end ---`],
      ],
    },
    rules: [
      ["user", (t) => `14:30 nobody touches the ${t} until I say so`],
      ["user", (t) => `14:31 from here on all ${t} changes go through me`],
      ["user", (t) => `14:32 hands off the ${t} replicas!`],
      ["user", (t) => `14:33 two people on every ${t} restart, no exceptions`],
    ],
    decisions: [
      [
        "user",
        (t, d) => `14:34 ok we fail the ${t} over to ${part(d)}, it costs us the ${noun(d)} but stops the bleeding`,
      ],
      [
        "assistant",
        (t, d) => `14:36 went with draining the ${t} instead of a restart since the ${noun(d)} cache is cold`,
      ],
    ],
    quotes: [
      [() => `14:37 support has customers saying "`, (t) => `my ${t} shows somebody else's data`, `", checking`],
      [() => `14:38 status page now reads “`, (t) => `we are looking into slow ${t} responses`, `”`],
    ],
  },
  ["14:40 ack", "14:41 looking", "14:42 still red here", "14:43 same", "14:44 brb, coffee", "14:45 nothing on my side"],
);

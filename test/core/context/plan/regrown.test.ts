/** Squeezed summaries: made anew from their originals where a compaction leaves room for them. */

import { checkPlan } from "../../../support/session/shortPlan.ts";

/** The budget is 3,892 tokens, the target half of it: the large message leaves room once it is summarized. */
const squeezedTo = (tokens: number): string => `20*200/200 S0-35:${String(tokens)} ${LARGE}`;
const LARGE = "u2400 a50 3*20/20";

describe("a summary that was squeezed", () => {
  const threshold = "threshold(conversation, small) 36-41";
  checkPlan(
    "is made anew where a compaction leaves room",
    squeezedTo(100),
    `${threshold}; threshold(conversation, small) 0-35`,
  );
  checkPlan("stays where it could not grow threefold", squeezedTo(400), threshold);
  checkPlan("stays where there is no room", `20*200/200 S0-35:100 12*200/200`, "threshold(conversation, small) 36-59");
  checkPlan("stays where the user has written it", `20*200/200 S0-35:200 edit0-35:100 ${LARGE}`, threshold);
  checkPlan(
    "is made anew of finer levels that do not fit",
    `20*200/200 S0-17:1000 S18-35:1000 S0-35:100 ${LARGE}`,
    `${threshold}; threshold(conversation, small) 0-35^2`,
  );
  checkPlan("stays where finer levels fit", `20*200/200 S0-17:600 S18-35:600 S0-35:100 ${LARGE}`, threshold);
  checkPlan("stays without a compaction", "20*200/200 S0-35:100 2*20/20", "nothing");
});

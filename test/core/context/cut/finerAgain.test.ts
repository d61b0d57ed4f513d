/** Spec §4: what one large message squeezed to a coarser level returns at the next change of the cut that has room. */

import assert from "node:assert/strict";
import { TestConversation } from "../../../support/session/conversation.ts";

/** Six summaries of 900 tokens, and a large message that made them one. Budget: 19,000. */
const PARTS = "S0-7:900 S8-15:900 S16-23:900 S24-31:900 S32-39:900 S40-47:900";
const squeezedBy = (tokens: number): string =>
  `24*1250/1250 2*50/50 ${PARTS} u${String(tokens)} a100 2*100/100 S0-47:300 15*50/50`;

describe("levels squeezed by one large message", () => {
  const six = "S0[0-7] S1[8-15] S2[16-23] S3[24-31] S4[32-39] S5[40-47]";

  const summariesIn = (talk: TestConversation): string =>
    talk
      .sent()
      .split(" ")
      .filter((segment) => segment.startsWith("S"))
      .join(" ");

  function after(events: string, tokens = 9_000): string {
    const talk = new TestConversation({ model: "middle" }).play(squeezedBy(tokens));
    assert.equal(summariesIn(talk), "S6[0-47]");
    const now = summariesIn(talk.play(events));
    assert.equal(summariesIn(talk.reopened()), now, "the same after a restart");
    return now;
  }

  const check = (title: string, event: string, expected: string, tokens?: number): void => {
    it(title, () => {
      assert.equal(after(event, tokens), expected);
    });
  };
  const summarized = "S52-53:300";
  check("do not return without a change", "u10 a10", "S6[0-47]");
  check("do not return where there is no room", "pin0", "S6[0-47]");
  check("return when the large message is hidden", "hide52-53", six);
  check("return when another message is pinned", `${summarized} pin60`, `${six} S7[52-53]`);
  check("return when a summary is undone", `${summarized} S54-61:64 undo8`, `${six} S7[52-53]`);
  check("return when a due compaction makes room", summarized, `${six} S7[52-53]`, 13_000);
  check("do not return when a compaction was ordered before it was due", summarized, "S6[0-47] S7[52-53]");
  check("do not return with another summary of the same compaction", `${summarized} S0-53:300`, "S8[0-53]");
  check("leave the user's own words", `edit0-47:200 ${summarized} pin60`, "S7[0-47] S8[52-53]");
});

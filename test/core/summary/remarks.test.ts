import assert from "node:assert/strict";
import { rankedRemarks } from "../../../src/core/summary/remarks.ts";

describe("rankedRemarks", () => {
  it("puts what may direct before what names things, tells of the past, or is known by an address", () => {
    const said = [
      "It all lives in src/a.ts.",
      "The log says that it is full.",
      "QuizUpload stays as it is.",
      "Due on 2026-03-01, no later.",
      "Tabs are a mistake.",
      "The log says that QuizUpload is full.",
      "Small steps only.",
    ];
    const ranked = rankedRemarks(said.map((text) => ({ fact: { text } })));
    assert.deepEqual(
      ranked.map(({ fact }) => fact.text),
      [said[3], said[4], said[6], said[2], said[1], said[0], said[5]],
    );
  });
});

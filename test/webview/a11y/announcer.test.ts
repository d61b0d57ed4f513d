import fc from "fast-check";
import assert from "node:assert/strict";
import { assertLinearTime } from "../../support/linearTime.ts";
import { SentenceAnnouncer } from "../../../src/webview/a11y/announcer.ts";

describe("SentenceAnnouncer", () => {
  const check = (pieces: readonly string[], expected: readonly string[], rest: string): void => {
    const announcer = new SentenceAnnouncer();
    assert.deepEqual(
      pieces.map((piece) => announcer.push(piece)),
      expected,
    );
    assert.equal(announcer.finish(), rest);
  };
  it("announces a sentence when it is complete", () => {
    check(["The qu", "eue is emp", "ty. It ", "stays"], ["", "", "The queue is empty.", ""], "It stays");
  });
  it("does not end a sentence at a period in a number or file name", () => {
    check(["Pi is 3.14 in a.ts", ", yes!\n"], ["", "Pi is 3.14 in a.ts, yes!"], "");
  });
  it("removes Markdown syntax", () => {
    check(
      ["## Title\n- **bold** `code`\n[text](https://a.example/)\n```ts\nlet a\n"],
      ["Title bold code text let a"],
      "",
    );
  });
  it("announces only the beginning of an overlong sentence, and everything after it", () => {
    const announcer = new SentenceAnnouncer();
    const spoken = ["Begins. ", ...Array.from({ length: 20_000 }, () => "again and "), "stops", ". ", "Goes on. "].map(
      (piece) => announcer.push(piece),
    );
    const [first, ...rest] = spoken.filter((sentence) => sentence !== "");
    assert.equal(first, "Begins.");
    assert.match(rest.join("|"), /^(?:again and ?){100}…\|Goes on\.$/);
    assert.equal(announcer.finish(), "");
  });
  it("announces only the beginning of an overlong text", () => {
    const announcer = new SentenceAnnouncer();
    const began = performance.now();
    assert.match(announcer.push("One more. ".repeat(100_000)), /^(?:One more\. ?){800}…$/);
    assert.match(announcer.push("[".repeat(1_000_000)), /^$/);
    assert.match(announcer.finish(), /^\[{1000}…$/);
    assert.ok(performance.now() - began < 1_000);
  });
  it("takes time linear in the length of the text", () => {
    for (const unit of ["\n", "\r\n", " ", "[", "[a](", "#\n", "> "]) {
      const announcer = new SentenceAnnouncer();
      const sayOften = (text: string): void => {
        for (let times = 0; times < 10; times++) announcer.push(text);
      };
      assertLinearTime(sayOften, { unit, behind: ". ", longestUnits: 7_900 });
    }
  });
  it("removes Markdown markers alone on their line", () => {
    check(["One\n-\n#\n  > two\n"], ["One two"], "");
  });
  it("announces every word once however the text is split", () => {
    const words = fc.array(fc.constantFrom("one", "two.", "three!", "four\n", "five?", "3.5"), { maxLength: 30 });
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 9 }), (list, size) => {
        const text = list.join(" ");
        const announcer = new SentenceAnnouncer();
        const spoken: string[] = [];
        for (let at = 0; at < text.length; at += size) spoken.push(announcer.push(text.slice(at, at + size)));
        spoken.push(announcer.finish());
        const heard = spoken.filter((sentence) => sentence !== "").join(" ");
        assert.equal(heard, text.replace(/\s+/g, " ").trim());
      }),
      { seed: 3, numRuns: 500 },
    );
  });
});

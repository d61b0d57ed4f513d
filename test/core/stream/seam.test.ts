import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import { Seam, type Continuation } from "../../../src/core/stream/seam.ts";

/** Text added to `answer` when `rest` arrives in pieces of so many characters. */
function joined(answer: string, how: Continuation, rest: string, pieceLength: number): string {
  const seam = new Seam(answer, how);
  let text = "";
  for (let at = 0; at < rest.length; at += pieceLength) text += seam.add(rest.slice(at, at + pieceLength));
  return text + seam.end();
}

const TALE = "Once there was a ship, and she was called the";
const CODE = "Here it is:\n\n```ts\nconst port = 8471;\nconst host = lo";

const CASES: readonly (readonly [title: string, how: Continuation, answer: string, rest: string, added: string])[] = [
  ["goes on in mid-sentence", "given", TALE, " Queen of the Seas.", " Queen of the Seas."],
  ["goes on in mid-word", "given", "She was called the Que", "en of the Seas.", "en of the Seas."],
  ["goes on in mid-fence", "given", CODE, 'calhost;\n```\nDone."', 'calhost;\n```\nDone."'],
  ["goes on with what was said before", "given", "No. No. No.", " No. No. Yes.", " No. No. Yes."],
  ["goes on with the first word again", "given", "So it is, and so", " So be it.", " So be it."],
  ["repeats the whole answer", "given", TALE, `${TALE} Queen.`, " Queen."],
  ["repeats the whole answer and nothing else", "given", TALE, TALE, ""],
  ["repeats the line break at the end", "given", "A list:\n\n", "\n\n- one", "- one"],
  ["begins after the line break at the end", "given", "A list:\n\n", "- one", "- one"],
  ["repeats the space at the end", "given", "called the ", " Queen", "Queen"],
  ["repeats the answer without its space", "tried", "called the ", "called the Queen", "Queen"],
  ["repeats the whole answer where that was not known", "tried", TALE, `${TALE} Queen.`, " Queen."],
  ["goes on where that was not known", "tried", TALE, " Queen of the Seas.", " Queen of the Seas."],
  ["goes on in mid-word where that was not known", "tried", "She was called the Que", "en.", "en."],
  ["repeats the last words where that was not known", "tried", TALE, "she was called the Queen.", " Queen."],
  ["begins anew where that was not known", "tried", TALE, "A tale of a ship.", " A tale of a ship."],
  ["begins a sentence where that was not known", "tried", "It is so.", "It was so.", " It was so."],
  ["goes on with a name in code", "tried", "```ts\nexport class the", "Queen {}", "Queen {}"],
  ["repeats the last words", "asked", TALE, "and she was called the Queen of the Seas.", " Queen of the Seas."],
  ["repeats the last word", "asked", TALE, "the Queen of the Seas.", " Queen of the Seas."],
  ["repeats the whole answer when asked", "asked", TALE, `${TALE} Queen.`, " Queen."],
  ["begins without a space", "asked", TALE, "Queen of the Seas.", " Queen of the Seas."],
  ["begins with the space", "asked", TALE, " Queen of the Seas.", " Queen of the Seas."],
  ["begins with dots", "asked", TALE, "… Queen of the Seas.", " Queen of the Seas."],
  ["begins with three dots", "asked", TALE, "...Queen of the Seas.", " Queen of the Seas."],
  ["finishes the word again", "asked", "She was called the Que", "Queen of the Seas.", "en of the Seas."],
  ["finishes a word that was said before", "asked", "The ship sails. Another sh", "ip sails.", "ip sails."],
  ["goes on with a figure", "asked", "Pi is 3.14", "159.", "159."],
  ["goes on with a figure like the one before", "asked", "Pi is 3.14", "1459.", "1459."],
  ["goes on after a comma", "asked", "One, two,", "three.", " three."],
  ["goes on after a stop", "asked", "It is so.", "It was so.", " It was so."],
  ["goes on in Chinese", "asked", "船的名字叫做", "海之女王。", "海之女王。"],
  ["repeats in Chinese", "asked", "从前有一条船，船的名字叫做", "船的名字叫做海之女王。", "海之女王。"],
  ["opens the block again", "asked", CODE, "```ts\ncalhost;\n```", "calhost;\n```"],
  ["opens the block again and repeats the line", "asked", CODE, "```ts\nconst host = localhost;\n```", "calhost;\n```"],
  ["opens the block again without a language", "asked", CODE, "```\ncalhost;\n```", "calhost;\n```"],
  ["closes the block", "asked", "```\nls\n", "```\nThat is all.", "```\nThat is all."],
  ["closes the block on the next line", "asked", "```\nls", "\n```\nThat is all.", "\n```\nThat is all."],
  ["goes on in code", "asked", "```ts\nconst port = get", "Port();\n```", "Port();\n```"],
  ["goes on with a row like the one before", "asked", "|0|0|0|\n|0|0|0|\n", "|0|0|0|\n|1|1|1|", "|0|0|0|\n|1|1|1|"],
  ["goes on with a rule", "asked", "Title\n====================", "====================\n", "====================\n"],
  [
    "repeats the last line",
    "asked",
    "- the first thing\n- the second thing\n",
    "- the second thing\n- third",
    "- third",
  ],
  ["says nothing", "asked", TALE, "", ""],
  ["says one sign", "asked", TALE, ".", "."],
];

describe("the rest of an answer", () => {
  for (const [title, how, answer, rest, added] of CASES) {
    it(`L1 ${title} (${how})`, () => {
      for (const pieceLength of [1, 3, 7, 1_000]) {
        assert.equal(joined(answer, how, rest, pieceLength), added, `in pieces of ${String(pieceLength)}`);
      }
    });
  }

  it("L1 is whole wherever a text is cut, from a server that goes on, and from one that repeats it first", () => {
    const word = fc.constantFrom(
      "ship",
      "the",
      "The",
      "a",
      "\n",
      "\n\n",
      "```",
      "```ts\n",
      ", ",
      " ",
      ".",
      "…",
      "海",
      "1",
      "|0|",
    );
    const text = fc.array(word, { minLength: 2, maxLength: 60 }).map((words) => words.join(""));
    fc.assert(
      fc.property(text, fc.nat(), fc.integer({ min: 1, max: 9 }), (whole, place, pieceLength) => {
        const answer = whole.slice(0, 1 + (place % (whole.length - 1)));
        const wire = answer.trimEnd();
        const rest = whole.slice(wire.length);
        fc.pre(wire !== "" && !wire.startsWith(rest) && !rest.startsWith(wire));
        assert.equal(answer + joined(answer, "given", rest, pieceLength), whole);
        assert.equal(answer + joined(answer, "given", wire + rest, pieceLength), whole);
      }),
      { seed: 29, numRuns: 2_000 },
    );
  });

  it("L1 is not held back longer than a repetition can be", () => {
    const answer = `It begins ${"and so on ".repeat(3_000)}`;
    const seam = new Seam(answer, "asked");
    let shown = "";
    for (let at = 0; at < 500; at++) shown += seam.add("and so on ");
    assert.ok(shown.length >= 2_500, String(shown.length));
  });
});

import assert from "node:assert/strict";
import fc from "fast-check";
import type { Message, Part } from "../../../src/core/message.ts";
import { messageWithoutLoops, withoutLoops } from "../../../src/core/repetition/withoutLoops.ts";
import { loopOf, ordinary, ORDINARY, proseOf, SCRIPT_NAMES } from "../../support/texts/plantedLoops.ts";
import { seededRandom } from "../../support/texts/plantedSecrets.ts";

const BEFORE = "This is what I think.\n\n";

describe("L2 what is sent of a repetition", () => {
  const check = (name: string, text: string, expected: string): void => {
    it(name, () => {
      assert.equal(withoutLoops(text), expected);
      assert.equal(withoutLoops(expected), expected);
    });
  };
  check("has the unit once", `${BEFORE}${"1. ".repeat(1_000)}`, `${BEFORE}1. [repeated 1000 times] `);
  check("goes on after it", `${BEFORE}${"no, ".repeat(1_000)}but yes.`, `${BEFORE}no, [repeated 1000 times] but yes.`);
  check(
    "is cut between paragraphs, and drops a unit that was begun",
    `${BEFORE}${"First.\nSecond.\n\nThird.\n\n".repeat(100)}First.\nSec`,
    `${BEFORE}First.\nSecond.\n\nThird.\n\n[repeated 100 times]\n`,
  );
  check(
    "says how often a number ran on",
    `${BEFORE}${Array.from({ length: 300 }, (_, at) => `Step ${String(at + 1)}: again.\n`).join("")}End`,
    `${BEFORE}Step 1: again.\n[repeated 300 times]\nEnd`,
  );
  check("does not split characters", `${BEFORE}${"Ja😀".repeat(500)}`, `${BEFORE}Ja😀 [repeated 500 times] `);
  check(
    "has each repetition once",
    `${"yes. ".repeat(400)}Then:\n${"no. ".repeat(400)}`,
    "yes. [repeated 400 times] Then:\nno. [repeated 400 times] ",
  );
  const data = `${BEFORE}\`\`\`\n${"0, 0, 0,\n".repeat(3_000)}\`\`\`\n`;
  check("has all of what can rightly repeat", data, data);

  it("is a text of its own for each part but signed thinking, calls and others' words", () => {
    const text = "no, ".repeat(1_000);
    const parts: readonly Part[] = [
      { kind: "thinking", text },
      { kind: "thinking", text, signature: "s" },
      { kind: "text", text },
      { kind: "text", text: "short" },
    ];
    const message: Message = { role: "assistant", parts };
    const once = "no, [repeated 1000 times] ";
    assert.deepEqual(messageWithoutLoops(message), {
      role: "assistant",
      parts: [{ kind: "thinking", text: once }, parts[1], { kind: "text", text: once }, parts[3]],
    });
    const asked: Message = { role: "user", parts };
    assert.equal(messageWithoutLoops(asked), asked);
    const plain: Message = { role: "assistant", parts: parts.slice(3) };
    assert.equal(messageWithoutLoops(plain), plain);
  });

  it("is short, and holds the text before and after it, in any script", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SCRIPT_NAMES),
        fc.integer({ min: 8, max: 2_000 }),
        fc.option(fc.integer({ min: 1, max: 900 }), { nil: undefined }),
        fc.integer(),
        (script, unitLength, firstNumber, seed) => {
          const random = seededRandom(seed);
          const shape = { script, unitLength, times: Math.ceil(Math.max(6, 3_000 / unitLength)) };
          const before = `${proseOf("latin", 300, random)}!\n\n`;
          const after = `\n!!${proseOf("latin", 300, random)}`;
          const loop = loopOf(firstNumber === undefined ? shape : { ...shape, firstNumber }, random);
          const sent = withoutLoops(before + loop + after);
          assert.ok(sent.startsWith(before) && sent.endsWith(after), sent);
          assert.ok(sent.length <= before.length + after.length + 3 * (unitLength + 3) + 60, String(sent.length));
        },
      ),
      { numRuns: 200 },
    );
  });

  it("is the very text where nothing is repeated", () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(ORDINARY)), fc.integer(), (kind, seed) => {
        const text = ordinary(kind, 20_000, seed);
        assert.equal(withoutLoops(text), text);
      }),
      { numRuns: 50 },
    );
  });
});

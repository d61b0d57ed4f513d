import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { directivesOf, isDirective } from "../../../../src/core/summary/facts/directives.ts";

describe("directivesOf", () => {
  const check = (text: string, ...expected: readonly string[]): void => {
    it(JSON.stringify(text), () => {
      assert.deepEqual(directivesOf(text), expected);
    });
  };
  check("Fix the login page. It must never log passwords! Thanks.", "It must never log passwords!");
  check(
    "- Always use tabs.\n- prefer `const`\n1. Don't touch e.g. the lock file.",
    "Always use tabs.",
    "prefer `const`",
    "Don't touch e.g. the lock file.",
  );
  check("Don’t push to main", "Don’t push to main");
  check("Must I always run it?");
  check(
    "Remember: the deadline is 2026-03-01. Remember: the deadline is 2026-03-01.",
    "Remember: the deadline is 2026-03-01.",
  );
  check("The mustard is nevertheless fine.");
  check("```\nyou must never read this\n```");
  check("Benutze niemals `any`. Das ist alles.", "Benutze niemals `any`.");
  check("N'utilise jamais eval. Merci.", "N'utilise jamais eval.");
  check("Nunca borres el historial.", "Nunca borres el historial.");
  check("Никогда не удаляй тесты. Спасибо.", "Никогда не удаляй тесты.");
  check("请记住，必须使用中文回答。谢谢你的帮助。", "请记住，必须使用中文回答。");
  check("必ずテストを書いてください。どう思いますか？", "必ずテストを書いてください。");
  check("항상 한국어로 답해 주세요.", "항상 한국어로 답해 주세요.");
  check(`Never ${"very ".repeat(200)}long.`);
  check("> Never merge without a review.\n\nI had not seen that mail.");
  check('The page says "you must never restart it" and that is all.');
  check("Could you please always run the linter?", "Could you please always run the linter?");
  check("");
});

/** User sentences in some thirty languages, one a line, that the recognition of directives was developed with. */
function sentences(name: "directing" | "telling"): readonly string[] {
  const file = new URL(`../../../support/texts/talk/sentences/${name}.txt`, import.meta.url);
  return readFileSync(file, "utf8").trimEnd().split("\n");
}

describe("isDirective", () => {
  it("accepts sentences that state a lasting rule", () => {
    const missed = sentences("directing").filter((sentence) => !isDirective(sentence));
    assert.deepEqual(missed, []);
  });

  it("rejects accounts, guesses, questions, reports and one-off requests", () => {
    assert.deepEqual(sentences("telling").filter(isDirective), []);
  });
});

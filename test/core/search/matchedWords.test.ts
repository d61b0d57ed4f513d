/** What is marked of a text that a search has found. */

import assert from "node:assert/strict";
import { matchedWords } from "../../../src/core/search/matchedWords.ts";
import { parseQuery } from "../../../src/core/search/searchQuery.ts";

function check(typed: string, text: string, expected: readonly string[]): void {
  const query = parseQuery(typed);
  assert.ok(query !== undefined);
  assert.deepEqual(matchedWords(query, text), expected, `${typed} in ${text}`);
}

describe("the words that a search has matched", () => {
  it("are as they stand in the text, each once", () => {
    check("fox", "A Fox, a fox and a FOX. The fox!", ["Fox", "fox", "FOX"]);
    check("cafe", "In the Café, not the cafeteria", ["Café", "cafe"]);
    check("zzz", "nothing of it", []);
  });

  it("end where what was typed ends, unless folding changes lengths", () => {
    check("exten", "an extension extends", ["exten"]);
    check("user", "getUserId and userName", ["User", "user"]);
    check("userid", "get_user_id", ["user_id"]);
  });

  it("are stretches where words must follow each other, and several where they need not", () => {
    check("src/app.ts", "see src/app.ts:12 and app.ts", ["src/app.ts"]);
    check("quick fox", "a quick brown fox, quick!", ["quick", "fox"]);
  });

  it("are parts of runs in scripts without blanks", () => {
    check("消息", "这条消息已发送。消息很长", ["消息"]);
    check("メッセージ", "古いメッセージを読む", ["メッセージ"]);
    check("문맥", "이 문맥이 길다", ["문맥"]);
  });

  it("are signs too, where they were asked for", () => {
    check("=>", "const f = () => 1", ["=>"]);
  });
});

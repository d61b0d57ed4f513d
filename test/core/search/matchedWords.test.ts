import assert from "node:assert/strict";
import { matchedWords } from "../../../src/core/search/matchedWords.ts";
import { parseQuery } from "../../../src/core/search/searchQuery.ts";

function check(typed: string, text: string, expected: readonly string[]): void {
  const query = parseQuery(typed);
  assert.ok(query !== undefined);
  assert.deepEqual(matchedWords(query, text), expected, `${typed} in ${text}`);
}

describe("matchedWords", () => {
  it("returns each spelling in the text once", () => {
    check("fox", "A Fox, a fox and a FOX. The fox!", ["Fox", "fox", "FOX"]);
    check("cafe", "In the Café, not the cafeteria", ["Café", "cafe"]);
    check("zzz", "nothing of it", []);
  });

  it("ends a match at the end of the typed prefix", () => {
    check("exten", "an extension extends", ["exten"]);
    check("user", "getUserId and userName", ["User", "user"]);
    check("userid", "get_user_id", ["user_id"]);
  });

  it("returns a phrase as one string and separate words one by one", () => {
    check("src/app.ts", "see src/app.ts:12 and app.ts", ["src/app.ts"]);
    check("quick fox", "a quick brown fox, quick!", ["quick", "fox"]);
  });

  it("finds words inside runs of scripts without spaces", () => {
    check("消息", "这条消息已发送。消息很长", ["消息"]);
    check("メッセージ", "古いメッセージを読む", ["メッセージ"]);
    check("문맥", "이 문맥이 길다", ["문맥"]);
  });

  it("finds punctuation if it was typed", () => {
    check("=>", "const f = () => 1", ["=>"]);
  });
});

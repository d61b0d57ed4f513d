import assert from "node:assert/strict";
import { range, TestConversation } from "../../support/session/conversation.ts";
import { richConversation, saved } from "../../support/session/savedConversations.ts";
import { loadConversation } from "../../support/documents.ts";

describe("loadConversation rejects, naming the field,", () => {
  const check = (title: string, from: string, to: string, field: string, expected: RegExp): void => {
    it(title, async () => {
      const json = await saved(richConversation());
      assert.ok(json.includes(from), `the document has ${from}`);
      const refused = loadConversation(json.replace(from, to));
      assert.deepEqual(
        [refused.ok ? "" : refused.error.code, refused.ok ? "" : refused.error.field],
        ["VALIDATION_ERROR", field],
      );
      assert.match(refused.ok ? "" : refused.error.expected, expected);
    });
  };
  check("a duplicate message id", '"id":4,', '"id":3,', "document.messages[4].id", /^4$/);
  check("a negative id", '"id":4,', '"id":-4,', "document.messages[4].id", /^0 or more$/);
  check(
    "a number that overflows to infinity",
    '"createdAtMs":1000,',
    '"createdAtMs":1e999,',
    "document.messages[0].createdAtMs",
    /0 or more/,
  );
  check(
    "a fractional token count",
    '"o200k":50}',
    '"o200k":50.5}',
    "document.messages[0].tokens.o200k",
    /0 to 1000000000/,
  );
  check(
    "an unknown role",
    '"role":"user"',
    '"role":"root"',
    "document.messages[0].role",
    /user or assistant or system/,
  );
  check(
    "a message without parts",
    '"parts":[{"kind":"text","text":"user 0"}]',
    '"parts":[]',
    "document.messages[0].parts",
    /one part/,
  );
  check(
    "an unknown kind of part",
    '"kind":"text"',
    '"kind":"video"',
    "document.messages[0].parts[0].kind",
    /text or thinking/,
  );
  check(
    "a part that is not an object",
    '{"kind":"text","text":"user 0"}',
    "7",
    "document.messages[0].parts[0]",
    /an object/,
  );
  check(
    "a __proto__ field",
    '{"version"',
    '{"__proto__":{"polluted":1},"version"',
    "document.__proto__",
    /no such field/,
  );
  check("a turn that starts at a later message", '"turn":0}', '"turn":5}', "document.messages[0].turn", /its own id/);
  check(
    "a batch id other than the preceding batch's",
    '"batch":1,"createdAtMs":1002',
    '"batch":0,"createdAtMs":1002',
    "document.messages[2].batch",
    /batch before/,
  );
  check("a malformed step id", '"step":"step_', '"step":"Step_', "document.messages[16].step", /a step id/);
  check("usage of a missing message", '"message":17,', '"message":18,', "document.usage[1].message", /17/);
  check("a negative cost", '"costUsd":0.002', '"costUsd":-1', "document.usage[0].costUsd", /0 or more/);
  check(
    "a summary id out of order",
    '"id":1,"kind":"conversation"',
    '"id":2,"kind":"conversation"',
    "document.summaries[1].id",
    /^1$/,
  );
  check(
    "a summary of an empty range",
    '"covers":{"end":6,"start":0}',
    '"covers":{"end":0,"start":0}',
    "document.summaries[0].covers.end",
    /1 or more/,
  );
  check(
    "a summary of missing messages",
    '"covers":{"end":6,"start":0}',
    '"covers":{"end":99,"start":0}',
    "document.summaries[0].covers",
    /within the 17 messages/,
  );
  check(
    "a summary that splits a tool batch",
    '"covers":{"end":6,"start":0}',
    '"covers":{"end":3,"start":0}',
    "document.summaries[0].covers",
    /cuts no tool batch/,
  );
  check(
    "an empty summary",
    '"content":"summary 0 of 0 to 6"',
    '"content":"  "',
    "document.summaries[0].content",
    /not empty/,
  );
  check("a summary of level 0", '"level":1', '"level":0', "document.summaries[0].level", /1 to 1000/);
  check(
    "a message in a summary that does not cover it",
    '"summary":0,',
    '"summary":7,',
    "document.messages[0].summary",
    /covers this message/,
  );
  check(
    "a hidden range of missing messages",
    '"hidden":[{"end":13,"start":12}]',
    '"hidden":[{"end":99,"start":12}]',
    "document.hidden[0]",
    /within/,
  );
  check(
    "a hidden range that splits a tool batch",
    '"hidden":[{"end":13,"start":12}]',
    '"hidden":[{"end":3,"start":2}]',
    "document.hidden[0]",
    /cuts no tool batch/,
  );
  const noBranches = '"hidden":[{"end":13,"start":12}]';
  const branched = (branches: string): string => `"branches":${branches},${noBranches}`;
  check(
    "a branch of a missing message",
    noBranches,
    branched('[{"follows":3,"id":17}]'),
    "document.branches[0].id",
    /1 to 16/,
  );
  check(
    "a branch that follows a later message",
    noBranches,
    branched('[{"follows":9,"id":9}]'),
    "document.branches[0].follows",
    /0 to 7/,
  );
  check(
    "a branch that splits a tool batch",
    noBranches,
    branched('[{"id":3}]'),
    "document.branches[0]",
    /cuts no tool batch/,
  );
  check(
    "branches out of order",
    noBranches,
    branched('[{"follows":5,"id":9},{"follows":5,"id":9}]'),
    "document.branches[1].id",
    /10 to 16/,
  );
  check("a pin on a missing message", '"pins":[7]', '"pins":[17]', "document.pins[0]", /0 to 16/);
  check(
    "an unknown trigger",
    '"trigger":"manual"',
    '"trigger":"magic"',
    "document.receipts[0].trigger",
    /manual or threshold/,
  );
  check("a duplicate pin", '"pins":[7]', '"pins":[7,7]', "document.pins[1]", /8 to 16/);
  check(
    "hidden ranges out of order",
    '"hidden":[{"end":13,"start":12}]',
    '"hidden":[{"end":13,"start":12},{"end":13,"start":12}]',
    "document.hidden[1]",
    /from 13 on/,
  );
  check(
    "a duplicate setting",
    '"settings":[',
    '"settings":[{"name":"strategy","value":"archive"},',
    "document.settings[1].name",
    /no other setting/,
  );
  check(
    "a project that is known by a folder",
    '"settings":[',
    '"projects":[{"folder":"file:///srv","remotes":[]}],"settings":[',
    "document.projects[0].folder",
    /no such field/,
  );
  check(
    "an address with a password in place of a remote",
    '"settings":[',
    '"projects":[{"remotes":["me:secret@example.org/a"]}],"settings":[',
    "document.projects[0].remotes[0]",
    /a remote such as/,
  );
  check(
    "a first commit that is none",
    '"settings":[',
    '"projects":[{"remotes":[],"rootCommit":"main"}],"settings":[',
    "document.projects[0].rootCommit",
    /the hash of a commit/,
  );
  check(
    "a setting that grants a permission",
    '"settings":[',
    '"settings":[{"name":"grant.tool.run","value":"conversation"},',
    "document.settings[0].name",
    /grants nothing/,
  );
  check(
    "a deeply nested value",
    '"id":4,',
    `"id":${"[".repeat(100_000)}${"]".repeat(100_000)},`,
    "document.messages[4].id",
    /0 or more/,
  );
  check(
    "more summaries than the limit",
    '],"summaries":[',
    `],"summaries":[${"0,".repeat(50_000)}`,
    "document.summaries",
    /at most 50000/,
  );
  check(
    "an unknown text class",
    '"textClass":"data"',
    '"textClass":"dada"',
    "document.messages[16].textClass",
    /prose/,
  );
  check(
    "an origin flag that is false",
    '"calls":1,',
    '"calls":1,"inOrigin":false,',
    "document.receipts[0].inOrigin",
    /^true$/,
  );
  check("a newer version", '"version":1', '"version":2', "document.version", /newer version of Forge/);
  check("an older version", '"version":1', '"version":0', "document.version", /^1$/);
  check("a missing field", '"pins":[7],', "", "document.pins", /to be there/);
  check("an unknown field", '"messages":[', '"others":[],"messages":[', "document.others", /no such field/);

  it("a document without messages", () => {
    const empty = '{"version":1,"messages":[],"summaries":[],"receipts":[],"pins":[],"hidden":[],"settings":[]}';
    const found = "a list of 0";
    const error = { code: "VALIDATION_ERROR", field: "document.messages", found, expected: "one message or more" };
    assert.deepEqual(loadConversation(empty), { ok: false, error });
  });

  it("invalid JSON, however deep or long", () => {
    const broken = [
      "",
      "{",
      "[]",
      "null",
      '{"version":1}',
      "[".repeat(200_000),
      `{"version":1,"messages":${"[".repeat(5_000)}${"]".repeat(5_000)}}`,
    ];
    for (const json of broken) assert.equal(loadConversation(json).ok, false);
    assert.equal("polluted" in {}, false);
  });

  it("summaries that overlap partially", async () => {
    const one = new TestConversation().play("8*90/90 S0-5:100 S6-9:100");
    const json = await saved(one);
    const cutting = json
      .replace('"covers":{"end":10,"start":6}', '"covers":{"end":10,"start":4}')
      .replace(one.manager.history.sourceHash(range(6, 10)), one.manager.history.sourceHash(range(4, 10)));
    const refused = loadConversation(cutting);
    assert.equal(refused.ok ? "" : refused.error.field, "document.summaries[0].covers");
  });
});

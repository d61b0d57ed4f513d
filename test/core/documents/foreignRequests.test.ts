import assert from "node:assert/strict";
import { fault, lines, read } from "../../support/foreignConversations.ts";
import { readAllForeign } from "../../support/documents.ts";

const PNG = "data:image/png;base64,iVBORw0KGgo=";
const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: unknown, more: object = {}) => ({ role: "assistant", content, ...more });
const call = (id: string, name: string, args: string) => ({
  id,
  type: "function",
  function: { name, arguments: args },
});
const request = (messages: readonly object[], more: object = {}) =>
  JSON.stringify({ model: "a-model", messages, ...more });

describe("§11 requests to a model:", () => {
  const check = (title: string, text: string, expected: readonly (readonly string[])[]): void => {
    it(title, () => {
      assert.deepEqual(read(text).short, expected);
    });
  };

  check(
    "Chat Completions with instructions, pictures, files, thinking, calls and results",
    request([
      { role: "developer", content: "Be brief." },
      user([
        { type: "text", text: "What is this?" },
        { type: "image_url", image_url: { url: PNG } },
        { type: "image_url", image_url: { url: "https://example.com/a.png" } },
        { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
        { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,AAAA" } },
      ]),
      assistant(null, {
        reasoning_content: "Hm.",
        tool_calls: [call("c1", "look", '{"at":1}'), call("c2", "wait", "")],
      }),
      { role: "tool", tool_call_id: "c2", content: "waited" },
      {
        role: "tool",
        tool_call_id: "c1",
        content: [
          { type: "text", text: "A" },
          { type: "image_url", image_url: PNG },
        ],
      },
      assistant("A boat."),
      assistant(null, { refusal: "No more." }),
    ]),
    [
      ["user 0", "attachment system: Be brief."],
      [
        "user 1",
        "text What is this?",
        "image image/png",
        "attachment picture: https://example.com/a.png",
        "attachment audio/wav: [audio/wav, 3 bytes, not imported]",
        "attachment a.pdf: [PDF, 3 bytes, not imported]",
      ],
      ["assistant 1 batch 2", "thinking Hm.", 'call c1 look {"at":1}', "call c2 wait {}"],
      ["user 1 batch 2", "result c1 ok A\n[picture: image/png]", "result c2 ok waited", "image image/png"],
      ["assistant 1", "text A boat."],
      ["assistant 1", "text No more."],
    ],
  );
  check(
    "the older form of calls",
    request([
      user("When?"),
      assistant(null, { function_call: { name: "tide", arguments: '{"day":1}' } }),
      { role: "function", name: "tide", content: "noon" },
      assistant(null, { function_call: { name: "tide", arguments: '{"day":2}' } }),
      { role: "function", name: "tide", content: "one" },
    ]),
    [
      ["user 0", "text When?"],
      ["assistant 0 batch 1", 'call function 1 tide {"day":1}'],
      ["user 0 batch 1", "result function 1 ok noon"],
      ["assistant 0 batch 3", 'call function 2 tide {"day":2}'],
      ["user 0 batch 3", "result function 2 ok one"],
    ],
  );
  check(
    "the Messages API with instructions in blocks",
    request(
      [
        user("Go"),
        assistant([{ type: "tool_use", id: "t", name: "look", input: { at: 1 } }]),
        user([
          { type: "tool_result", tool_use_id: "t", is_error: true, content: "gone" },
          { type: "text", text: "<system-reminder>Be quick.</system-reminder>\nWell?" },
        ]),
      ],
      { system: [{ type: "text", text: "Be brief." }] },
    ),
    [
      ["user 0", "attachment system: Be brief."],
      ["user 1", "text Go"],
      ["assistant 1 batch 2", 'call t look {"at":1}'],
      ["user 1 batch 2", "result t error gone"],
      ["user 4", "attachment system-reminder: Be quick.", "text Well?"],
    ],
  );
  check(
    "messages alone, in a list",
    JSON.stringify([{ role: "system", content: "Be brief." }, user("a"), assistant("b")]),
    [
      ["user 0", "attachment system: Be brief."],
      ["user 1", "text a"],
      ["assistant 1", "text b"],
    ],
  );
  check("messages alone, in lines", lines(user("a"), assistant("b")), [
    ["user 0", "text a"],
    ["assistant 0", "text b"],
  ]);
  check(
    "what stands there only for a service is nobody's",
    request([
      user("[The conversation began earlier; what came before is not included.]"),
      assistant("Yes."),
      user("[The conversation ends here. Write your next message in the place of this one.]"),
    ]),
    [["assistant 0", "text Yes."]],
  );

  it("one in each line, as they are collected for training, is a conversation each", () => {
    const text = lines({ messages: [user("One?"), assistant("1")] }, { messages: [user("Two?")] }, { other: 1 });
    const found = [...readAllForeign(text)].map((each) => {
      assert.ok(each.ok);
      const { conversation, damaged, messages } = each.value;
      return [
        messages.map(({ parts }) => parts.map((part) => "text" in part && part.text)),
        conversation.damaged?.count,
        damaged,
      ];
    });
    assert.deepEqual(found, [
      [[["One?"], ["1"]], 0, []],
      [[["Two?"]], 1, [{ line: 3, text: '{"other":1}' }]],
    ]);
  });

  it("a message that cannot be read costs itself alone", () => {
    const found = read(request([user("a"), { role: "robot", content: "b" }, assistant("c")]));
    assert.deepEqual(found.short, [
      ["user 0", "text a"],
      ["assistant 0", "text c"],
    ]);
    assert.deepEqual(fault(request([user({ a: 1 })])), [
      "document.messages[0].content",
      "an object of 1 fields",
      "a list",
    ]);
  });
});

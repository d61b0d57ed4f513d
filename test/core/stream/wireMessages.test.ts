import assert from "node:assert/strict";
import { toolCallId } from "../../../src/core/ids.ts";
import { textMessage, type Message } from "../../../src/core/message.ts";
import { baseAddress, sealedHeaders } from "../../../src/core/stream/sealedHeaders.ts";
import { callInput, joinSameRole, schemaObject, withWireCallIds } from "../../../src/core/stream/wireMessages.ts";

describe("withWireCallIds", () => {
  const batch = (...ids: readonly string[]): readonly Message[] => [
    {
      role: "assistant",
      parts: ids.map((id) => ({ kind: "toolCall", callId: toolCallId(id), name: "f", inputJson: "{}" })),
    },
    { role: "user", parts: ids.map((id) => ({ kind: "toolResult", callId: toolCallId(id), outcome: "ok", text: "" })) },
  ];
  const check = (messages: readonly Message[], expected: readonly (readonly string[])[]): void => {
    const ids = withWireCallIds(messages).map(({ parts }) =>
      parts.flatMap((part) => ("callId" in part ? [part.callId] : [])),
    );
    assert.deepEqual(ids, expected);
  };
  it("leaves good ids alone", () => {
    check(batch("toolu_1", "call-2"), [
      ["toolu_1", "call-2"],
      ["toolu_1", "call-2"],
    ]);
  });
  it("parts ids that come again in a later batch", () => {
    check(
      [...batch("call_0"), ...batch("call_0"), ...batch("call_0")],
      [["call_0"], ["call_0"], ["call_0_2"], ["call_0_2"], ["call_0_3"], ["call_0_3"]],
    );
  });
  it("does not run into an id that is there already", () => {
    check([...batch("a", "a_2"), ...batch("a")], [["a", "a_2"], ["a", "a_2"], ["a_3"], ["a_3"]]);
  });
  it("keeps to the letters that services take", () => {
    check(batch("functions.read:0", ""), [
      ["functions_read_0", "call"],
      ["functions_read_0", "call"],
    ]);
  });
  it("shortens ids that are longer than services take, always in the same way, each to one of its own", () => {
    const ids = ["a", "b", "a:", "a_"].map((end) => `chatcmpl-tool-${"0".repeat(32)}${end}`);
    const longest = "c".repeat(40);
    const sent = (given: readonly Message[]): readonly string[] =>
      withWireCallIds(given).flatMap(({ parts }) => parts.flatMap((part) => ("callId" in part ? [part.callId] : [])));
    const first = sent(batch(...ids, longest));
    assert.deepEqual(first.slice(0, 5), first.slice(5), "calls and results");
    assert.deepEqual([new Set(first).size, first[4]], [5, longest]);
    const later = sent([...batch(...ids, longest), ...batch(...ids, longest)]);
    assert.deepEqual(later.slice(0, 10), first);
    assert.equal(new Set(later).size, 10);
    for (const id of later) assert.match(id, /^[\w-]{1,40}$/);
  });
  it("makes ids of nine letters and digits where a service takes no others, always in the same way", () => {
    const sent = (given: readonly Message[]): readonly string[] =>
      withWireCallIds(given, "nine").flatMap(({ parts }) =>
        parts.flatMap((part) => (part.kind === "toolCall" ? [part.callId] : [])),
      );
    const [, hashed = ""] = sent(batch("D681PevKs", "call_0"));
    const ids = ["D681PevKs", "call_0", "toolu_01A", "", hashed];
    const once = sent(batch(...ids));
    const twice = sent([...batch(...ids), ...batch(...ids)]);
    assert.deepEqual([once[0], once[1], twice.slice(0, 5)], ["D681PevKs", hashed, once]);
    assert.equal(new Set(twice).size, 10);
    for (const id of twice) assert.match(id, /^[a-zA-Z0-9]{9}$/);
  });
});

describe("callInput", () => {
  const check = (json: string, expected: object): void => {
    assert.deepEqual(callInput(json), expected);
  };
  it("reads an object", () => {
    check('{"a":[1]}', { a: [1] });
    check("{}", {});
  });
  it("never makes an empty one of something else", () => {
    for (const json of ["", '{"a":', "[1]", "null", '"x"']) check(json, { incompleteInput: json });
  });
});

describe("schemaObject", () => {
  const check = (schema: unknown, expected: object): void => {
    const tool = { name: "f", description: "", inputSchemaJson: JSON.stringify(schema) };
    assert.deepEqual(schemaObject(tool), expected);
  };
  const EMPTY = { type: "object", properties: {} };
  it("names what services ask for, also of a tool without parameters", () => {
    for (const schema of [{}, { type: "object" }, { $schema: "https://json-schema.org/draft/2020-12/schema" }])
      check(schema, EMPTY);
    const paths = { type: "array", description: "Which" };
    check(
      { type: "object", properties: { paths, deep: { type: "object", properties: { paths } } } },
      {
        type: "object",
        properties: {
          paths: { ...paths, items: {} },
          deep: { type: "object", properties: { paths: { ...paths, items: {} } } },
        },
      },
    );
  });
  it("leaves a whole schema as it is", () => {
    const schema = {
      type: "object",
      properties: { type: { type: "string", enum: ["array"] }, at: { type: "array", items: { type: "integer" } } },
      required: ["type"],
      additionalProperties: false,
    };
    check(schema, schema);
  });
});

describe("joinSameRole", () => {
  it("joins neighbours only, in order", () => {
    const said = [
      textMessage("user", "a"),
      textMessage("user", "b"),
      textMessage("assistant", "c"),
      textMessage("user", "d"),
    ];
    const joined = joinSameRole(said, (first, second) => ({ ...first, parts: [...first.parts, ...second.parts] }));
    assert.deepEqual(
      joined.map(({ role, parts }) => [role, parts.length]),
      [
        ["user", 2],
        ["assistant", 1],
        ["user", 1],
      ],
    );
  });
});

describe("baseAddress", () => {
  const check = (typed: string, expected: string): void => {
    assert.equal(baseAddress(typed, ["/chat/completions", "/models"], "/v1"), expected);
  };
  it("takes what people paste", () => {
    check("http://localhost:1234", "http://localhost:1234/v1");
    check(" http://localhost:1234/ ", "http://localhost:1234/v1");
    check("https://api.openai.com/v1/", "https://api.openai.com/v1");
    check("https://api.openai.com/v1/chat/completions", "https://api.openai.com/v1");
    check("https://host.example/openai/v1/models", "https://host.example/openai/v1");
    check("https://host.example/v1beta/openai", "https://host.example/v1beta/openai");
  });
});

describe("sealedHeaders", () => {
  it("carries a key in one header, and none where there is none", () => {
    const keyed = (style: "bearer" | "xApiKey", apiKey: string | undefined): string[] =>
      Object.entries(sealedHeaders({ style, apiKey }))
        .filter(([, value]) => value.includes("KEY"))
        .map(([name]) => name);
    assert.deepEqual(keyed("bearer", "KEY"), ["authorization"]);
    assert.deepEqual(keyed("xApiKey", "KEY"), ["x-api-key"]);
    assert.deepEqual(
      sealedHeaders({ style: "bearer", apiKey: undefined }),
      sealedHeaders({ style: "xApiKey", apiKey: "" }),
    );
  });
});

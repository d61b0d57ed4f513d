import assert from "node:assert/strict";
import { textMessage } from "../../../src/core/message.ts";
import { callInputObject, joinSameRole, schemaObject } from "../../../src/adapters/http/wireMessages.ts";

describe("callInputObject", () => {
  const check = (json: string, expected: object): void => {
    assert.deepEqual(callInputObject(json), expected);
  };
  it("parses a JSON object", () => {
    check('{"a":[1]}', { a: [1] });
    check("{}", {});
  });
  it("preserves any other text as incomplete input", () => {
    for (const json of ["", '{"a":', "[1]", "null", '"x"']) check(json, { incompleteInput: json });
  });
  it("S18 sends an input of 20,000 levels as text", () => {
    const deep = `{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
    check(deep, { incompleteInput: deep });
  });
});

describe("schemaObject", () => {
  const check = (schema: unknown, expected: object): void => {
    const tool = { name: "f", description: "", inputSchemaJson: JSON.stringify(schema) };
    assert.deepEqual(schemaObject(tool), expected);
  };
  const EMPTY = { type: "object", properties: {} };
  it("adds the fields that services require, even for a tool without parameters", () => {
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
  it("leaves a complete schema unchanged", () => {
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
  it("joins only adjacent messages, in order", () => {
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

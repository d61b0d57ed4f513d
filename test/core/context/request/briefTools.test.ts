import assert from "node:assert/strict";
import { toolsForWindow } from "../../../../src/core/context/request/briefTools.ts";
import type { ToolDefinition } from "../../../../src/core/context/request/requestOverhead.ts";

function tool(description: string, schema: unknown): ToolDefinition {
  return { name: "read_file", description, inputSchemaJson: JSON.stringify(schema) };
}

const PATH = { type: "string", minLength: 1, description: "Path of the file, from the workspace folder on." };

describe("definitions of tools in a small window", () => {
  const check = (title: string, given: ToolDefinition, expected: ToolDefinition): void => {
    it(title, () => {
      assert.deepEqual(toolsForWindow([given], 16_384), [expected]);
      assert.deepEqual(toolsForWindow([given], 32_768), [given], "in full in a larger one");
    });
  };
  check(
    "keep the first sentence, every field and its type",
    tool("Reads lines of a file. Secrets are replaced by marks.", {
      type: "object",
      properties: {
        path: PATH,
        line: { type: "integer", minimum: 1, description: "First line to read; 1 if absent." },
      },
      required: ["path"],
      additionalProperties: false,
    }),
    tool("Reads lines of a file.", {
      type: "object",
      properties: {
        path: { type: "string", description: "Path of the file" },
        line: { type: "integer", description: "First line to read" },
      },
      required: ["path"],
    }),
  );
  check(
    "keep choices, and fields inside lists",
    tool("Edits", {
      type: "object",
      properties: {
        edits: { type: "array", minItems: 1, items: { type: "object", properties: { text: PATH }, required: [] } },
        kind: { enum: ["a", "b"], description: "With query: where to look. This one by default." },
      },
      required: [],
    }),
    tool("Edits", {
      type: "object",
      properties: {
        edits: {
          type: "array",
          items: { type: "object", properties: { text: { type: "string", description: "Path of the file" } } },
        },
        kind: { enum: ["a", "b"], description: "With query: where to look" },
      },
    }),
  );
  check(
    "keep a field that has the name of a keyword",
    tool("Sets a title.", { type: "object", properties: { title: PATH, minimum: { type: "number" } } }),
    tool("Sets a title.", {
      type: "object",
      properties: { title: { type: "string", description: "Path of the file" }, minimum: { type: "number" } },
    }),
  );
  check(
    "end long descriptions at a word",
    tool(`Reads ${"lines and ".repeat(40)}`, {
      type: "object",
      properties: { a: { description: "word ".repeat(40) } },
    }),
    tool(`Reads ${"lines and ".repeat(15).trim()}`, {
      type: "object",
      properties: { a: { description: "word ".repeat(16).trim() } },
    }),
  );

  it("are not sent of a tool that works nowhere, and are in a larger one", () => {
    const [read, run] = [tool("Reads.", {}), { ...tool("Runs.", {}), name: "run_command" }];
    const isUseless = (name: string): boolean => name === "run_command";
    const sent = [8_192, 32_768].map((window) => toolsForWindow([read, run], window, isUseless));
    assert.deepEqual(sent, [[read], [read, run]]);
  });

  it("leave a schema that is no JSON as it is", () => {
    const broken = { name: "x", description: "Does.", inputSchemaJson: "{" };
    assert.deepEqual(toolsForWindow([broken], 8_192), [broken]);
  });
});

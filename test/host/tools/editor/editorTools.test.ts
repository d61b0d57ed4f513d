/** Tools of other extensions: one name, one approval; what they say of themselves is shown, and bounded. */

import assert from "node:assert/strict";
import fc from "fast-check";
import type { Tool } from "../../../../src/core/tools/tool.ts";
import { withEditorModule } from "../../../support/editor/editorModule.ts";

interface Registered {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: object;
}
const lm: { tools: readonly Registered[] } = { tools: [] };
const { enabledEditorTools } = await withEditorModule(
  "editorTools",
  { lm },
  () => import("../../../../src/host/tools/editor/editorTools.ts"),
);

const OWN = new Set(["read_file", "run_command"]);
const toolsOf = (registered: readonly Registered[], enabled: readonly string[]): readonly Tool[] => {
  lm.tools = registered;
  return enabledEditorTools(enabled, OWN, (bug) => assert.fail(String(bug)));
};
const named = (names: readonly string[], enabled = names): readonly (readonly [string, string | undefined])[] =>
  toolsOf(
    names.map((name) => ({ name, description: "" })),
    enabled,
  ).map(({ definition, approvalName }) => [definition.name, approvalName]);

describe("tools of other extensions", () => {
  it("S15 take no approval of a tool with a similar name", () => {
    const both = ["mcp_x.do", "mcp_x_do"];
    assert.deepEqual(named(both), [
      ["mcp_x_do_2", "editor:mcp_x.do"],
      ["mcp_x_do", "editor:mcp_x_do"],
    ]);
    assert.deepEqual(named(both, ["mcp_x.do"]), [["mcp_x_do_2", "editor:mcp_x.do"]], "whatever else is enabled");
    assert.deepEqual(named(["mcp_x.do"]), [["mcp_x_do", "editor:mcp_x.do"]]);
  });
  it("S15 take no approval of a tool of Forge", () => {
    assert.deepEqual(named(["read_file"]), [["read_file_2", "editor:read_file"]]);
  });
  it("S15 have one name and one approval each, for any names", () => {
    const name = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.stringMatching(/^[ab._]{1,4}$/),
      fc.constantFrom("x".repeat(64), "x".repeat(65), "x".repeat(66), "read_file"),
    );
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 8 }), (names) => {
        const usable = names.filter((one) => !one.startsWith("forge_") && !one.endsWith("_internal"));
        const found = named(names);
        assert.equal(found.length, usable.length);
        assert.equal(new Set(found.map(([wire]) => wire)).size, usable.length);
        assert.deepEqual(
          found.map(([, approval]) => approval).toSorted(),
          usable.map((one) => `editor:${one}`).toSorted(),
        );
        for (const [wire] of found) assert.ok(!OWN.has(wire) && wire.length <= 64);
      }),
      { seed: 15, numRuns: 300 },
    );
  });
  it("S15 get any object for a schema that no request should carry each time, or that is no JSON", () => {
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    const large = { type: "object", properties: { a: { type: "string", description: "x".repeat(2_000_000) } } };
    const schemas = [large, circle, undefined, { type: "object", required: ["a"] }];
    assert.deepEqual(
      schemas.map((inputSchema) => {
        const registered = { name: "a", description: "", ...(inputSchema === undefined ? {} : { inputSchema }) };
        return JSON.parse(toolsOf([registered], ["a"])[0]?.definition.inputSchemaJson ?? "") as unknown;
      }),
      [
        { type: "object", properties: {}, additionalProperties: true },
        { type: "object", properties: {}, additionalProperties: true },
        { type: "object", properties: {} },
        { type: "object", required: ["a"] },
      ],
    );
  });
  it("S13 are described without hidden characters, and their schema means the same", () => {
    const inputSchema = { type: "object", properties: { "a\u{e0041}": { description: "b\u202ec" } } };
    const [tool] = toolsOf([{ name: "a", description: "Does x\u{e0069}\u200b", inputSchema }], ["a"]);
    assert.equal(tool?.definition.description, "Does x[U+E0069][U+200B]");
    assert.equal(
      tool.definition.inputSchemaJson,
      String.raw`{"type":"object","properties":{"a\udb40\udc41":{"description":"b\u202ec"}}}`,
    );
    assert.deepEqual(JSON.parse(tool.definition.inputSchemaJson), inputSchema);
  });
});

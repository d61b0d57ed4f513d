/** Problems of GitHub workflows, found without a network: syntax, keys, expressions, jobs, and the inputs of actions. */

import { registerHooks } from "node:module";
import { TextDocument } from "vscode-languageserver-textdocument";
import { ACTION_INPUTS } from "./actionInputs.ts";

// The service imports its JSON as bundlers take it.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith(".json") ? { ...context, importAttributes: { type: "json" } } : context),
});
const { validate } = await import("@actions/languageservice/validate");

/** As `line 8: …`, in the order of the lines. The service remembers what it has parsed, so `name` must be new each time. */
export async function workflowProblems(name: string, text: string): Promise<readonly string[]> {
  const document = TextDocument.create(`file:///.github/workflows/${name}`, "yaml", 1, text);
  const unknown: string[] = [];
  const found = await validate(document, {
    actionsMetadataProvider: {
      fetchActionMetadata: ({ owner, name: action, ref }) => {
        const used = `${owner}/${action}@${ref}`;
        const inputs = ACTION_INPUTS[used];
        if (inputs === undefined) unknown.push(`inputs of ${used} are not listed`);
        const described = (inputs ?? []).map((input) => [input, { description: "", required: false }] as const);
        return Promise.resolve({ name: action, description: "", inputs: Object.fromEntries(described) });
      },
    },
  });
  const problems = found
    .toSorted((one, other) => one.range.start.line - other.range.start.line)
    .map(({ range, message }) => {
      const text = typeof message === "string" ? message : message.value;
      return `line ${range.start.line + 1}: ${text.split("\n", 1)[0] ?? ""}`;
    });
  return [...problems, ...unknown];
}

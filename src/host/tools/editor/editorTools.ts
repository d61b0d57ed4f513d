/**
 * Tools that extensions and MCP servers register in the editor and the user has enabled. Their effects are unknown, so
 * each counts as one that runs something.
 */

import { beginningOf, placeBefore } from "../../../core/cutText.ts";
import { parseJson } from "../../../core/json.ts";
import * as vscode from "vscode";
import { thrownText } from "../../../core/errors.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import type { Tool, ToolCallView, ToolOutcome } from "../../../core/tools/tool.ts";
import { localize } from "../../../protocol/localize.ts";
import { HIDDEN_IN_PROSE, makeVisible, onOneLine, onSeveralLines } from "../hiddenText.ts";
import type { ReportBug } from "../hostTool.ts";
import { sanitizeText, counted, dataText, fenced } from "../resultText.ts";
import { CANCELLED_FAILURE, failedOutcome, failureText, type ToolFailure } from "../toolFailure.ts";

/** Forge's own, which conversations offer directly. */
export const FORGE_PREFIX = "forge_";
/** Tools reserved for the editor's own chat. */
const INTERNAL_ENDING = "_internal";
/** The limit of all providers. */
const MOST_NAME_LENGTH = 64;
const MOST_DESCRIPTION_LENGTH = 4_000;
const MOST_RESULT_LENGTH = 400_000;
/** UTF-16 units; the largest of well-known servers have some 10,000. */
const MOST_SCHEMA_LENGTH = 40_000;

/** The editor's tools that Forge could use, sorted by name. */
export function availableEditorTools(): readonly vscode.LanguageModelToolInformation[] {
  return vscode.lm.tools
    .filter(({ name }) => !name.startsWith(FORGE_PREFIX) && !name.endsWith(INTERNAL_ENDING))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** The enabled tools; the names in `taken` are not reused. */
export function enabledEditorTools(
  enabled: readonly string[],
  taken: ReadonlySet<string>,
  reportBug: ReportBug,
): readonly Tool[] {
  const available = availableEditorTools();
  // Names do not depend on what is enabled, and a tool that models can call by its own name has it.
  const names = new Set([...taken, ...available.map(({ name }) => name)]);
  return available
    .map((information) => {
      const isOwn = plainName(information.name) === information.name && !taken.has(information.name);
      const name = isOwn ? information.name : freeName(information.name, names);
      names.add(name);
      return { information, name };
    })
    .filter(({ information }) => enabled.includes(information.name))
    .map(({ information, name }) => editorTool(information, name, reportBug));
}

/** The name that approvals of an editor's tool are stored by: its own, apart from those of Forge's tools. */
export function approvalNameOf(editorName: string): string {
  return APPROVAL_PREFIX + editorName;
}

/** The name to show of a tool that was approved by `approvalName`. */
export function approvedToolName(approvalName: string): string {
  return approvalName.startsWith(APPROVAL_PREFIX) ? approvalName.slice(APPROVAL_PREFIX.length) : approvalName;
}

const APPROVAL_PREFIX = "editor:";

function plainName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, MOST_NAME_LENGTH);
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  const plain = plainName(wanted);
  let name = plain;
  for (let number = 2; taken.has(name); number++) {
    const ending = `_${number}`;
    name = plain.slice(0, MOST_NAME_LENGTH - ending.length) + ending;
  }
  return name;
}

function editorTool(information: vscode.LanguageModelToolInformation, name: string, reportBug: ReportBug): Tool {
  const { name: editorName, description, inputSchema } = information;
  return {
    definition: {
      name,
      description: makeVisible(beginningOf(description, MOST_DESCRIPTION_LENGTH)).text,
      inputSchemaJson: schemaJson(inputSchema),
    },
    effect: "runs",
    approvalName: approvalNameOf(editorName),
    describe(inputJson): Promise<Result<ToolCallView, string>> {
      const input = readInput(inputJson);
      if (!input.ok) return Promise.resolve(err(failureText(input.error)));
      const detail = onSeveralLines(JSON.stringify(input.value, null, 2));
      return Promise.resolve(ok({ title: localize("Run the editor's tool {0}", onOneLine(editorName)), detail }));
    },
    async run(inputJson, cancel): Promise<ToolOutcome> {
      const input = readInput(inputJson);
      if (!input.ok) return failedOutcome(input.error);
      if (cancel.aborted) return failedOutcome(CANCELLED_FAILURE);
      if (!vscode.workspace.isTrusted) {
        return failedOutcome({ code: "NOT_ALLOWED", text: "The user does not trust this workspace yet." });
      }
      try {
        return await invoke(editorName, input.value, cancel);
      } catch (error) {
        if (error instanceof vscode.CancellationError) return failedOutcome(CANCELLED_FAILURE);
        if (!isExpected(error)) reportBug(error);
        const said = sanitizeText(thrownText(error)).text;
        return failedOutcome({ code: "FAILED", text: `The editor's tool ${editorName} failed: ${said}` });
      }
    },
  };
}

/**
 * The schema with hidden characters as escapes, which mean the same; any object where it is longer than a request should
 * carry each time, or is no JSON.
 */
function schemaJson(schema: object | undefined): string {
  const any = { type: "object", properties: {} };
  let json: string | undefined;
  try {
    json = JSON.stringify(schema ?? any);
  } catch {
    // It refers to itself.
  }
  if (json === undefined || json.length > MOST_SCHEMA_LENGTH)
    json = JSON.stringify({ ...any, additionalProperties: true });
  return json.replace(HIDDEN_IN_PROSE, (hidden) =>
    Array.from({ length: hidden.length }, (_, at) => `\\u${hidden.charCodeAt(at).toString(16).padStart(4, "0")}`).join(
      "",
    ),
  );
}

/** Arguments must be an object; an empty input counts as `{}`, as models call tools without fields. */
function readInput(inputJson: string): Result<object, ToolFailure> {
  const invalid = (text: string): Result<never, ToolFailure> => err({ code: "INVALID_INPUT", text });
  const parsed = parseJson(inputJson.trim() === "" ? "{}" : inputJson);
  if (!parsed.ok) return invalid(`The arguments are not whole JSON (${parsed.error}).`);
  const { value } = parsed;
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? ok(value) : invalid("Expected an object.");
}

async function invoke(name: string, input: object, cancel: CancelSignal): Promise<ToolOutcome> {
  const source = new vscode.CancellationTokenSource();
  let stop: () => void = () => undefined;
  try {
    const stopped = new Promise<"stopped">((resolve) => {
      stop = () => {
        source.cancel();
        resolve("stopped");
      };
    });
    cancel.addEventListener("abort", stop);
    // A tool that ignores its token must not hold up the turn.
    const call = Promise.resolve(vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, source.token));
    const result = await Promise.race([call, stopped]);
    if (result === "stopped") {
      call.catch(() => undefined); // nobody waits for it any more
      return failedOutcome({ code: "CANCELLED", text: "The user stopped it while it ran." });
    }
    return { outcome: "ok", text: resultText(name, result) };
  } finally {
    cancel.removeEventListener("abort", stop);
    source.dispose();
  }
}

function resultText(name: string, { content }: vscode.LanguageModelToolResult): string {
  const texts: string[] = [];
  const notes: string[] = [];
  for (const part of content) {
    if (part instanceof vscode.LanguageModelTextPart) texts.push(part.value);
    else if (part instanceof vscode.LanguageModelDataPart && /^text\/|[/+]json$/.test(part.mimeType)) {
      texts.push(new TextDecoder().decode(part.data));
    } else if (part instanceof vscode.LanguageModelDataPart) {
      notes.push(
        `A part of it is ${onOneLine(part.mimeType)} (${counted(part.data.length, "byte")}) and was left out.`,
      );
    } else notes.push("A part of it is of a kind that Forge does not read, and was left out.");
  }
  const whole = texts.join("\n");
  const end = placeBefore(whole, MOST_RESULT_LENGTH);
  if (end < whole.length) notes.push(`${counted(whole.length - end, "character")} at the end were left out.`);
  const clean = sanitizeText(whole.slice(0, end));
  const heading = `Result of the editor's tool ${onOneLine(name)}`;
  return dataText({ heading, body: fenced(clean.text), changes: clean, notes });
}

/** What a tool throws is its own failure; a wrong call is a bug of Forge. */
function isExpected(error: unknown): boolean {
  return !(error instanceof TypeError || error instanceof ReferenceError);
}

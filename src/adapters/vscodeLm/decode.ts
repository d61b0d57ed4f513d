/** The parts of an editor's answer as our events. Kinds of parts that are not known are passed over, as the API asks. */

import { toolCallId } from "../../core/ids.ts";
import type { StreamEvent } from "../../core/stream/streamEvent.ts";
import type { EditorApi } from "./editorApi.ts";

/** What a part says. The editor gives tool calls whole, so start and arguments come together. */
export function decodePart(api: EditorApi, part: unknown): readonly StreamEvent[] {
  if (part instanceof api.LanguageModelTextPart) return part.value === "" ? [] : [{ kind: "text", text: part.value }];
  if (!(part instanceof api.LanguageModelToolCallPart)) return [];
  const callId = toolCallId(part.callId);
  return [
    { kind: "toolCallStart", callId, name: part.name },
    { kind: "toolCallArgs", callId, json: JSON.stringify(part.input) },
  ];
}

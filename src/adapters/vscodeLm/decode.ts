/** Decoder for the editor's responses. Unknown kinds of parts are ignored, as the API asks. */

import { toolCallId } from "../../core/ids.ts";
import type { StreamEvent } from "../../core/stream/streamEvent.ts";
import type { EditorApi } from "./editorApi.ts";

/** Tool calls arrive whole, so start and arguments are emitted together. */
export function decodePart(api: EditorApi, part: unknown): readonly StreamEvent[] {
  if (part instanceof api.LanguageModelTextPart) return part.value === "" ? [] : [{ kind: "text", text: part.value }];
  if (!(part instanceof api.LanguageModelToolCallPart)) return [];
  const callId = toolCallId(part.callId);
  return [
    { kind: "toolCallStart", callId, name: part.name },
    { kind: "toolCallArgs", callId, json: JSON.stringify(part.input) },
  ];
}

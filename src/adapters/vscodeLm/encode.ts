/** Encoder for the editor's message classes. The editor has no system role, so instructions become user messages. */

import type * as vscode from "vscode";
import { textMessage, type Message, type Part } from "../../core/message.ts";
import { imageText } from "../http/pictures.ts";
import { attachmentText, callInputObject, strictAlternatingTurns } from "../http/wireMessages.ts";
import { type WireContext } from "../../core/stream/provider.ts";
import type { EditorApi } from "./editorApi.ts";

type UserPart = vscode.LanguageModelTextPart | vscode.LanguageModelToolResultPart | vscode.LanguageModelDataPart;
type AssistantPart = vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart;

/** Instructions first, roles alternating, the user's last. */
export function encodeMessages(
  api: EditorApi,
  given: Pick<WireContext, "systemPrompt" | "messages">,
): vscode.LanguageModelChatMessage[] {
  const instructions = given.systemPrompt === "" ? [] : [textMessage("user", given.systemPrompt)];
  const turns = strictAlternatingTurns(
    [...instructions, ...given.messages],
    (message) => encodeMessage(api, message).length > 0,
  );
  return turns.flatMap((message) => encodeMessage(api, message));
}

function encodeMessage(api: EditorApi, message: Message): vscode.LanguageModelChatMessage[] {
  if (message.role === "assistant") {
    const content = message.parts.flatMap((part) => assistantPart(api, part));
    return content.length === 0 ? [] : [api.LanguageModelChatMessage.Assistant(content)];
  }
  const content = message.parts.flatMap((part) => userPart(api, part));
  return content.length === 0 ? [] : [api.LanguageModelChatMessage.User(content)];
}

function userPart(api: EditorApi, part: Part): UserPart[] {
  switch (part.kind) {
    case "text":
      return part.text === "" ? [] : [new api.LanguageModelTextPart(part.text)];
    case "attachment":
      return [new api.LanguageModelTextPart(attachmentText(part))];
    case "image":
      return [api.LanguageModelDataPart.image(Buffer.from(part.dataBase64, "base64"), part.mediaType)];
    case "toolResult":
      return [new api.LanguageModelToolResultPart(part.callId, [new api.LanguageModelTextPart(part.text)])];
    case "thinking":
    case "toolCall":
      return [];
  }
}

function assistantPart(api: EditorApi, part: Part): AssistantPart[] {
  switch (part.kind) {
    case "text":
      return part.text === "" ? [] : [new api.LanguageModelTextPart(part.text)];
    case "attachment":
      return [new api.LanguageModelTextPart(attachmentText(part))];
    case "image":
      return [new api.LanguageModelTextPart(imageText(part.mediaType))];
    case "toolCall":
      return [new api.LanguageModelToolCallPart(part.callId, part.name, callInputObject(part.inputJson))];
    case "thinking":
    case "toolResult":
      return [];
  }
}

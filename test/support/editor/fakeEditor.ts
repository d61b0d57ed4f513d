/** A fake of the editor's language model API with scripted models. */

import type * as vscode from "vscode";
import type { EditorApi } from "../../../src/adapters/vscodeLm/editorApi.ts";

/** Response of a fake model: yields parts, and may throw or wait for the token. */
export type FakeAnswer = (token: vscode.CancellationToken) => AsyncIterable<unknown>;

/** An editor with one vendor, "local", and its recorded requests. */
export interface FakeEditor {
  readonly api: EditorApi;
  readonly requests: { readonly messages: readonly object[]; readonly options: object | undefined }[];
}

class TextPart {
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
}
class ToolCallPart {
  readonly callId: string;
  readonly name: string;
  readonly input: object;
  constructor(callId: string, name: string, input: object) {
    this.callId = callId;
    this.name = name;
    this.input = input;
  }
}
class ToolResultPart {
  readonly callId: string;
  readonly content: unknown[];
  constructor(callId: string, content: unknown[]) {
    this.callId = callId;
    this.content = content;
  }
}
class DataPart {
  readonly mimeType: string;
  readonly data: Uint8Array;
  constructor(data: Uint8Array, mimeType: string) {
    this.data = data;
    this.mimeType = mimeType;
  }
  static image(data: Uint8Array, mimeType: string): DataPart {
    return new DataPart(data, mimeType);
  }
}
class ChatMessage {
  readonly role: "user" | "assistant";
  readonly content: readonly unknown[];
  constructor(role: "user" | "assistant", content: readonly unknown[]) {
    this.role = role;
    this.content = content;
  }
  static User(content: readonly unknown[]): ChatMessage {
    return new ChatMessage("user", content);
  }
  static Assistant(content: readonly unknown[]): ChatMessage {
    return new ChatMessage("assistant", content);
  }
}
class TokenSource {
  readonly #controller = new AbortController();
  readonly token = {
    get isCancellationRequested(): boolean {
      return false;
    },
    onCancellationRequested: (listener: () => void): { dispose(): void } => {
      this.#controller.signal.addEventListener("abort", listener);
      return { dispose: () => undefined };
    },
  };
  cancel(): void {
    this.#controller.abort();
  }
  dispose(): void {
    this.cancel();
  }
}

/** Creates an editor with the models `ids`, each answering with `answer`. */
export function fakeEditor(ids: readonly string[], answer: FakeAnswer): FakeEditor {
  const requests: FakeEditor["requests"] = [];
  const chats = ids.map((id) => ({
    id,
    vendor: "local",
    name: id.toUpperCase(),
    family: id,
    version: "1",
    maxInputTokens: 32_000,
    countTokens: () => Promise.resolve(0),
    sendRequest: (messages: readonly object[], options: object | undefined, token: vscode.CancellationToken) => {
      requests.push({ messages, options });
      return Promise.resolve({ stream: answer(token), text: undefined });
    },
  }));
  const selectChatModels = (selector: { readonly id?: string } = {}): Promise<unknown> =>
    Promise.resolve(chats.filter(({ id }) => selector.id === undefined || selector.id === id));
  const api: unknown = {
    env: { appName: "Visual Studio Code" },
    lm: { selectChatModels },
    CancellationTokenSource: TokenSource,
    LanguageModelChatMessage: ChatMessage,
    LanguageModelDataPart: DataPart,
    LanguageModelTextPart: TextPart,
    LanguageModelToolCallPart: ToolCallPart,
    LanguageModelToolResultPart: ToolResultPart,
  };
  // The real classes exist only in the editor; these have the same shape.
  return { api: api as EditorApi, requests };
}

/** A text part of a fake model. */
export function textPart(value: string): object {
  return new TextPart(value);
}

/** A tool call part of a fake model. */
export function toolCallPart(callId: string, name: string, input: object): object {
  return new ToolCallPart(callId, name, input);
}

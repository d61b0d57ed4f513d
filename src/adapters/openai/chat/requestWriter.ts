/** Writes a conversation as a request of Chat Completions. */

import type { ChatCompletionMessageParam } from "openai/resources/chat/completions/completions";
import type { RequestHead, RequestWriter } from "../../../core/context/request/requestExport.ts";
import type { ToolDefinition } from "../../../core/context/request/requestOverhead.ts";
import { modelId } from "../../../core/ids.ts";
import { textMessage, type Message } from "../../../core/message.ts";
import { WireParts, withWireNames } from "../../http/callIds.ts";
import { ENDED_TEXT } from "../../http/wireMessages.ts";
import { encodeMessage, encodeTool, encodeUserPart, type MessageForm } from "./encode.ts";

/** As OpenAI itself takes it; there is no thinking that could have signatures. */
const FORM: MessageForm = {
  dialect: "openai",
  accepts: () => true,
  allows: () => true,
  signatures: { model: modelId(""), takesSignatures: false, unsignedMark: undefined },
};

export class ChatRequestWriter implements RequestWriter {
  readonly #wire = new WireParts();
  #isEmpty = true;

  begin({ model, systemPrompt }: RequestHead): string {
    const system = systemPrompt === "" ? "" : `\n${JSON.stringify({ role: "system", content: systemPrompt })}`;
    this.#isEmpty = system === "";
    return `${JSON.stringify({ model }).slice(0, -1)},"messages":[${system}`;
  }

  add(message: Message): string {
    const pieces = encodeInParts(this.#wire.message(message)).map((encoded) => {
      const separator = this.#isEmpty ? "\n" : ",\n";
      this.#isEmpty = false;
      return separator + JSON.stringify(encoded);
    });
    return pieces.join("");
  }

  end(tools: readonly ToolDefinition[]): string {
    const only = this.#isEmpty ? this.add(textMessage("user", ENDED_TEXT)) : "";
    const defined = tools.length === 0 ? "" : `,"tools":${JSON.stringify(withWireNames(tools).map(encodeTool))}`;
    return `${only}\n]${defined}}\n`;
  }
}

/** Like `encodeMessage`, with attachments as parts of their own, apart from the text. */
function encodeInParts(message: Message): readonly ChatCompletionMessageParam[] {
  return encodeMessage(message, FORM).map((encoded) => {
    if (encoded.role !== "user" || message.role !== "user") return encoded;
    const content = message.parts.flatMap((part) => encodeUserPart(part, FORM));
    return content.length > 1 ? { ...encoded, content } : encoded;
  });
}

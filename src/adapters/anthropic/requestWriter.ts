/**
 * Writes a conversation as a request of the Messages API. Messages of the same role become one, block by block, since
 * roles alternate.
 */

import type { RequestHead, RequestWriter } from "../../core/context/request/requestExport.ts";
import type { ToolDefinition } from "../../core/context/request/requestOverhead.ts";
import { textMessage, type Message } from "../../core/message.ts";
import { WireParts, withWireNames } from "../http/callIds.ts";
import { EARLIER_TEXT, ENDED_TEXT } from "../http/wireMessages.ts";
import { encodeMessage, encodeTool } from "./encode.ts";

export class MessagesRequestWriter implements RequestWriter {
  readonly #wire = new WireParts();
  /** Of the message that is being written; `undefined` before the first. */
  #role: "user" | "assistant" | undefined;

  begin({ model, maxOutputTokens, systemPrompt }: RequestHead): string {
    const head = { model, max_tokens: maxOutputTokens, ...(systemPrompt === "" ? {} : { system: systemPrompt }) };
    return `${JSON.stringify(head).slice(0, -1)},"messages":[`;
  }

  add(message: Message): string {
    const { role, content } = encodeMessage(this.#wire.message(message));
    if (content.length === 0) return "";
    const opening = this.#role === undefined && role === "assistant" ? this.add(textMessage("user", EARLIER_TEXT)) : "";
    const end = this.#role === undefined ? "\n" : "]},\n";
    const begin = this.#role === role ? ",\n" : `${end}{"role":"${role}","content":[`;
    this.#role = role;
    return opening + begin + content.map((block) => JSON.stringify(block)).join(",\n");
  }

  end(tools: readonly ToolDefinition[]): string {
    const closing = this.#role === "user" ? "" : this.add(textMessage("user", ENDED_TEXT));
    const defined = tools.length === 0 ? "" : `,"tools":${JSON.stringify(withWireNames(tools).map(encodeTool))}`;
    return `${closing}]}\n]${defined}}\n`;
  }
}

/**
 * SWE-agent's `.traj`: `history` has the messages, each call answered by an observation. Without function calling an
 * action is a command in the text, and the observation a message of the user's role.
 */

import { toolCallId, type ToolCallId } from "../../../ids.ts";
import { boundedJson, listIn } from "../../../json.ts";
import type { Part } from "../../../message.ts";
import { DocumentReader, type LocatedValue } from "../../documentReader.ts";
import { DamagedLines } from "../damagedLines.ts";
import {
  optionalField,
  optionalItems,
  optionalText,
  type ForeignConversation,
  type ForeignMessage,
  type HeldMessage,
} from "../foreignConversation.ts";
import { isObjectWith, type ForeignFile } from "../foreignFile.ts";
import type { MessageHolder } from "../heldMessages.ts";
import { asData } from "../userParts.ts";
import { thinkingIn } from "./messagesApi.ts";
import { pictureAt } from "./referredFiles.ts";

export function isSweAgent(value: unknown): boolean {
  const isOfAgent = (item: unknown): boolean => isObjectWith(item, "role", "content", "agent");
  return isObjectWith(value, "trajectory") || listIn(value, "history").some(isOfAgent);
}

export function readSweAgent(file: ForeignFile, holder: MessageHolder): ForeignConversation {
  const steps = new Steps();
  const damaged = new DamagedLines();
  const messages: HeldMessage[] = [];
  let line = 0;
  for (const item of file.list("history") ?? []) {
    line++;
    const read = new DocumentReader();
    const made = steps.messageIn(read, item);
    if (read.fault === undefined) messages.push(holder.hold(made));
    else damaged.add({ line, text: boundedJson(item.value) }, read.fault);
  }
  if (line === 0) {
    for (const item of file.list("trajectory") ?? [])
      for (const made of steps.stepOf(item)) messages.push(holder.hold(made));
  }
  return { title: "", messages, damaged };
}

const ROLES = ["user", "assistant", "system", "tool"] as const;

class Steps {
  #made = 0;
  /** Commands without an observation yet. */
  #open: ToolCallId | undefined;

  messageIn(read: DocumentReader, item: LocatedValue): ForeignMessage {
    const role = read.word(optionalField(item, "role"), ROLES);
    const parts = contentIn(read, optionalField(item, "content"));
    const isDemonstration =
      optionalField(item, "is_demo").value === true || optionalField(item, "message_type").value === "demonstration";
    if (role === "assistant") return answer(this.#answerParts(read, item, parts));
    if (role === "system") return asData(asked(parts), role);
    const ids = optionalItems(optionalField(item, "tool_call_ids")).map(optionalText);
    const [id] = ids;
    const callId = id === undefined ? this.#open : toolCallId(id);
    this.#open = undefined;
    if (callId === undefined || isDemonstration)
      return isDemonstration ? asData(asked(parts), "demonstration") : asked(parts);
    const files = parts.flatMap((part) =>
      part.kind === "image" || part.kind === "attachment" ? [{ callId, part }] : [],
    );
    const made = asked([{ kind: "toolResult", callId, outcome: "ok", text: textOf(parts) }]);
    return files.length === 0 ? made : { ...made, resultFiles: files };
  }

  /** A step of a file without a history. */
  stepOf(item: LocatedValue): readonly ForeignMessage[] {
    const thought = optionalText(optionalField(item, "thought")) || optionalText(optionalField(item, "response"));
    const action = optionalText(optionalField(item, "action"));
    const said: readonly Part[] = thought === "" ? [] : [{ kind: "text", text: thought }];
    if (action === "") return said.length === 0 ? [] : [answer(said)];
    const call = this.#command(action);
    const text = optionalText(optionalField(item, "observation"));
    return [answer([...said, call, { kind: "toolResult", callId: call.callId, outcome: "ok", text }])];
  }

  #answerParts(read: DocumentReader, item: LocatedValue, content: readonly Part[]): readonly Part[] {
    const thinking = optionalItems(optionalField(item, "thinking_blocks")).flatMap(thinkingIn);
    const calls = optionalItems(optionalField(item, "tool_calls")).map((call): Part => {
      const called = optionalField(call, "function");
      const given = optionalField(called, "arguments");
      return {
        kind: "toolCall",
        callId: toolCallId(read.text(optionalField(call, "id"))),
        name: read.text(optionalField(called, "name")),
        inputJson: optionalText(given) || boundedJson(given.value ?? {}),
      };
    });
    const action = optionalText(optionalField(item, "action"));
    this.#open = undefined;
    if (calls.length > 0 || action.trim() === "") return [...thinking, ...content, ...calls];
    const command = this.#command(action);
    this.#open = command.callId;
    return [...thinking, ...content, command];
  }

  #command(action: string): Part & { readonly callId: ToolCallId } {
    const callId = toolCallId(`action ${this.#made++}`);
    return { kind: "toolCall", callId, name: "command", inputJson: JSON.stringify({ command: action }) };
  }
}

const ABOUT = { createdAtMs: 0, state: "complete", model: "", id: "" } as const;

function asked(parts: readonly Part[]): ForeignMessage {
  return { ...ABOUT, message: { role: "user", parts } };
}

function answer(parts: readonly Part[]): ForeignMessage {
  return { ...ABOUT, message: { role: "assistant", parts } };
}

function contentIn(read: DocumentReader, content: LocatedValue): readonly Part[] {
  if (content.value === undefined || content.value === null || content.value === "") return [];
  if (typeof content.value === "string") return [{ kind: "text", text: content.value }];
  return read.each(content, (piece): Part => {
    const address = optionalText(optionalField(optionalField(piece, "image_url"), "url"));
    if (address !== "") return pictureAt(address);
    return { kind: "text", text: read.text(optionalField(piece, "text")) };
  });
}

function textOf(parts: readonly Part[]): string {
  return parts
    .map((part) => {
      if (part.kind === "image") return `[picture: ${part.mediaType}]`;
      return part.kind === "attachment" ? `[${part.label}]` : "text" in part ? part.text : "";
    })
    .join("\n");
}

/** Reads an export of the editor's own chat ("Chat: Export Chat"): requests, each with the pieces of its response. */

import type { Part } from "../../message.ts";
import type { DocumentReader, LocatedValue } from "../documentReader.ts";
import { userParts } from "./userParts.ts";
import {
  optionalField,
  optionalTimeMs,
  optionalText,
  type ForeignConversation,
  type ForeignMessage,
} from "./foreignConversation.ts";

export function readEditorChat(read: DocumentReader, document: LocatedValue): ForeignConversation {
  const messages = read.each(optionalField(document, "requests"), (request): readonly ForeignMessage[] => {
    const about = { createdAtMs: optionalTimeMs(optionalField(request, "timestamp")), id: "" };
    const said = read.text(optionalField(optionalField(request, "message"), "text"));
    const answer = partsOf(read.each(optionalField(request, "response"), pieceOf));
    return [
      {
        ...about,
        message: { role: "user", parts: userParts([{ kind: "text", text: said }]) },
        state: "complete",
        model: "",
      },
      {
        ...about,
        message: { role: "assistant", parts: answer },
        state: optionalField(request, "isCanceled").value === true ? "cancelled" : "complete",
        model: optionalText(optionalField(request, "modelId")).replace(/^copilot\//, ""),
      },
    ];
  });
  return { title: optionalText(optionalField(document, "customTitle")), messages: messages.flat() };
}

interface Piece {
  readonly kind: "text" | "thinking";
  readonly text: string;
}

/** Tool calls become their display message, quoted: an export lacks their input. */
function pieceOf(piece: LocatedValue): Piece {
  const kind = optionalField(piece, "kind").value;
  switch (kind) {
    case undefined:
    case "markdownContent":
      return { kind: "text", text: markdownIn(piece, kind === undefined ? "value" : "content") };
    case "thinking":
      return { kind: "thinking", text: optionalText(optionalField(piece, "value")) };
    case "inlineReference":
      return { kind: "text", text: referenceIn(piece) };
    case "toolInvocationSerialized": {
      const words = markdownIn(piece, "pastTenseMessage") || markdownIn(piece, "invocationMessage");
      return { kind: "text", text: words === "" ? "" : `\n\n> ${words.replace(/\s+/g, " ")}\n\n` };
    }
    default:
      return { kind: "text", text: "" };
  }
}

/** Markdown is a string or an object with `value`; older exports have `value` instead of `content`. */
function markdownIn(piece: LocatedValue, name: string): string {
  const content = optionalField(piece, name);
  return (
    optionalText(content) ||
    optionalText(optionalField(content, "value")) ||
    (name === "content" ? optionalText(optionalField(piece, "value")) : "")
  );
}

function referenceIn(piece: LocatedValue): string {
  const reference = optionalField(piece, "inlineReference");
  const path =
    optionalText(optionalField(reference, "path")) ||
    optionalText(optionalField(optionalField(reference, "uri"), "path"));
  const name =
    optionalText(optionalField(piece, "name")) ||
    optionalText(optionalField(reference, "name")) ||
    (path.split("/").at(-1) ?? "");
  return name === "" ? "" : `\`${name}\``;
}

/** Joins adjacent pieces of one kind into one part. */
function partsOf(pieces: readonly Piece[]): readonly Part[] {
  const parts: Piece[] = [];
  for (const piece of pieces) {
    const last = parts.at(-1);
    if (piece.text === "") continue;
    if (last?.kind === piece.kind) parts[parts.length - 1] = { ...piece, text: last.text + piece.text };
    else parts.push(piece);
  }
  return parts.map(({ kind, text }) => ({ kind, text: text.trim() })).filter(({ text }) => text !== "");
}

/** Reads an export of the editor's own chat ("Chat: Export Chat"): requests, each with the pieces of its response. */

import type { Part } from "../../message.ts";
import type { DocumentReader, Place } from "../documentReader.ts";
import { fieldOf, momentIn, textIn, type ForeignConversation, type ForeignMessage } from "./foreignConversation.ts";

export function readEditorChat(read: DocumentReader, document: Place): ForeignConversation {
  const messages = read.each(fieldOf(document, "requests"), (request): readonly ForeignMessage[] => {
    const about = { createdAtMs: momentIn(fieldOf(request, "timestamp")), id: "" };
    const said = read.text(fieldOf(fieldOf(request, "message"), "text"));
    const answer = partsOf(read.each(fieldOf(request, "response"), pieceOf));
    return [
      { ...about, message: { role: "user", parts: [{ kind: "text", text: said }] }, state: "complete", model: "" },
      {
        ...about,
        message: { role: "assistant", parts: answer },
        state: fieldOf(request, "isCanceled").value === true ? "cancelled" : "complete",
        model: textIn(fieldOf(request, "modelId")).replace(/^copilot\//, ""),
      },
    ];
  });
  return { title: textIn(fieldOf(document, "customTitle")), messages: messages.flat() };
}

interface Piece {
  readonly kind: "text" | "thinking";
  readonly text: string;
}

/** Tool calls become their display message, quoted: an export lacks their input. */
function pieceOf(piece: Place): Piece {
  const kind = fieldOf(piece, "kind").value;
  switch (kind) {
    case undefined:
    case "markdownContent":
      return { kind: "text", text: markdownIn(piece, kind === undefined ? "value" : "content") };
    case "thinking":
      return { kind: "thinking", text: textIn(fieldOf(piece, "value")) };
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
function markdownIn(piece: Place, name: string): string {
  const content = fieldOf(piece, name);
  return (
    textIn(content) || textIn(fieldOf(content, "value")) || (name === "content" ? textIn(fieldOf(piece, "value")) : "")
  );
}

function referenceIn(piece: Place): string {
  const reference = fieldOf(piece, "inlineReference");
  const path = textIn(fieldOf(reference, "path")) || textIn(fieldOf(fieldOf(reference, "uri"), "path"));
  const name = textIn(fieldOf(piece, "name")) || textIn(fieldOf(reference, "name")) || (path.split("/").at(-1) ?? "");
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

/**
 * `forge_recall`, a tool for the models of other extensions: reads this window's conversation if the user permits it.
 * It changes nothing, reads no other conversation, and redacts recognized secrets.
 */

import { messageNumber } from "../../core/ids.ts";
import { localize } from "../../protocol/localize.ts";
import { onOneLine } from "../tools/hiddenText.ts";
import type { RecalledConversation } from "../tools/recall/findMessages.ts";
import { parseRecallRequest, recall, type RecallReader } from "../tools/recallHistory.ts";
import { sanitizeText, dataText } from "../tools/resultText.ts";

/** Permission of other extensions: asked for each time, always granted, or never. */
export type RecallSharing = "ask" | "allow" | "never";

export interface SharingQuestion {
  readonly title: string;
  readonly message: string;
}

/** An unknown value counts as "ask". */
export function readSharing(value: unknown): RecallSharing {
  return value === "allow" || value === "never" ? value : "ask";
}

/** Error text for a model without permission. */
export const NOT_SHARED =
  "The user does not let other extensions read Forge's conversation. They can change that with the setting " +
  "forge.recall.otherExtensions; do not try again before they say so.";

/** Text for the confirmation; `undefined` when the input is invalid, so that nothing would be read. */
export function sharingQuestion(input: unknown, conversationTitle: string): SharingQuestion | undefined {
  const request = parseRecallRequest(input);
  if (!request.ok) return undefined;
  const where =
    conversationTitle === ""
      ? localize("this window's conversation")
      : localize("“{0}”", onOneLine(conversationTitle, 60));
  const what =
    request.value.kind === "read"
      ? localize("Message {0} of {1} would be read.", messageNumber(request.value.id), where)
      : localize(
          "Up to ten messages of {0} that have some of these words, or stand beside one that has, would be read: {1}",
          where,
          onOneLine(request.value.query, 120),
        );
  const care = localize("They go to the model that asks. Keys and passwords that Forge recognizes are taken out.");
  return { title: localize("Let another extension read your Forge conversation?"), message: `${what}\n\n${care}` };
}

/** Executes a call; the result is text for a model. */
export async function recallForExtensions(
  input: unknown,
  conversation: RecalledConversation,
  title: string,
): Promise<string> {
  const request = parseRecallRequest(input);
  if (!request.ok) return request.error;
  const { text } = await recall(request.value, conversation, EXTENSION_READER);
  const clean = sanitizeText(text);
  const heading = title === "" ? "From the user's conversation in Forge" : `From the user's conversation “${title}”`;
  return dataText({ heading: onOneLine(heading), body: clean.text, changes: clean });
}

const EXTENSION_READER: RecallReader = {
  nameOf: (id) => `message ${messageNumber(id)}`,
  assistantName: "Forge's model",
};

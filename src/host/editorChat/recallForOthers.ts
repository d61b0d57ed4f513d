/**
 * `forge_recall`, a tool for the models of other extensions: what was said in the conversation of this window, as far as
 * the user lets them. It only reads, reads no other conversation, and takes recognised secrets out of what it gives.
 */

import { messageNumber } from "../../core/ids.ts";
import { localize } from "../../protocol/localize.ts";
import { onOneLine } from "../tools/hiddenText.ts";
import type { RecalledConversation } from "../tools/recall/findMessages.ts";
import { readRecall, recall, type RecallReader } from "../tools/recallHistory.ts";
import { cleanText, dataText } from "../tools/resultText.ts";

/** Whether other extensions may read: after a question each time, without one, or not at all. */
export type RecallSharing = "ask" | "allow" | "never";

/** What the user is asked. */
export interface SharingQuestion {
  readonly title: string;
  readonly message: string;
}

/** The setting as one of its values; what is none of them counts as the strictest that still asks. */
export function readSharing(value: unknown): RecallSharing {
  return value === "allow" || value === "never" ? value : "ask";
}

/** What is said where nothing may be read. */
export const NOT_SHARED =
  "The user does not let other extensions read Forge's conversation. They can change that with the setting " +
  "forge.recall.otherExtensions; do not try again before they say so.";

/** What would be read, in words for the user; `undefined` where nothing would be, as the input is no request. */
export function sharingQuestion(input: unknown, conversationTitle: string): SharingQuestion | undefined {
  const request = readRecall(input);
  if (!request.ok) return undefined;
  const where =
    conversationTitle === ""
      ? localize("this window's conversation")
      : localize("“{0}”", onOneLine(conversationTitle, 60));
  const what =
    request.value.kind === "read"
      ? localize("Message {0} of {1} would be read.", messageNumber(request.value.id), where)
      : localize(
          "Up to ten messages of {0} with these words would be read: {1}",
          where,
          onOneLine(request.value.query, 120),
        );
  const care = localize("They go to the model that asks. Keys and passwords that Forge recognizes are taken out.");
  return { title: localize("Let another extension read your Forge conversation?"), message: `${what}\n\n${care}` };
}

/** The answer to one call, as text for a model. */
export async function recallForOthers(
  input: unknown,
  conversation: RecalledConversation,
  title: string,
): Promise<string> {
  const request = readRecall(input);
  if (!request.ok) return request.error;
  const { text } = await recall(request.value, conversation, OTHER_MODEL);
  const clean = cleanText(text);
  const heading = title === "" ? "From the user's conversation in Forge" : `From the user's conversation “${title}”`;
  return dataText({ heading: onOneLine(heading), body: clean.text, changes: clean });
}

const OTHER_MODEL: RecallReader = {
  nameOf: (id) => `message ${messageNumber(id)}`,
  answerer: "Forge's model",
  isInTurn: false,
};

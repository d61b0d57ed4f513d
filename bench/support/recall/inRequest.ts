/** Questions of a set that have a message that answers them in the request itself, by then in need of summaries. */

import { isSentWhole } from "../../../src/core/history/sentAs.ts";
import { messageId } from "../../../src/core/ids.ts";
import { textMessage } from "../../../src/core/message.ts";
import { TalkSession } from "../../../test/support/session/talkSession.ts";

export interface QuestionSet {
  readonly messages: readonly { readonly id: string; readonly text: string; readonly speaker?: string }[];
  readonly questions: readonly { readonly question: string; readonly gold: readonly string[] }[];
}

/** Room for a tenth of a conversation of LoCoMo. */
const WINDOW = { contextWindow: 10_000, maxOutput: 2_000 };

export interface InRequest {
  readonly questions: number;
  /** With a message that answers among those that are sent as they are. */
  readonly before: number;
  /** The same, or one of which a passage is recalled for the question. */
  readonly after: number;
  /** Questions for which something is recalled, and its tokens in all. */
  readonly recalled: number;
  readonly tokens: number;
}

/** The messages are added one by one, and summarized as they are due, without a model. */
export async function questionsInRequest({ messages, questions }: QuestionSet): Promise<InRequest> {
  const session = new TalkSession({ policy: "pipeline", ...WINDOW });
  for (const { speaker = "", text } of messages) {
    const role = speaker === messages[0]?.speaker ? "user" : "assistant";
    await session.add(textMessage(role, `${speaker}: ${text}`));
    if (session.manager.compactionStage() === "apply") await session.compact("threshold");
  }
  const places = new Map(messages.map(({ id }, at) => [id, messageId(at)]));
  const sent = new Set([...places.values()].filter((id) => isSentWhole(session.manager.sentAs(id))));
  let [before, after, recalled, tokens] = [0, 0, 0, 0];
  for (const { question, gold } of questions) {
    const found = await session.recalledFor(question);
    const answers = gold.flatMap((id) => places.get(id) ?? []);
    const isSent = answers.some((id) => sent.has(id));
    before += Number(isSent);
    after += Number(isSent || answers.some((id) => found.ids.includes(id)));
    recalled += Number(found.ids.length > 0);
    tokens += found.tokens;
  }
  return { questions: questions.length, before, after, recalled, tokens };
}

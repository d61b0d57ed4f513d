/** A generator for each format that Forge reads. */

import { aider } from "./formats/aider.ts";
import { chatGpt } from "./formats/chatGpt.ts";
import { claudeAi } from "./formats/claudeAi.ts";
import { claudeCode } from "./formats/claudeCode.ts";
import { cline } from "./formats/cline.ts";
import { codex } from "./formats/codex.ts";
import { continueSession } from "./formats/continueSession.ts";
import { copilotCli } from "./formats/copilotCli.ts";
import { editorChat } from "./formats/editorChat.ts";
import { geminiCli } from "./formats/geminiCli.ts";
import { openHands } from "./formats/openHands.ts";
import { opencode } from "./formats/opencode.ts";
import { sweAgent } from "./formats/sweAgent.ts";
import type { GeneratedFormat } from "./generatedFormat.ts";

export const GENERATED_FORMATS: readonly GeneratedFormat[] = [
  codex,
  claudeCode,
  copilotCli,
  geminiCli,
  chatGpt,
  claudeAi,
  continueSession,
  opencode,
  cline,
  editorChat,
  openHands,
  sweAgent,
  aider,
];

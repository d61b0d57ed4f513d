/** Instructions and tools that every request of the product carries, in a window of this size. */

import { toolsForWindow } from "../../src/core/context/request/briefTools.ts";
import type { RequestOverhead, ToolDefinition } from "../../src/core/context/request/requestOverhead.ts";
import { FullHistory } from "../../src/core/history/fullHistory.ts";
import { textMessage } from "../../src/core/message.ts";
import { SYSTEM_PROMPT } from "../../src/host/connections/systemPrompt.ts";
import { recallHistory } from "../../src/host/tools/recallHistory.ts";
import { withEditorModule } from "../../test/support/editor/editorModule.ts";
import { testTokenCounter } from "../../test/support/models/tokenCounter.ts";
import { conversationIdOf, NO_OTHERS } from "../../test/support/search/otherConversations.ts";
import { MemoryStore } from "../../test/support/storage/memoryStore.ts";

export async function offeredOverhead(contextWindow: number): Promise<RequestOverhead> {
  const tools = toolsForWindow(await definitions(), contextWindow);
  const counter = testTokenCounter();
  return {
    systemPrompt: SYSTEM_PROMPT,
    systemTokens: counter.countMessage(textMessage("system", SYSTEM_PROMPT)),
    tools,
    toolsTokens: counter.countMessage(textMessage("system", JSON.stringify(tools))),
  };
}

/** The tools are not called, so that the parts of the editor that they work with are never used. */
async function definitions(): Promise<readonly ToolDefinition[]> {
  const unused = {} as never;
  const { createEditorTools } = await withEditorModule(
    "offeredTools",
    EDITOR,
    () => import("../../src/host/tools/createEditorTools.ts"),
  );
  const recall = recallHistory(
    {
      id: conversationIdOf(1),
      history: new FullHistory(),
      store: new MemoryStore(),
      sentAs: () => ({ kind: "notSent" }),
      isRecalled: () => false,
    },
    NO_OTHERS,
  );
  return [recall, ...createEditorTools("", unused, unused, unused, unused, () => undefined)].map(
    ({ definition }) => definition,
  );
}

/** Stands for what the modules of the tools read while they load. */
const EDITOR = {
  workspace: { workspaceFolders: [], textDocuments: [], getConfiguration: () => ({ get: () => undefined }) },
  window: {},
  env: {},
  languages: {},
  extensions: {},
  commands: {},
  Uri: URL,
  EventEmitter: EventTarget,
};

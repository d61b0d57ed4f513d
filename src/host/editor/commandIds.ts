/** The commands that Forge contributes; must match the manifest and `paletteCommands.ts`. */
export const COMMAND_IDS = [
  "forge.summarizeContext",
  "forge.cancelSummary",
  "forge.switchModel",
  "forge.chooseSummarizer",
  "forge.recover",
  "forge.newConversation",
  "forge.openConversation",
  "forge.addFiles",
  "forge.addTerminal",
  "forge.addTerminalSelection",
  "forge.addSelection",
  "forge.explainSelection",
  "forge.fixProblems",
  "forge.renameConversation",
  "forge.findInConversation",
  "forge.findEverywhere",
  "forge.focusChat",
  "forge.openInTab",
  "forge.deleteConversation",
  "forge.openTrash",
  "forge.eraseMessage",
  "forge.copySelection",
  "forge.copyMessage",
  "forge.eraseEverything",
  "forge.showContext",
  "forge.setApiKey",
  "forge.removeApiKey",
  "forge.testApiKeys",
  "forge.findServers",
  "forge.useServer",
  "forge.useEditorModels",
  "forge.fetchOllamaModel",
  "forge.deleteOllamaModel",
  "forge.exportConversation",
  "forge.importConversation",
  "forge.stop",
  "forge.chooseTools",
  "forge.acceptEdit",
  "forge.refuseEdit",
  "forge.showLog",
  "forge.copyDiagnostics",
  "forge.accessibilityHelp",
  "forge.showAnswerAsText",
  "forge.showQuestion",
] as const;

export type CommandId = (typeof COMMAND_IDS)[number];

/** Runs contributed commands; `context` is the editor's menu argument, such as the clicked row of the chat. */
export interface CommandRunner {
  run(id: CommandId, context?: unknown): Promise<void>;
}

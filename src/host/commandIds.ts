/** The commands that Forge contributes; the manifest and `userCommands.ts` know the same ones. */
export const COMMAND_IDS = [
  "forge.summarizeContext",
  "forge.cancelSummary",
  "forge.switchModel",
  "forge.recover",
  "forge.newConversation",
  "forge.openConversation",
  "forge.deleteConversation",
  "forge.openTrash",
  "forge.eraseMessage",
  "forge.eraseEverything",
  "forge.showContext",
  "forge.setApiKey",
  "forge.removeApiKey",
  "forge.testApiKeys",
  "forge.findServers",
  "forge.useServer",
  "forge.useEditorModels",
  "forge.exportConversation",
  "forge.importConversation",
  "forge.stop",
  "forge.chooseTools",
  "forge.acceptEdit",
  "forge.refuseEdit",
  "forge.showLog",
  "forge.copyDiagnostics",
] as const;

/** One of {@link COMMAND_IDS}. */
export type CommandId = (typeof COMMAND_IDS)[number];

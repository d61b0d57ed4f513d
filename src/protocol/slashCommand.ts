/** Commands of the composer, in menu order. */
export const SLASH_COMMANDS = [
  "context",
  "summarize",
  "model",
  "new",
  "recover",
  "export",
  "find",
  "pin",
  "help",
] as const;

export type SlashCommand = (typeof SLASH_COMMANDS)[number];

/** The commands that can be typed into the composer, in the order of their menu. */
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

/** One of {@link SLASH_COMMANDS}. */
export type SlashCommand = (typeof SLASH_COMMANDS)[number];

/** Where other tools keep their conversations on this machine: one table for all platforms. Pure; nothing is read. */

import path from "node:path";

/** Files under a folder. */
export interface ToolPlace {
  /** As `core/documents/foreign/formats.ts` names the tool. */
  readonly tool: string;
  /** Absolute. */
  readonly folder: string;
  /** Names from the folder on, with `/` between. `*`: any characters of a name; `**`: any number of folders; `{a,b}`: one of them. */
  readonly pattern: string;
}

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folders that are open in the window. */
  readonly openFolders: readonly string[];
}

/** Extensions that keep their tasks as Cline does, by the ids under which they were published. */
const TASK_EXTENSIONS: readonly (readonly [tool: string, id: string])[] = [
  ["Cline", "saoudrizwan.claude-dev"],
  ["Roo Code", "rooveterinaryinc.roo-cline"],
  ["Zoo Code", "zoocodeorganization.zoo-code"],
  ["Kilo Code", "kilocode.kilo-code"],
];

const EDITORS = ["Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf"] as const;
/** Editors that run on a server keep what their extensions store there, on every platform. */
const SERVERS = [".vscode-server", ".vscode-server-insiders", ".vscodium-server", ".cursor-server"] as const;

/** The usual places, whether they exist or not; each once. */
export function usualPlaces({ platform, home, env, openFolders }: Machine): readonly ToolPlace[] {
  const paths = platform === "win32" ? path.win32 : path.posix;
  const join = (...names: readonly string[]): string => paths.join(...names);
  /** The folder that a variable names, or else one at home. */
  const folderOf = (variable: string, ...names: readonly string[]): string => {
    const said = env[variable];
    return said !== undefined && paths.isAbsolute(said) ? said : join(home, ...names);
  };
  const place = (tool: string, pattern: string, folder: string): ToolPlace => ({ tool, folder, pattern });
  const settings =
    platform === "win32"
      ? folderOf("APPDATA", "AppData", "Roaming")
      : platform === "darwin"
        ? join(home, "Library", "Application Support")
        : folderOf("XDG_CONFIG_HOME", ".config");
  const users = [
    ...EDITORS.map((editor) => join(settings, editor, "User")),
    ...SERVERS.map((server) => join(home, server, "data", "User")),
  ];
  const codex = folderOf("CODEX_HOME", ".codex");
  const found = [
    place("Claude Code", "**/*.jsonl", join(folderOf("CLAUDE_CONFIG_DIR", ".claude"), "projects")),
    place("Codex", "**/rollout-*.{jsonl,jsonl.zst}", join(codex, "sessions")),
    place("Codex", "**/rollout-*.{jsonl,jsonl.zst}", join(codex, "archived_sessions")),
    place("Gemini CLI", "*/chats/*.json*", join(home, ".gemini", "tmp")),
    place("Copilot CLI", "**/*.jsonl", join(folderOf("COPILOT_HOME", ".copilot"), "session-state")),
    place("opencode", "session/*/*.json", join(folderOf("XDG_DATA_HOME", ".local", "share"), "opencode", "storage")),
    place("Continue", "*.json", join(folderOf("CONTINUE_GLOBAL_DIR", ".continue"), "sessions")),
    ...users.flatMap((user) => [
      ...TASK_EXTENSIONS.map(([tool, id]) =>
        place(tool, "*/api_conversation_history.json", join(user, "globalStorage", id, "tasks")),
      ),
      place("the editor’s chat", "*/chatSessions/*.json", join(user, "workspaceStorage")),
      place("the editor’s chat", "*.json", join(user, "globalStorage", "emptyWindowChatSessions")),
    ]),
    place("Cline", "*/api_conversation_history.json", join(folderOf("CLINE_DIR", ".cline"), "data", "tasks")),
    ...openFolders.map((folder) => place("aider", ".aider.chat.history.md", folder)),
    place("OpenHands", "*/events/0.json", join(home, ".openhands", "sessions")),
    place("OpenHands", "*/events/*-00000-*.json", join(home, ".openhands", "conversations")),
  ];
  return [...new Map(found.map((each) => [placeKey(each), each])).values()];
}

/** A folder that the user chose: all that may be a conversation, a few levels deep. */
export function chosenPlace(folder: string): ToolPlace {
  return { tool: "", folder, pattern: "**/*.{jsonl,json,md,traj,zst}" };
}

/** Names a place for as long as it is kept. */
export function placeKey({ folder, pattern }: Pick<ToolPlace, "folder" | "pattern">): string {
  return `${folder} ${pattern}`;
}

import assert from "node:assert/strict";
import { usualPlaces, type Machine } from "../../../../src/host/conversations/import/toolPlaces.ts";

describe("usual places of other tools", () => {
  const shown = (machine: Machine, tools: readonly string[]): readonly string[] =>
    usualPlaces(machine)
      .filter(({ tool }) => tools.includes(tool))
      .map(({ tool, folder, pattern }) => `${tool}: ${folder} ${pattern}`);

  const check = (
    title: string,
    machine: Partial<Machine>,
    tools: readonly string[],
    places: readonly string[],
  ): void => {
    it(title, () => {
      const whole: Machine = { platform: "linux", home: "/home/a", env: {}, openFolders: [], ...machine };
      assert.deepEqual(shown(whole, tools), places);
    });
  };

  const CLI = ["Claude Code", "Codex", "Gemini CLI", "Copilot CLI", "opencode", "Continue", "OpenHands", "aider"];
  check("Linux", { openFolders: ["/home/a/one", "/home/a/two", "/home/a/one"] }, CLI, [
    "Claude Code: /home/a/.claude/projects **/*.jsonl",
    "Codex: /home/a/.codex/sessions **/rollout-*.{jsonl,jsonl.zst}",
    "Codex: /home/a/.codex/archived_sessions **/rollout-*.{jsonl,jsonl.zst}",
    "Gemini CLI: /home/a/.gemini/tmp */chats/*.json*",
    "Copilot CLI: /home/a/.copilot/session-state **/*.jsonl",
    "opencode: /home/a/.local/share/opencode/storage session/*/*.json",
    "Continue: /home/a/.continue/sessions *.json",
    "aider: /home/a/one .aider.chat.history.md",
    "aider: /home/a/two .aider.chat.history.md",
    "OpenHands: /home/a/.openhands/sessions */events/0.json",
    "OpenHands: /home/a/.openhands/conversations */events/*-00000-*.json",
  ]);
  check(
    "macOS",
    { platform: "darwin", home: "/Users/a" },
    ["Claude Code", "opencode"],
    [
      "Claude Code: /Users/a/.claude/projects **/*.jsonl",
      "opencode: /Users/a/.local/share/opencode/storage session/*/*.json",
    ],
  );
  check(
    "Windows",
    { platform: "win32", home: "C:\\Users\\a" },
    ["Claude Code", "Codex", "opencode"],
    [
      "Claude Code: C:\\Users\\a\\.claude\\projects **/*.jsonl",
      "Codex: C:\\Users\\a\\.codex\\sessions **/rollout-*.{jsonl,jsonl.zst}",
      "Codex: C:\\Users\\a\\.codex\\archived_sessions **/rollout-*.{jsonl,jsonl.zst}",
      "opencode: C:\\Users\\a\\.local\\share\\opencode\\storage session/*/*.json",
    ],
  );
  check(
    "folders that variables name",
    { env: { CLAUDE_CONFIG_DIR: "/data/claude", CODEX_HOME: "/data/codex", XDG_DATA_HOME: "/data" } },
    ["Claude Code", "Codex", "opencode"],
    [
      "Claude Code: /data/claude/projects **/*.jsonl",
      "Codex: /data/codex/sessions **/rollout-*.{jsonl,jsonl.zst}",
      "Codex: /data/codex/archived_sessions **/rollout-*.{jsonl,jsonl.zst}",
      "opencode: /data/opencode/storage session/*/*.json",
    ],
  );
  check(
    "no folder that is not absolute",
    { env: { CODEX_HOME: "codex" } },
    ["Codex"],
    [
      "Codex: /home/a/.codex/sessions **/rollout-*.{jsonl,jsonl.zst}",
      "Codex: /home/a/.codex/archived_sessions **/rollout-*.{jsonl,jsonl.zst}",
    ],
  );

  const editors = (platform: NodeJS.Platform, home: string, env: Machine["env"] = {}): readonly string[] =>
    shown({ platform, home, env, openFolders: [] }, ["Roo Code", "the editor’s chat"]).filter((place) =>
      /[/\\]Code[/\\]|\.vscode-server[/\\]/.test(place),
    );
  const checkEditors = (title: string, user: string, server: string, places: readonly string[]): void => {
    const of = (root: string): readonly string[] => [
      `Roo Code: ${root}/globalStorage/rooveterinaryinc.roo-cline/tasks */api_conversation_history.json`,
      `the editor’s chat: ${root}/workspaceStorage */chatSessions/*.json`,
      `the editor’s chat: ${root}/globalStorage/emptyWindowChatSessions *.json`,
    ];
    it(`of extensions in the editor on ${title}`, () => {
      const found = places.map((place) => place.replaceAll("\\", "/"));
      assert.deepEqual(found, [...of(`${user}/Code/User`), ...of(`${server}/data/User`)]);
    });
  };
  checkEditors("Linux", "/home/a/.config", "/home/a/.vscode-server", editors("linux", "/home/a"));
  const onMac = editors("darwin", "/Users/a");
  checkEditors("macOS", "/Users/a/Library/Application Support", "/Users/a/.vscode-server", onMac);
  const onWindows = editors("win32", "C:\\Users\\a", { APPDATA: "D:\\Roaming" });
  checkEditors("Windows", "D:/Roaming", "C:/Users/a/.vscode-server", onWindows);
});

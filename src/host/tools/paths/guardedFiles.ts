/** Files that need care, by their names: rule files, those that usually hold secrets, and those of git itself. */

/** Rule files at the top of each workspace folder, in the order in which they are sent. */
export const RULE_FILES: readonly string[] = [
  "AGENTS.md",
  "CLAUDE.md",
  ".github/copilot-instructions.md",
  ".cursorrules",
];

/** Files that usually hold keys or passwords, in lower case. */
const SECRET_NAMES = new Set([
  ".envrc",
  ".git-credentials",
  ".htpasswd",
  ".netrc",
  "_netrc",
  ".npmrc",
  ".pgpass",
  ".pypirc",
  ".dockercfg",
  ".yarnrc.yml",
  "credentials",
  "credentials.json",
  "kubeconfig",
  "auth.json",
  "master.key",
  "secrets",
]);

/** Matched against the name in lower case. */
const SECRET_PATTERNS: readonly RegExp[] = [
  /^\.env(?:\.|$)(?!(?:[^.]+\.)*(?:example|sample|template|dist|defaults|schema)$)/,
  /\.(?:env|pem|key|p12|pfx|p8|jks|keystore|kdbx|ppk|asc|gpg|ovpn|tfvars|tfstate)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)[^.]*$/,
  /^secrets?\.(?:json|ya?ml|toml|ini|env|txt|properties)$/,
  /^service[-_]?account.*\.json$/,
];

/** Folders of secret files, in lower case. */
const SECRET_FOLDERS = new Set([".ssh", ".aws", ".gnupg", ".kube", ".azure"]);

/** True for a file that usually holds secrets, by its path alone: `/` between folders, in any spelling. */
export function mayHoldSecrets(relative: string): boolean {
  const segments = comparableSegments(relative);
  const name = segments.at(-1) ?? "";
  return (
    SECRET_NAMES.has(name) ||
    SECRET_PATTERNS.some((pattern) => pattern.test(name)) ||
    segments.slice(0, -1).some((folder) => SECRET_FOLDERS.has(folder))
  );
}

/** Whether a path is inside git's own folder: its hooks are run, and its remotes may hold passwords. */
export function isInGitFolder(relative: string): boolean {
  return comparableSegments(relative).some((segment) => /^(?:\.git|git~\d+)$/.test(segment));
}

/**
 * The names of a path as file systems compare them: without case, composition and compatibility forms, characters that
 * are ignored (HFS+), full stops and blanks at the end and the stream of a file (Windows).
 */
export function comparableSegments(relative: string): readonly string[] {
  return relative.split(/[/\\]/).flatMap((segment) => {
    const plain = segment
      .normalize("NFKD")
      .replaceAll(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, "")
      .toUpperCase()
      .toLowerCase()
      .split(":", 1)[0];
    let end = plain?.length ?? 0;
    while (plain?.[end - 1] === "." || plain?.[end - 1] === " ") end--;
    return end === 0 || plain === undefined ? [] : [plain.slice(0, end)];
  });
}

/** Files that need care, by their names: those that usually hold secrets, and those that run or configure something. */

/** Rule files at the top of each workspace folder, in the order in which they are sent. */
export const RULE_FILES: readonly string[] = [
  "AGENTS.md",
  "CLAUDE.md",
  ".github/copilot-instructions.md",
  ".cursorrules",
];

/** The same at any depth: tools also read them in subfolders. */
const RULE_ENDINGS = RULE_FILES.map((file) => `/${file.toLowerCase()}`);

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

/** Whether a file usually holds secrets, by its path alone: `/` between folders, ignoring case. */
export function mayHoldSecrets(relative: string): boolean {
  const segments = relative.toLowerCase().split("/");
  const name = segments.at(-1) ?? "";
  return (
    SECRET_NAMES.has(name) ||
    SECRET_PATTERNS.some((pattern) => pattern.test(name)) ||
    segments.slice(0, -1).some((folder) => SECRET_FOLDERS.has(folder))
  );
}

/** Whether a path is inside git's own folder: its hooks are run, and its remotes may hold passwords. */
export function isInGitFolder(relative: string): boolean {
  return relative.toLowerCase().split("/").includes(".git");
}

/**
 * Whether a file decides what the editor, git or a package manager runs, or how a model is told to work: its changes
 * deserve a second look.
 */
export function configuresTools(relative: string): boolean {
  const lower = relative.toLowerCase();
  return (
    RULE_ENDINGS.some((ending) => `/${lower}`.endsWith(ending)) ||
    /(?:^|\/)(?:\.vscode|\.idea|\.devcontainer|\.husky|\.githooks|\.github\/workflows)\//.test(lower) ||
    /(?:^|\/)\.(?:claude|cursor|cargo)\//.test(lower) ||
    /(?:^|\/)(?:package\.json|makefile|\.gitattributes|\.gitmodules|[^/]*\.code-workspace)$/.test(lower) ||
    /(?:^|\/)\.(?:mcp\.json|envrc|npmrc|yarnrc\.yml|pre-commit-config\.yaml)$/.test(lower)
  );
}

/** Files that stand apart by their names: those that usually hold secrets, and those that run or configure something. */

/** Names of files that usually hold keys or passwords, in lower case. */
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

/** The same by a pattern of the name, in lower case. */
const SECRET_PATTERNS: readonly RegExp[] = [
  /^\.env(?:\.|$)(?!(?:[^.]+\.)*(?:example|sample|template|dist|defaults|schema)$)/,
  /\.(?:env|pem|key|p12|pfx|p8|jks|keystore|kdbx|ppk|asc|gpg|ovpn|tfvars|tfstate)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)[^.]*$/,
  /^secrets?\.(?:json|ya?ml|toml|ini|env|txt|properties)$/,
  /^service[-_]?account.*\.json$/,
];

/** Folders whose content is like that, in lower case. */
const SECRET_FOLDERS = new Set([".ssh", ".aws", ".gnupg", ".kube", ".azure"]);

/** Whether a file usually holds secrets, told by its path alone: `/` between folders, whatever the case. */
export function mayHoldSecrets(relative: string): boolean {
  const segments = relative.toLowerCase().split("/");
  const name = segments.at(-1) ?? "";
  return (
    SECRET_NAMES.has(name) ||
    SECRET_PATTERNS.some((pattern) => pattern.test(name)) ||
    segments.slice(0, -1).some((folder) => SECRET_FOLDERS.has(folder))
  );
}

/** Whether a path is in what git keeps for itself: hooks there are run, and remotes may hold passwords. */
export function isInGitFolder(relative: string): boolean {
  return relative.toLowerCase().split("/").includes(".git");
}

/** Whether a file decides what the editor, git or a package manager runs: a change of it deserves a second look. */
export function configuresTools(relative: string): boolean {
  const lower = relative.toLowerCase();
  return (
    /(?:^|\/)(?:\.vscode|\.idea|\.devcontainer|\.husky|\.githooks|\.github\/workflows)\//.test(lower) ||
    /(?:^|\/)(?:package\.json|makefile|\.gitattributes|\.gitmodules|[^/]*\.code-workspace)$/.test(lower)
  );
}

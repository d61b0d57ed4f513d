/** Protocol for code blocks in answers, and for the files that answers name. */

/** Host -> webview: the requested names that are in the workspace. */
export interface CodeToView {
  readonly kind: "files";
  readonly paths: readonly string[];
}

/** Per `findFiles`. */
export const MAX_FILE_NAMES = 60;
/** In UTF-16 units. */
export const MAX_PATH_LENGTH = 400;
/** In UTF-16 units. */
export const MAX_CODE_LENGTH = 1_000_000;

const SHELLS = /^(?:bash|batch?|cmd|console|fish|powershell|ps1|pwsh|sh|shell|shellsession|terminal|zsh)$/i;

export function isDiagram(language: string): boolean {
  return language.toLowerCase() === "mermaid";
}

export function isForShell(language: string): boolean {
  return SHELLS.test(language);
}

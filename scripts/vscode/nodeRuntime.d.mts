export const testDirectory: string;
export const scriptsNode: string;
export function ensureNode(version: string): string;
export function installFolder(folder: string, fill: (partial: string) => void): void;
export function npmInstall(folder: string, dependencies?: Readonly<Record<string, string>>): void;

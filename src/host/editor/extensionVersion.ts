import type * as vscode from "vscode";

/** The version in the extension's manifest. */
export function extensionVersion({ packageJSON }: vscode.Extension<unknown>): string {
  const manifest: unknown = packageJSON;
  return typeof manifest === "object" && manifest !== null && "version" in manifest
    ? String(manifest.version)
    : "unknown";
}

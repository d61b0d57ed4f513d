import { readdir } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { systemErrorCode } from "../../adapters/node/files.ts";
import { thrownText } from "../../core/errors.ts";
import { parseConversationId } from "../../core/ids.ts";
import { Log } from "./log.ts";
import { Secrets } from "./secrets.ts";
import { logStart } from "./logStart.ts";
import { extensionVersion } from "./extensionVersion.ts";

/** Creates the log, and writes its first lines asynchronously. */
export function createLog(context: vscode.ExtensionContext): Log {
  const log = new Log();
  logStartFacts(log, context).catch((error: unknown) => {
    log.error(thrownText(error));
  });
  return log;
}

async function logStartFacts(
  log: Log,
  { extension, globalStorageUri, secrets }: vscode.ExtensionContext,
): Promise<void> {
  const { appName, appHost, remoteName } = vscode.env;
  const storage = globalStorageUri.fsPath;
  logStart(log, {
    forge: extensionVersion(extension),
    editor: `${appName} ${vscode.version}`,
    host: `${appHost}, ${remoteName ?? "local"}`,
    node: process.version,
    system: `${process.platform} ${process.arch}`,
    folderCount: vscode.workspace.workspaceFolders?.length ?? 0,
    isTrusted: vscode.workspace.isTrusted,
    storage,
    conversations: await countConversations(path.join(storage, "conversations")),
    trash: await countConversations(path.join(storage, "trash")),
    keyOrigins: await new Secrets(secrets).origins(),
  });
}

/** The number, or why it is unknown. */
async function countConversations(folder: string): Promise<string> {
  try {
    return String((await readdir(folder)).filter((name) => parseConversationId(name) !== undefined).length);
  } catch (error) {
    return systemErrorCode(error) === "ENOENT" ? "0" : thrownText(error);
  }
}

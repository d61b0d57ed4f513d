/** Conversations of a window as opened by the host: real files, the real worker, and a fixed answer. */

import { randomUUID } from "node:crypto";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { buildRanks } from "../../../scripts/buildRanks.mjs";
import { systemClock } from "../../../src/adapters/node/clock.ts";
import type { Project } from "../../../src/core/history/project.ts";
import { modelId } from "../../../src/core/ids.ts";
import { ModelSpeeds } from "../../../src/core/models/modelSpeeds.ts";
import { ModelRegistry } from "../../../src/core/models/modelRegistry.ts";
import type { Connection } from "../../../src/host/connections/connections.ts";
import { Conversations } from "../../../src/host/conversations/conversations.ts";
import { CalibrationFile } from "../../../src/host/connections/calibrationFile.ts";
import { ActiveSession } from "../../../src/host/session/activeSession.ts";
import { SessionOpener } from "../../../src/host/session/sessionOpener.ts";
import { readSettings } from "../../../src/host/editor/settings.ts";
import type { Presenter } from "../../../src/host/view/presenter.ts";
import type { ViewState } from "../../../src/protocol/toView.ts";
import { saying, scriptedProvider } from "../models/scriptedProvider.ts";
import { SQL_JS_FILE, WORKER_FILE } from "../storage/sqliteStore.ts";
import { summarizersOf } from "../models/summarizersOf.ts";
import { quietPresenter } from "../quietAround.ts";

export interface OpenedWindow {
  readonly conversations: Conversations;
  readonly presenter: Presenter;
  readonly shown: () => ViewState;
}

/** Writes the files that Forge loads by path into `dist`. The worker runs from its source. */
export async function buildDist(dist: string): Promise<void> {
  mkdirSync(dist, { recursive: true });
  await buildRanks(path.join(dist, "ranks"));
  const folder = path.dirname(SQL_JS_FILE);
  for (const name of ["sql-wasm-debug.js", "sql-wasm-debug.wasm"])
    copyFileSync(path.join(folder, name), path.join(dist, name));
  writeFileSync(path.join(dist, "storageWorker.cjs"), `import(${JSON.stringify(pathToFileURL(WORKER_FILE).href)});\n`);
}

export interface WindowSetup {
  readonly storage: string;
  readonly dist: string;
  /** Resolves the connection on each request; by default always `usual`. */
  readonly resolve?: (usual: Connection) => Promise<Connection>;
  /** The projects that are open now; none by default. */
  readonly projects?: () => readonly Project[];
}

/** Opens a window of the user with the files in `storage`, without a conversation. */
export function openWindow({
  storage,
  dist,
  resolve = (usual) => Promise.resolve(usual),
  projects = () => [],
}: WindowSetup): OpenedWindow {
  const provider = scriptedProvider(...Array.from({ length: 100 }, () => saying("Because.")));
  const model = modelId("claude-haiku-4-5");
  const connection: Connection = {
    providerName: "anthropic",
    provider,
    model,
    isLanguageModel: true,
    why: "Picked for this conversation",
  };
  const presenter = quietPresenter();
  const connections = {
    resolve: () => resolve(connection),
    connect: () => Promise.resolve(connection),
    rememberChoice: () => undefined,
    askIfRestarted: () => Promise.resolve(false),
    ...summarizersOf(),
  };
  const active = new ActiveSession();
  const opener = new SessionOpener({
    dist,
    clock: systemClock,
    newUuid: randomUUID,
    registry: new ModelRegistry(),
    speeds: new ModelSpeeds(),
    connections,
    settings: { current: readSettings(() => undefined, {}) },
    rules: { files: () => Promise.resolve([]) },
    log: { info: () => undefined },
    projects: { current: () => Promise.resolve(projects()) },
    tools: {
      createConversationTools: () => [],
      extensionTools: () => [],
      isTrusted: () => true,
      readsOnlyConversation: () => true,
      isAvailable: () => true,
      isUseless: () => false,
      supportsTools: () => true,
      forgetRefusal: () => undefined,
      noteRefusal: () => undefined,
      alwaysAllowed: () => [],
      allowAlways: () => Promise.resolve(),
      revokeAlwaysAllowed: () => Promise.resolve(),
    },
    counting: new CalibrationFile(storage, { info: () => undefined }),
    view: presenter,
    reportBug: (error) => {
      throw error;
    },
  });
  presenter.onDidUpdate(() => {
    active.noteChange();
  });
  const conversations = new Conversations(
    { storage, dist, workspace: "" },
    active,
    opener,
    connections,
    presenter,
    systemClock,
    randomUUID,
    { error: () => undefined, info: () => undefined },
  );
  return { conversations, presenter, shown: () => presenter.snapshot() };
}

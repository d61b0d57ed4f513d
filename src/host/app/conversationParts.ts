/** The conversation of a window: who answers in it, what is shown of it, and how one is opened. */

import { randomUUID } from "node:crypto";
import { systemClock } from "../../adapters/node/clock.ts";
import { countDraft } from "../chat/draftTokens.ts";
import { openedNotes } from "../commands/openedNotes.ts";
import { WalkthroughProgress } from "../commands/walkthroughProgress.ts";
import { createContextWorld, type ContextWorld } from "../context/contextWorld.ts";
import { Conversations } from "../conversations/conversations.ts";
import { chatFont } from "../editor/chatFont.ts";
import { WorkspaceRules } from "../ruleFiles/workspaceRules.ts";
import { createConnectionWorld, type ConnectionWorld } from "../session/connectionWorld.ts";
import { LearnedCounting } from "../session/learnedCounting.ts";
import { OutOfSight } from "../session/outOfSight.ts";
import { Presenter } from "../session/presenter.ts";
import { SessionOpener } from "../session/sessionOpener.ts";
import { createToolWorld } from "../session/toolWorld.ts";
import type { WindowWorld } from "./windowWorld.ts";

/** What stands around the open conversation. */
export interface ConversationParts {
  readonly connections: ConnectionWorld;
  readonly contextView: ContextWorld;
  readonly presenter: Presenter;
  readonly counting: LearnedCounting;
  readonly conversations: Conversations;
}

/** Puts the parts together; they know each other, so each asks for the others when it needs them. Opens nothing. */
export function createConversationParts(window: WindowWorld): ConversationParts {
  const { storage, workspace, log, bug, emit } = window;
  const settings = window.settings.current;
  const connections = createConnectionWorld({
    secrets: window.secrets,
    storage: window.memento,
    folder: storage,
    registry: window.registry,
    opened: () => conversations.session?.opened,
    settings,
    reconnect: () => conversations.reconnect(),
    changed: () => {
      presenter.update();
    },
    showBanner: (banner) => {
      presenter.showBanner(banner);
    },
    log,
    bug,
  });
  const contextView = createContextWorld(
    { settings, emit, bug },
    { session: () => conversations.session, draftTokens: () => presenter.draftTokens },
  );
  const presenter: Presenter = createPresenter(window, connections, contextView);
  const counting = new LearnedCounting({ storage, note: (line) => log.info(line) });
  const outOfSight = new OutOfSight(window.views);
  presenter.events.on("updated", (session) => {
    conversations.noteChange();
    outOfSight.note(session);
  });
  const conversations: Conversations = new Conversations({
    storage,
    workspace,
    clock: systemClock,
    newUuid: randomUUID,
    opener: createOpener(window, { connections, presenter, counting }),
    connections: connections.connections,
    presenter,
    log,
  });
  return { connections, contextView, presenter, counting, conversations };
}

function createPresenter(
  { emit, log, statusBar, views, bug }: WindowWorld,
  { connections, providers, found }: ConnectionWorld,
  { contextPage }: ContextWorld,
): Presenter {
  const pages = { emit, refresh: views.refresh, setTitle: views.setTitle, setWaiting: views.setWaiting };
  const presenter = new Presenter(pages, statusBar, contextPage, {
    get font() {
      return chatFont();
    },
    get waysOut() {
      return { editorModels: providers.editorModels, servers: found.shown };
    },
    unreachable: (connection) => connections.unanswered(connection),
  });
  presenter.events.on("shown", (session) => void countDraft(session, presenter).catch(bug));
  presenter.events.on("updated", openedNotes(log, new WalkthroughProgress().note));
  return presenter;
}

function createOpener(
  { dist, registry, settings, memento, tools, bug }: WindowWorld,
  parts: Pick<ConversationParts, "connections" | "presenter" | "counting">,
): SessionOpener {
  return new SessionOpener({
    counting: parts.counting,
    connections: parts.connections.connections,
    dist,
    clock: systemClock,
    newUuid: randomUUID,
    registry,
    settings,
    rules: new WorkspaceRules(() => settings.current().workspaceRules),
    tools: createToolWorld(memento, tools, parts.connections),
    view: parts.presenter,
    reportBug: bug,
  });
}

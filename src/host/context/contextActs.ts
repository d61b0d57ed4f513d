/** What the reader does in the context view, done. */

import type { Clock } from "../../core/clock.ts";
import { assertNever } from "../../core/result.ts";
import type { ContextAsk } from "../../protocol/contextView.ts";
import type { ToViewBody } from "../../protocol/toView.ts";
import { localize } from "../../protocol/localize.ts";
import { explain } from "../words/explain.ts";
import { tellFailure } from "../words/tellFailure.ts";
import { pickModelToLookAt, type ModelPickerWorld } from "../pickers/modelPicker.ts";
import type { ReadOnlyDocuments } from "../view/readOnlyDocuments.ts";
import { revealSummary } from "../session/revealMessage.ts";
import type { Session } from "../session/session.ts";
import type { Settings } from "../editor/settings.ts";
import { chooseStrategy } from "../pickers/strategyChoice.ts";
import { pickStrategyToLookAt } from "../pickers/strategyPicker.ts";
import { showUsageMenu, type UsageMenuWorld } from "../pickers/usageMenu.ts";
import type { ContextPage } from "./contextPage.ts";
import { setLeftOut } from "./leavingOut.ts";
import { nextRequestJson } from "./nextRequest.ts";
import { setPinned } from "./pinning.ts";

/** What the acts work with. */
export interface ContextActsWorld extends ModelPickerWorld, UsageMenuWorld {
  readonly contextPage: ContextPage;
  readonly documents: ReadOnlyDocuments;
  readonly settings: () => Settings;
  readonly clock: Clock;
  readonly emit: (body: ToViewBody) => void;
}

/** Does what `ask` says in the open conversation. */
export async function contextAct(ask: ContextAsk, session: Session, world: ContextActsWorld): Promise<void> {
  const { contextPage: page, documents, presenter } = world;
  switch (ask.what) {
    case "open":
      return page.open();
    case "close":
      page.close();
      return;
    case "items":
      return page.unfold(ask.part, ask.count);
    case "pin":
      await setPinned(session, { id: ask.messageId, pinned: ask.pinned }, (banner) => {
        presenter.showBanner(banner);
      });
      return;
    case "leaveOut":
      await setLeftOut(session, { ...ask, part: ask.index }, (banner) => {
        presenter.showBanner(banner);
      });
      return;
    case "text": {
      const found = page.textOf(ask.part, ask.itemId);
      if (found !== undefined) await documents.show(found);
      return;
    }
    case "summary": {
      page.close();
      const revealed = await revealSummary(session, { summaryId: ask.summaryId, before: ask.before }, world.emit);
      tellFailure(revealed, presenter);
      return;
    }
    case "request":
      return showRequest(session, world);
    case "tryModel": {
      const connection = await pickModelToLookAt(session, world);
      if (connection !== undefined) await page.try({ ...page.trial, connection });
      return;
    }
    case "tryStrategy": {
      const policy = await pickStrategyToLookAt((await page.managerOf(session)).policy);
      world.answered();
      if (policy !== undefined) await page.try({ ...page.trial, policy });
      return;
    }
    case "tryNothing":
      return page.try({});
    case "useTrial": {
      const { connection, policy } = page.trial;
      await page.try({});
      if (connection !== undefined) await session.switchModel(connection);
      if (policy !== undefined) {
        await chooseStrategy(session, policy, (banner) => {
          presenter.showBanner(banner);
        });
      }
      return;
    }
    case "menu":
      return showUsageMenu(session, world);
    default:
      assertNever(ask);
  }
}

async function showRequest(session: Session, world: ContextActsWorld): Promise<void> {
  const connection = world.contextPage.trial.connection ?? session.connection;
  const json = await nextRequestJson({
    manager: await world.contextPage.managerOf(session),
    store: session.opened.store,
    connection,
    draft: session.composer.text,
    countTokens: (message) => session.tools.countsOf(message),
    nowMs: world.clock.nowMs(),
  });
  if (json.ok)
    await world.documents.show({
      name: localize("Next request to {0}.json", nameOf(connection.model)),
      text: json.value,
    });
  else world.presenter.showBanner(explain(json.error, connection.provider.label));
}

/** A model's name may hold slashes, which would be folders. */
function nameOf(model: string): string {
  return model.replaceAll("/", " ");
}

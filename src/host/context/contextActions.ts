import { assertNever } from "../../core/result.ts";
import type { ContextAsk } from "../../protocol/contextView.ts";
import { localize } from "../../protocol/localize.ts";
import { explain } from "../words/explain.ts";
import { tellFailure } from "../words/tellFailure.ts";
import type { ModelPicker } from "../pickers/modelPicker.ts";
import type { ReadOnlyDocuments } from "../view/readOnlyDocuments.ts";
import { revealSummary } from "../view/revealMessage.ts";
import type { Session } from "../session/session.ts";
import type { ModelServices } from "../connections/modelServices.ts";
import type { CommandRunner } from "../editor/commandIds.ts";
import type { Keyboard } from "../editor/keyboard.ts";
import type { Presenter } from "../view/presenter.ts";
import type { ChatViews } from "../view/chatViews.ts";
import { chooseStrategy } from "../pickers/strategyChoice.ts";
import { pickStrategyToLookAt } from "../pickers/strategyPicker.ts";
import { showUsageMenu } from "../pickers/usageMenu.ts";
import type { ContextPage } from "./contextPage.ts";
import { nextRequestJson } from "./nextRequest.ts";

/** Executes the actions of the context view. */
export class ContextActions {
  readonly #page: ContextPage;
  readonly #models: ModelServices;
  readonly #modelPicker: ModelPicker;
  readonly #presenter: Presenter;
  readonly #documents: ReadOnlyDocuments;
  readonly #views: ChatViews;
  readonly #commands: CommandRunner;
  readonly #keyboard: Keyboard;

  constructor(
    page: ContextPage,
    models: ModelServices,
    modelPicker: ModelPicker,
    presenter: Presenter,
    documents: ReadOnlyDocuments,
    views: ChatViews,
    commands: CommandRunner,
    keyboard: Keyboard,
  ) {
    this.#page = page;
    this.#models = models;
    this.#modelPicker = modelPicker;
    this.#presenter = presenter;
    this.#documents = documents;
    this.#views = views;
    this.#commands = commands;
    this.#keyboard = keyboard;
  }

  async handle(ask: ContextAsk, session: Session): Promise<void> {
    const [page, documents, presenter] = [this.#page, this.#documents, this.#presenter];
    switch (ask.what) {
      case "open":
        return page.open();
      case "close":
        page.close();
        return;
      case "items":
        return page.unfold(ask.part, ask.count);
      case "pin":
        return session.actions.setPinned(ask.messageId, ask.pinned);
      case "leaveOut":
        return session.actions.setExcluded(ask.messageId, ask.index, ask.leftOut);
      case "text": {
        const found = page.textOf(ask.part, ask.itemId);
        if (found !== undefined) await documents.show(found);
        return;
      }
      case "summary": {
        page.close();
        const revealed = await revealSummary(
          session,
          { summaryId: ask.summaryId, before: ask.before },
          this.#views.post,
        );
        tellFailure(revealed, presenter);
        return;
      }
      case "request":
        return this.#showRequest(session);
      case "tryModel": {
        const connection = await this.#modelPicker.pickToLookAt(session);
        if (connection !== undefined) await page.try({ ...page.trial, connection });
        return;
      }
      case "tryStrategy": {
        const policy = await pickStrategyToLookAt((await page.managerOf(session)).policy);
        this.#keyboard.answered();
        if (policy !== undefined) await page.try({ ...page.trial, policy });
        return;
      }
      case "tryNothing":
        return page.try({});
      case "useTrial": {
        const { connection, policy } = page.trial;
        await page.try({});
        if (connection !== undefined) await session.switchModel(connection);
        if (policy !== undefined) await chooseStrategy(session, policy);
        return;
      }
      case "menu":
        return showUsageMenu(session, this.#models, this.#commands, this.#keyboard);
      default:
        assertNever(ask);
    }
  }

  async #showRequest(session: Session): Promise<void> {
    const connection = this.#page.trial.connection ?? session.connection;
    const json = await nextRequestJson({
      manager: await this.#page.managerOf(session),
      store: session.opened.store,
      connection,
      draft: session.composer.text,
      countTokens: (message) => session.tools.countsOf(message),
      nowMs: Date.now(),
    });
    if (json.ok)
      await this.#documents.show({
        name: localize("Next request to {0}.json", nameOf(connection.model)),
        text: json.value,
      });
    else this.#presenter.showBanner(explain(json.error, connection.provider.label));
  }
}

/** Slashes in a model's name would become folders. */
function nameOf(model: string): string {
  return model.replaceAll("/", " ");
}

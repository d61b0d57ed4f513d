import { modelName } from "../../core/models/modelName.ts";
import type { ContextAction } from "../../protocol/toHost.ts";
import { assertNever } from "../../core/result.ts";
import { localize } from "../../protocol/localize.ts";
import { explain } from "../words/explain.ts";
import { showFailureIn } from "../words/showFailureIn.ts";
import type { ModelPicker } from "../pickers/modelPicker.ts";
import type { ReadOnlyDocuments } from "../view/readOnlyDocuments.ts";
import { revealSummary } from "../view/revealMessage.ts";
import type { Session } from "../session/session.ts";
import type { ModelServices } from "../connections/modelServices.ts";
import type { CommandRunner } from "../editor/commandIds.ts";
import type { ReplicaControl } from "../replica/replicaControl.ts";
import type { CommandFocus } from "../editor/commandFocus.ts";
import type { Presenter } from "../view/presenter.ts";
import type { ChatViews } from "../view/chatViews.ts";
import { chooseStrategy } from "../pickers/strategyChoice.ts";
import { pickStrategyForPreview } from "../pickers/strategyPicker.ts";
import { showUsageMenu } from "../pickers/usageMenu.ts";
import type { ContextPresenter } from "./contextPresenter.ts";
import { nextRequestJson } from "./nextRequest.ts";

/** Executes the actions of the context view. */
export class ContextActions {
  readonly #page: ContextPresenter;
  readonly #models: ModelServices;
  readonly #modelPicker: ModelPicker;
  readonly #presenter: Presenter;
  readonly #documents: ReadOnlyDocuments;
  readonly #views: ChatViews;
  readonly #commands: CommandRunner;
  readonly #replica: Pick<ReplicaControl, "status">;
  readonly #keyboard: CommandFocus;

  constructor(
    page: ContextPresenter,
    models: ModelServices,
    modelPicker: ModelPicker,
    presenter: Presenter,
    documents: ReadOnlyDocuments,
    views: ChatViews,
    commands: CommandRunner,
    replica: Pick<ReplicaControl, "status">,
    keyboard: CommandFocus,
  ) {
    this.#page = page;
    this.#models = models;
    this.#modelPicker = modelPicker;
    this.#presenter = presenter;
    this.#documents = documents;
    this.#views = views;
    this.#commands = commands;
    this.#replica = replica;
    this.#keyboard = keyboard;
  }

  async handle(ask: ContextAction, session: Session): Promise<void> {
    const [page, documents, presenter] = [this.#page, this.#documents, this.#presenter];
    switch (ask.what) {
      case "open":
        return page.open();
      case "close":
        page.close();
        return;
      case "items":
        return page.expand(ask.part, ask.count);
      case "pin":
        return session.actions.setPinned(ask.messageId, ask.pinned);
      case "exclude":
        return session.actions.setExcluded(ask.messageId, ask.index, ask.isExcluded);
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
        showFailureIn(revealed, presenter);
        return;
      }
      case "request":
        return this.#showRequest(session);
      case "tryModel": {
        const connection = await this.#modelPicker.pickForPreview(session);
        if (connection !== undefined) await page.setTrial({ ...page.trial, connection });
        return;
      }
      case "tryStrategy": {
        const policy = await pickStrategyForPreview((await page.managerFor(session)).policy);
        this.#keyboard.afterPrompt();
        if (policy !== undefined) await page.setTrial({ ...page.trial, policy });
        return;
      }
      case "tryNothing":
        return page.setTrial({});
      case "useTrial": {
        const { connection, policy } = page.trial;
        await page.setTrial({});
        if (connection !== undefined) await session.switchModel(connection);
        if (policy !== undefined) await chooseStrategy(session, policy);
        return;
      }
      case "menu":
        return showUsageMenu(session, this.#models, this.#commands, this.#replica, this.#keyboard);
      default:
        assertNever(ask);
    }
  }

  async #showRequest(session: Session): Promise<void> {
    const connection = this.#page.trial.connection ?? session.connection;
    const json = await nextRequestJson({
      manager: await this.#page.managerFor(session),
      store: session.opened.store,
      connection,
      draft: session.composer.text,
      countTokens: (message) => session.tools.countsOf(message),
      nowMs: Date.now(),
    });
    if (json.ok)
      await this.#documents.show({
        name: localize("Next request to {0}.json", nameOf(modelName(connection.model))),
        text: json.value,
      });
    else this.#presenter.showBanner(explain(json.error, connection.provider.label));
  }
}

/** Slashes in a model's name would become folders. */
function nameOf(model: string): string {
  return model.replaceAll("/", " ");
}

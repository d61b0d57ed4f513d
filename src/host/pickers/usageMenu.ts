import { modelName } from "../../core/models/modelName.ts";
import * as vscode from "vscode";
import { localize } from "../../protocol/localize.ts";
import type { Session } from "../session/session.ts";
import { budgetLine, certaintyOf, usageLines } from "../view/sessionStatus.ts";
import type { ModelServices } from "../connections/modelServices.ts";
import type { CommandId, CommandRunner } from "../editor/commandIds.ts";
import type { ReplicaControl } from "../replica/replicaControl.ts";
import type { CommandFocus } from "../editor/commandFocus.ts";
import { nameInList } from "../tools/hiddenText.ts";
import { formatUsage } from "../words/formatting.ts";
import { spendingLines } from "../connections/spendingText.ts";
import { STRATEGY_LABELS } from "../words/strategyNames.ts";
import { conversationStrategy } from "./strategyChoice.ts";
import { pickStrategy } from "./strategyPicker.ts";
import { toolsText } from "./toolTexts.ts";
import { pickGenerationOption, generationOptionText, type OptionName } from "./generationOptionsPicker.ts";
import { inList } from "../editor/boxes/inList.ts";

interface MenuItem extends vscode.QuickPickItem {
  readonly command?: CommandId;
  readonly picksStrategy?: true;
  readonly generationOption?: OptionName;
}

/** None where conversations are kept on this machine alone. */
async function replicaItems({ status }: Pick<ReplicaControl, "status">): Promise<readonly MenuItem[]> {
  if (status.state === "off") return [];
  const { statusLine } = await import("../replica/statusTexts.ts");
  return [
    {
      label: `$(vm-connect) ${localize("Conversations on several machines")}`,
      description: statusLine(status, Date.now()),
      command: "forge.setUpReplica",
    },
  ];
}

/** The figures of the open conversation, with commands that change what fills its context. */
export async function showUsageMenu(
  session: Session,
  models: Pick<ModelServices, "settings" | "spending" | "connections">,
  commands: CommandRunner,
  replica: Pick<ReplicaControl, "status">,
  keyboard: CommandFocus,
): Promise<void> {
  const { spending } = models;
  const settings = models.settings.current;
  const { manager } = session.opened;
  const usage = manager.usage();
  const interrupted = session.recoverableCount;
  const strategy = STRATEGY_LABELS[manager.policy];
  const items: MenuItem[] = [
    { label: localize("What to do"), kind: vscode.QuickPickItemKind.Separator },
    {
      label: `$(fold) ${localize("Summarize context")}`,
      description: localize("Make room now; the originals are kept"),
      command: "forge.summarizeContext",
    },
    {
      label: `$(server-environment) ${localize("Switch model")}`,
      description: `${nameInList(modelName(session.connection.model))} · ${session.connection.why}`,
      command: "forge.switchModel",
    },
    {
      label: `$(layers) ${localize("Strategy")}`,
      description: conversationStrategy(session) === "" ? strategy : localize("{0}, for this conversation", strategy),
      picksStrategy: true,
    },
    {
      label: `$(book) ${localize("Model for summaries")}`,
      description: nameInList(modelName(models.connections.summarizerModel(session.connection))),
      command: "forge.chooseSummarizer",
    },
    {
      label: `$(lightbulb) ${localize("Reasoning effort")}`,
      description: generationOptionText("reasoningEffort", manager.history, settings),
      generationOption: "reasoningEffort",
    },
    {
      label: `$(list-flat) ${localize("Answer length")}`,
      description: generationOptionText("answerLength", manager.history, settings),
      generationOption: "answerLength",
    },
    {
      label: `$(tools) ${localize("Tools")}`,
      description: toolsText(session.tools, session.connection.model, vscode.workspace.isTrusted),
      command: "forge.chooseTools",
    },
    {
      label: `$(history) ${localize("Recover")}`,
      description:
        interrupted === 0 ? localize("No interrupted answer") : localize("An interrupted answer waits for you"),
      command: "forge.recover",
    },
    { label: `$(comment-discussion) ${localize("Conversations")}`, command: "forge.openConversation" },
    ...(await replicaItems(replica)),
    { label: localize("What fills the context: {0}", formatUsage(usage)), kind: vscode.QuickPickItemKind.Separator },
    ...usageLines(usage).map((label) => ({ label: `$(circle-small-filled) ${label}` })),
    { label: `$(circle-small-filled) ${budgetLine(manager)}` },
    { label: localize("What it costs"), kind: vscode.QuickPickItemKind.Separator },
    ...spendingLines(manager.history.spending.total, await spending.spentSoFar(), settings.spending).map((label) => ({
      label: `$(circle-small-filled) ${label}`,
    })),
  ];
  const picked = await vscode.window.showQuickPick(inList(items), {
    title: localize("Forge: Context"),
    placeHolder: `${formatUsage(usage)}. ${certaintyOf(usage)}`,
  });
  if (picked?.picksStrategy === true) await pickStrategy(session, settings, keyboard);
  else if (picked?.generationOption !== undefined)
    await pickGenerationOption(picked.generationOption, session, settings, keyboard);
  else if (picked?.command !== undefined) await commands.run(picked.command);
  else keyboard.afterPrompt();
}

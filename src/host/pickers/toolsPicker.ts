/**
 * `Forge: Choose Tools`: the tools of this conversation, the tools of extensions that models may call, and the saved
 * approvals, which can be revoked here.
 */

import * as vscode from "vscode";
import { isAutomatic } from "../../core/tools/approvals.ts";
import type { Tool } from "../../core/tools/tool.ts";
import { localize } from "../../protocol/localize.ts";
import { isolatedProse } from "../../protocol/rightToLeft.ts";
import type { BugReporter } from "../editor/bugReporter.ts";
import type { CommandFocus } from "../editor/commandFocus.ts";
import type { Session } from "../session/session.ts";
import { NO_TOOLS_TEXTS, RULE_TEXTS } from "./toolTexts.ts";
import { enabledEditorToolNames, enableEditorTools } from "../tools/editor/editorToolSetting.ts";
import { approvalNameOf, approvedToolName, availableEditorTools } from "../tools/editor/editorTools.ts";
import { limitWords } from "../tools/folderLimits.ts";
import { nameInList, onOneLine } from "../tools/hiddenText.ts";
import { inList } from "../editor/boxes/inList.ts";

interface ToolItem extends vscode.QuickPickItem {
  /**
   * `own`: a tool of Forge, for this conversation. `editor`: an extension's. `allowed`: has an approval, but is missing
   * now.
   */
  readonly from?: "own" | "editor" | "allowed";
  readonly name?: string;
}

const ASK_AGAIN: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("discard"),
  tooltip: localize("Ask again"),
};

/** `session` is absent when no conversation is open. */
export async function pickTools(
  session: Session | undefined,
  keyboard: CommandFocus,
  bugs: BugReporter,
): Promise<void> {
  const picker = vscode.window.createQuickPick<ToolItem>();
  picker.title = localize("Forge: Choose Tools");
  picker.placeholder = placeholderOf(session);
  picker.canSelectMany = true;
  picker.matchOnDescription = true;
  const enabled = enabledEditorToolNames();
  const show = (): void => {
    picker.items = inList([...ownItems(session), ...editorItems(session, enabled), ...allowedItems(session)]);
  };
  show();
  picker.selectedItems = picker.items.filter(({ picked }) => picked === true);
  const chosen = await new Promise<readonly ToolItem[] | undefined>((resolve) => {
    picker.onDidTriggerItemButton(({ item: { from, name } }) => {
      if (session === undefined || name === undefined) return;
      const keys = new Set(picker.selectedItems.map(keyOf));
      session.tools.rules
        .revokeApproval(from === "editor" ? approvalNameOf(name) : (permissionOf(session, name) ?? name))
        .then(() => {
          show();
          picker.selectedItems = picker.items.filter((item) => keys.has(keyOf(item)));
        })
        .catch(bugs.report);
    });
    picker.onDidAccept(() => {
      resolve(picker.selectedItems);
      picker.hide();
    });
    picker.onDidHide(() => {
      resolve(undefined);
      picker.dispose();
    });
    picker.show();
  });
  keyboard.afterPrompt();
  if (chosen === undefined) return;
  const names = (from: ToolItem["from"]): readonly string[] =>
    chosen.flatMap((item) => (item.from === from && item.name !== undefined ? [item.name] : []));
  const editor = names("editor");
  const isSame = editor.length === enabled.length && editor.every((name) => enabled.includes(name));
  if (!isSame) await enableEditorTools(editor);
  if (session === undefined) return;
  await session.tools.enableOnly(new Set(names("own")));
  const kept = names("allowed");
  for (const { name } of allowedItems(session)) {
    if (name !== undefined && !kept.includes(name)) await session.tools.rules.revokeApproval(name);
  }
}

function placeholderOf(session: Session | undefined): string {
  const none = session?.tools.unavailableReason;
  if (session === undefined || none === undefined) return localize("What is not checked is not offered to the model");
  return NO_TOOLS_TEXTS[none](session.connection.model);
}

function ownItems(session: Session | undefined): readonly ToolItem[] {
  if (session === undefined) return [];
  const { builtIn, rules } = session.tools;
  const items = builtIn.map((tool): ToolItem => {
    const { name } = tool.definition;
    return { from: "own", name, label: name, picked: rules.isEnabled(name), ...ruleOf(session, tool) };
  });
  return [
    { label: localize("Forge's tools, in this conversation"), kind: vscode.QuickPickItemKind.Separator },
    ...items,
  ];
}

function editorItems(session: Session | undefined, enabled: readonly string[]): readonly ToolItem[] {
  const offered = availableEditorTools();
  const there = new Set(offered.map(({ name }) => name));
  const items = [
    ...offered.map(({ name, description }): ToolItem => {
      const detail = isolatedProse(onOneLine(description.replaceAll(/\s+/g, " "), 160));
      const usual = vscode.workspace.isTrusted ? RULE_TEXTS.asks : RULE_TEXTS.untrusted;
      const rule = session === undefined ? {} : rememberedRule(session, approvalNameOf(name), usual);
      return {
        from: "editor",
        name,
        label: nameInList(name),
        detail,
        picked: enabled.includes(name),
        ...rule,
      };
    }),
    ...enabled
      .filter((name) => !there.has(name))
      .map((name): ToolItem => ({
        from: "editor",
        name,
        label: nameInList(name),
        description: localize("not there now"),
        picked: true,
      })),
  ];
  if (items.length === 0) return [];
  const label = localize("Tools of extensions and MCP servers, in every conversation");
  return [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
}

/** Approved tools that are in no other list. */
function allowedItems(session: Session | undefined): readonly ToolItem[] {
  if (session === undefined) return [];
  const { builtIn, rules } = session.tools;
  const listed = new Set([
    ...builtIn.flatMap(({ definition, permission }) => [definition.name, permission]),
    ...availableEditorTools().map(({ name }) => approvalNameOf(name)),
  ]);
  const items = rules.remembered
    .filter(({ name }) => !listed.has(name))
    .map(({ name }): ToolItem => ({
      from: "allowed",
      name,
      label: nameInList(approvedToolName(name)),
      picked: true,
      ...rememberedRule(session, name, ""),
    }));
  return items.length === 0
    ? []
    : [{ label: localize("Also allowed"), kind: vscode.QuickPickItemKind.Separator }, ...items];
}

/** What happens when the model calls the tool, with a button that revokes a saved approval. */
function ruleOf(session: Session, tool: Tool): Pick<ToolItem, "description" | "buttons"> {
  const situation = session.tools.rules.situationOf(tool);
  const { effect, isTrusted, readsOnlyConversation } = situation;
  if (readsOnlyConversation) return recallRule(session, tool);
  const limit = limitWords(tool.definition.name);
  const does = [RULE_TEXTS.effects[effect], ...(limit === undefined ? [] : [limit])].join(", ");
  if (!session.tools.isUsableHere(tool))
    return { description: `${does}, ${localize("not offered while no folder is open")}` };
  if (effect !== "reads" && !isTrusted) return { description: `${does}, ${RULE_TEXTS.untrusted}` };
  const rule = isAutomatic(situation) ? RULE_TEXTS.byItself : RULE_TEXTS.asks;
  const { description = "", ...rest } = rememberedRule(session, tool.definition.name, rule);
  return { description: `${does}, ${description}`, ...rest };
}

/** This conversation is always read; others by the permission that the user gave or refused. */
function recallRule(session: Session, { permission = "" }: Tool): Pick<ToolItem, "description" | "buttons"> {
  const { rules } = session.tools;
  const rule = rules.isRefused(permission)
    ? { description: RULE_TEXTS.refused, buttons: [ASK_AGAIN] }
    : rememberedRule(session, permission, RULE_TEXTS.asks);
  return { ...rule, description: localize("other conversations: {0}", rule.description ?? "") };
}

function rememberedRule(session: Session, name: string, otherwise: string): Pick<ToolItem, "description" | "buttons"> {
  const scope = session.tools.rules.approvedScope(name);
  if (scope === undefined) return { description: otherwise };
  return { description: RULE_TEXTS[scope], buttons: [ASK_AGAIN] };
}

/** Of a tool of Forge whose rule is about that, and not about the tool. */
function permissionOf({ tools }: Session, name: string): string | undefined {
  return tools.builtIn.find(({ definition }) => definition.name === name)?.permission;
}

function keyOf({ from, name }: ToolItem): string {
  return JSON.stringify([from, name]);
}

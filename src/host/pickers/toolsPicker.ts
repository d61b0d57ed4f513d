/**
 * `Forge: Choose Tools`: the tools of this conversation, the tools of extensions that models may call, and the saved
 * approvals, which can be revoked here.
 */

import * as vscode from "vscode";
import { isAutomatic } from "../../core/tools/approvals.ts";
import type { Tool } from "../../core/tools/tool.ts";
import { localize } from "../../protocol/localize.ts";
import type { BugReporter } from "../editor/bugReporter.ts";
import type { Keyboard } from "../editor/keyboard.ts";
import type { Session } from "../session/session.ts";
import { NO_TOOLS_WORDS, RULE_WORDS } from "./toolWords.ts";
import { enabledEditorToolNames, enableEditorTools } from "../tools/editor/enabledTools.ts";
import { offeredEditorTools } from "../tools/editor/editorTools.ts";
import { onOneLine } from "../tools/hiddenText.ts";

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
export async function pickTools(session: Session | undefined, keyboard: Keyboard, bugs: BugReporter): Promise<void> {
  const picker = vscode.window.createQuickPick<ToolItem>();
  picker.title = localize("Forge: Choose Tools");
  picker.placeholder = placeholderOf(session);
  picker.canSelectMany = true;
  picker.matchOnDescription = true;
  const enabled = enabledEditorToolNames();
  const show = (): void => {
    picker.items = [...ownItems(session), ...editorItems(session, enabled), ...allowedItems(session)];
  };
  show();
  picker.selectedItems = picker.items.filter(({ picked }) => picked === true);
  const chosen = await new Promise<readonly ToolItem[] | undefined>((resolve) => {
    picker.onDidTriggerItemButton(({ item: { name } }) => {
      if (session === undefined || name === undefined) return;
      const keys = new Set(picker.selectedItems.map(keyOf));
      session.tools.rules
        .forget(name)
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
  keyboard.answered();
  if (chosen === undefined) return;
  const names = (from: ToolItem["from"]): readonly string[] =>
    chosen.flatMap((item) => (item.from === from && item.name !== undefined ? [item.name] : []));
  const editor = names("editor");
  const isSame = editor.length === enabled.length && editor.every((name) => enabled.includes(name));
  if (!isSame) await enableEditorTools(editor);
  if (session === undefined) return;
  await session.tools.choose(new Set(names("own")));
  const kept = names("allowed");
  for (const { name } of allowedItems(session)) {
    if (name !== undefined && !kept.includes(name)) await session.tools.rules.forget(name);
  }
}

function placeholderOf(session: Session | undefined): string {
  const none = session?.tools.none;
  if (session === undefined || none === undefined) return localize("What is not checked is not offered to the model");
  return NO_TOOLS_WORDS[none](session.connection.model);
}

function ownItems(session: Session | undefined): readonly ToolItem[] {
  if (session === undefined) return [];
  const { own, rules } = session.tools;
  const items = own.map((tool): ToolItem => {
    const { name } = tool.definition;
    return { from: "own", name, label: name, picked: rules.isChosen(name), ...ruleOf(session, tool) };
  });
  return [
    { label: localize("Forge's tools, in this conversation"), kind: vscode.QuickPickItemKind.Separator },
    ...items,
  ];
}

function editorItems(session: Session | undefined, enabled: readonly string[]): readonly ToolItem[] {
  const offered = offeredEditorTools();
  const there = new Set(offered.map(({ name }) => name));
  const items = [
    ...offered.map(({ name, description }): ToolItem => {
      const detail = onOneLine(description.replaceAll(/\s+/g, " "), 160);
      const usual = vscode.workspace.isTrusted ? RULE_WORDS.asks : RULE_WORDS.untrusted;
      const rule = session === undefined ? {} : rememberedRule(session, name, usual);
      return { from: "editor", name, label: onOneLine(name), detail, picked: enabled.includes(name), ...rule };
    }),
    ...enabled
      .filter((name) => !there.has(name))
      .map((name): ToolItem => ({
        from: "editor",
        name,
        label: onOneLine(name),
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
  const { own, rules } = session.tools;
  const listed = new Set([
    ...own.map(({ definition }) => definition.name),
    ...offeredEditorTools().map(({ name }) => name),
  ]);
  const items = rules.remembered
    .filter(({ name }) => !listed.has(name))
    .map(({ name }): ToolItem => ({
      from: "allowed",
      name,
      label: onOneLine(name),
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
  const { effect, isTrusted, staysInConversation } = situation;
  if (staysInConversation) return { description: RULE_WORDS.recall };
  const does = RULE_WORDS.effects[effect];
  if (!session.tools.worksHere(tool))
    return { description: `${does}, ${localize("not offered while no folder is open")}` };
  if (effect !== "reads" && !isTrusted) return { description: `${does}, ${RULE_WORDS.untrusted}` };
  const rule = isAutomatic(situation) ? RULE_WORDS.byItself : RULE_WORDS.asks;
  const { description = "", ...rest } = rememberedRule(session, tool.definition.name, rule);
  return { description: `${does}, ${description}`, ...rest };
}

function rememberedRule(session: Session, name: string, otherwise: string): Pick<ToolItem, "description" | "buttons"> {
  const scope = session.tools.rules.rememberedFor(name);
  if (scope === undefined) return { description: otherwise };
  return { description: RULE_WORDS[scope], buttons: [ASK_AGAIN] };
}

function keyOf({ from, name }: ToolItem): string {
  return JSON.stringify([from, name]);
}

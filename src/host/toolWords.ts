/** What is said of tools outside the transcript: in menus, and where a conversation has none. */

import type { SessionTools, NoTools } from "./sessionTools.ts";

/** What happens when a model calls a tool. */
export const RULE_WORDS = {
  effects: { reads: "reads", writes: "changes files", runs: "runs something" },
  byItself: "runs by itself",
  asks: "asks first",
  always: "allowed in every conversation",
  conversation: "allowed in this conversation",
  recall: "reads this conversation only",
  untrusted: "not in a folder that you do not trust",
} as const;

/** Why a conversation has no tools, by the model's name. */
export const NO_TOOLS_WORDS: Readonly<Record<NoTools, (model: string) => string>> = {
  off: () => "Tools are off here. Check those to be used",
  offline: () => "No language model is connected, so nothing can call tools",
  model: (model) => `${model} can not call tools. OK offers them once more`,
};

/** "10 of 11", or why there are none, for the menu. */
export function toolsText({ none, own, offered }: SessionTools, model: string, isTrusted: boolean): string {
  if (none === "off") return "Off in this conversation";
  if (none === "offline") return "None: no language model is connected";
  if (none === "model") return `None: ${model} can not call tools`;
  const isAll = own.every((tool) => offered.includes(tool));
  const count = `${String(offered.length)} ${offered.length === 1 ? "tool is" : "tools are"} offered`;
  if (!isTrusted) return `${count}: only such as read, and each asks, in a folder that you do not trust`;
  return isAll ? count : `${count}, not all`;
}

/** Texts about tools for menus. */

import { modelName } from "../../core/models/modelName.ts";
import { localize, plural } from "../../protocol/localize.ts";
import type { SessionTools, ToolsUnavailableReason } from "../session/tools/sessionTools.ts";

export const RULE_TEXTS = {
  effects: {
    reads: localize("reads"),
    writes: localize("changes files"),
    runs: localize("runs something"),
  },
  byItself: localize("runs automatically"),
  asks: localize("asks first"),
  always: localize("allowed in every conversation"),
  conversation: localize("allowed in this conversation"),
  refused: localize("never"),
  untrusted: localize("not in a folder that you do not trust"),
} as const;

/** Argument: name of the model. */
export const NO_TOOLS_TEXTS: Readonly<Record<ToolsUnavailableReason, (model: string) => string>> = {
  off: () => localize("Tools are off here. Check those to be used"),
  offline: () => localize("No language model is connected, so nothing can call tools"),
  model: (model) => localize("{0} cannot call tools. OK offers them once more", modelName(model)),
};

/** Menu description: "10 of 11", or why there are none. */
export function toolsText(
  { unavailableReason, builtIn, offered }: SessionTools,
  model: string,
  isTrusted: boolean,
): string {
  if (unavailableReason === "off") return localize("Off in this conversation");
  if (unavailableReason === "offline") return localize("None: no language model is connected");
  if (unavailableReason === "model") return localize("None: {0} cannot call tools", modelName(model));
  const isAll = builtIn.every((tool) => offered.includes(tool));
  const count = plural(offered.length, "1 tool is offered", "{0} tools are offered");
  if (!isTrusted) return localize("{0}: read-only, and each call asks, because you do not trust this folder", count);
  return isAll ? count : localize("{0}, not all", count);
}

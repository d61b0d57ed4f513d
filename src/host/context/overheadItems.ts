/** Items of the overhead of every request: the pieces of the instructions, and the tools. */

import { TokenCosts } from "../../core/context/tokenCosts.ts";
import type { ToolDefinition } from "../../core/context/request/requestOverhead.ts";
import { type TokenCounts, textMessage } from "../../core/message.ts";
import type { ContextItem, ContextPartKind } from "../../protocol/contextView.ts";
import type { Session } from "../session/session.ts";

interface OverheadText {
  readonly itemId: string;
  readonly label: string;
  readonly why: string;
  readonly text: string;
}

/** Caches the token counts by text. */
export class OverheadItems {
  readonly #counts = new Map<string, TokenCounts>();

  /** The items' tokens add up to the part's. */
  async itemsOf(
    { kind, tokens }: { readonly kind: ContextPartKind; readonly tokens: number },
    session: Session,
  ): Promise<readonly ContextItem[]> {
    const texts = textsOf(kind, session);
    const costs = new TokenCosts(session.opened.manager.model);
    const counted = await Promise.all(texts.map(async ({ text }) => costs.ofMessage(await this.#count(text, session))));
    const sum = counted.reduce((total, each) => total + each, 0);
    let rest = tokens;
    return texts.map(({ itemId, label, why }, index) => {
      const each = counted[index] ?? 0;
      const share = index === texts.length - 1 ? rest : Math.floor((each * tokens) / Math.max(1, sum));
      rest -= share;
      return { itemId, label, tokens: share, why, place: { kind: "text" }, pinned: null, attachments: [] };
    });
  }

  /** The text and a file name; `undefined` for an unknown id. */
  textOf(
    part: ContextPartKind,
    itemId: string,
    session: Session,
  ): { readonly name: string; readonly text: string } | undefined {
    const found = textsOf(part, session).find((each) => each.itemId === itemId);
    if (found === undefined) return undefined;
    const ending = part === "tools" ? ".json" : /\.\w+$/.test(found.label) ? "" : ".md"; // rule files have one
    return { name: `${found.label}${ending}`, text: found.text };
  }

  async #count(text: string, session: Session): Promise<TokenCounts> {
    const known = this.#counts.get(text);
    if (known !== undefined) return known;
    const counts = await session.tools.countsOf(textMessage("system", text));
    this.#counts.set(text, counts);
    return counts;
  }
}

function textsOf(kind: ContextPartKind, session: Session): readonly OverheadText[] {
  if (kind === "system") {
    return session.tools.instructions.map(({ label, why, text }, index) => {
      return { itemId: `instructions-${String(index)}`, label, why, text };
    });
  }
  return kind === "tools" ? session.tools.definitions.map(toolText) : [];
}

function toolText({ name, description, inputSchemaJson }: ToolDefinition): OverheadText {
  const [why = ""] = description.split(/(?<=\.)\s|\n/);
  const schema: unknown = JSON.parse(inputSchemaJson);
  const text = `${JSON.stringify({ name, description, inputSchema: schema }, undefined, 2)}\n`;
  return { itemId: `tool-${name}`, label: name, why, text };
}

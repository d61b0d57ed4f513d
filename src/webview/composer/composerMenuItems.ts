/** Choices of the menu above the composer, for the word at the caret. Pure. */
import type { AttachmentKind, MentionView } from "../../protocol/attachmentView.ts";
import { SLASH_COMMANDS, type SlashCommand } from "../../protocol/slashCommand.ts";
import { words } from "../words/words.ts";

export type ComposerChoice =
  | { readonly kind: "command"; readonly id: string; readonly name: SlashCommand; readonly description: string }
  | {
      readonly kind: "mention";
      readonly id: string;
      readonly icon: AttachmentKind;
      readonly name: string;
      readonly description: string;
    };

/** Commands that begin with the query, then those that contain it. */
export function commandChoices(query: string): readonly ComposerChoice[] {
  const wanted = query.toLowerCase();
  const holding = SLASH_COMMANDS.filter((name) => name.includes(wanted));
  const named = [true, false].flatMap((begins) => holding.filter((name) => name.startsWith(wanted) === begins));
  return named.map((name) => ({ kind: "command", id: name, name, description: words.commands[name] }));
}

export function mentionChoices(mentions: readonly MentionView[]): readonly ComposerChoice[] {
  return mentions.map(({ mentionId, kind, label, description }) => ({
    kind: "mention",
    id: mentionId,
    icon: kind,
    name: label,
    description,
  }));
}

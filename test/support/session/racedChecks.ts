import type { SessionTools } from "../../../src/host/session/tools/sessionTools.ts";
import type { RacedEvent } from "./racedEvent.ts";

/** Chooses tools for the conversation, or revokes permissions. */
export function chooseTools(tools: SessionTools, what: Extract<RacedEvent, { kind: "tools" }>["what"]): void {
  const names = what === "all" ? tools.builtIn.map(({ definition }) => definition.name) : [];
  if (what === "askAgain") for (const { name } of tools.rules.remembered) void tools.rules.revokeApproval(name);
  else void tools.enableOnly(new Set(names));
}

/** Whether `place` contains this text: "typed 1" is not in "typed 12". */
export function holds(place: string, text: string): boolean {
  return new RegExp(`${text}(?!\\d)`).test(place);
}

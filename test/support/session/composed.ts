/** Reads composer changes from the messages of the host. */

import { applyComposerChange } from "../../../src/host/chat/composerChange.ts";
import type { Session } from "../../../src/host/session/session.ts";
import type { ComposerDocument } from "../../../src/protocol/composerDocument.ts";
import type { ToViewBody } from "../../../src/protocol/toView.ts";

/** Composer changes, in order. */
export function changesIn(bodies: readonly ToViewBody[]): readonly Partial<ComposerDocument>[] {
  return bodies.flatMap((body) => (body.kind === "composer" ? [body.changed] : []));
}

/** How messages were accepted, in order. */
export function sentIn(bodies: readonly ToViewBody[]): readonly ("now" | "queued")[] {
  return bodies.flatMap((body) => (body.kind === "composer" && body.sent !== undefined ? [body.sent] : []));
}

/** Messages being sent, as posted last. */
export function sendingIn(bodies: readonly ToViewBody[]): readonly string[] {
  const told = changesIn(bodies).findLast(({ sending }) => sending !== undefined);
  return (told?.sending ?? []).map(({ sendId }) => sendId);
}

export interface ComposePlace {
  readonly session: Session | undefined;
  readonly world: {
    readonly attaching: Parameters<typeof applyComposerChange>[2];
    readonly presenter: Parameters<typeof applyComposerChange>[3];
  };
}

/** Applies a page's message in `place`. */
export function composeIn(
  message: Parameters<typeof applyComposerChange>[0],
  { session, world }: ComposePlace,
): Promise<void> {
  return applyComposerChange(message, session, world.attaching, world.presenter);
}

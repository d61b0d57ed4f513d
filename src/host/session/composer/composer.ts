/**
 * The composer of an open conversation: the owner of its {@link ComposerDocument}. What pages and the host change goes through
 * here, is in the document at once, is stored, and is told to every page with the next revision.
 */

import type { ComposerChange, ComposerDocument } from "../../../protocol/composerDocument.ts";
import type { OpenConversation } from "../../opening/openConversation.ts";
import type { SessionModel } from "../sessionModel.ts";
import type { SessionServices } from "../sessionServices.ts";
import { ComposerAttachments } from "./composerAttachments.ts";
import { ComposerEdits } from "./composerEdits.ts";
import { ComposerQueue } from "./composerQueue.ts";
import { ComposerText } from "./composerText.ts";

/** What a page typed, what is added to it, and what waits. */
export class Composer extends ComposerText {
  readonly edits: ComposerEdits;
  readonly attachments: ComposerAttachments;
  readonly queue: ComposerQueue;

  constructor(opened: OpenConversation, model: SessionModel, services: SessionServices) {
    super(opened, model, services);
    this.edits = new ComposerEdits(this, opened, model, services);
    this.attachments = new ComposerAttachments(this, opened, model, services);
    this.queue = new ComposerQueue(this, opened, model, services);
  }

  /** All of it, as pages know it. */
  get document(): ComposerDocument {
    const { edits, queue, attachments } = this;
    return { ...this.composed, edits: edits.view, queue: queue.view, attachments: attachments.view };
  }

  /** Applies a page's change, in the document at once; resolves when it is stored, or could not be, which is shown. */
  async change(change: ComposerChange): Promise<void> {
    switch (change.kind) {
      case "text":
      case "send":
        return this.compose(change);
      case "edit":
        return this.edits.set(change.edit);
      case "sendEdit":
        this.edits.markSending(change, change.sendId);
    }
  }
}

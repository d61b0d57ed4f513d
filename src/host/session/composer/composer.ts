/**
 * The composer of an open conversation: owner of its {@link ComposerDocument}. A change by a page or the host is
 * applied here at once, stored, and posted to every page with the next revision.
 */

import type { ComposerChange } from "../../../protocol/toHost.ts";
import type { ComposerDocument } from "../../../protocol/composerDocument.ts";
import type { OpenConversation } from "../../opening/openConversation.ts";
import type { SessionModel } from "../sessionModel.ts";
import type { SessionServices } from "../sessionServices.ts";
import { ComposerAttachments } from "./composerAttachments.ts";
import { ComposerEdits } from "./composerEdits.ts";
import { ComposerQueue } from "./composerQueue.ts";
import { ComposerText } from "./composerText.ts";

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

  get document(): ComposerDocument {
    const { edits, queue, attachments } = this;
    return { ...this.composed, edits: edits.view, queue: queue.view, attachments: attachments.view };
  }

  /** Applies a page's change at once; resolves when it is stored, or its failure is shown. */
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

import { localize } from "../../protocol/localize.ts";

export const attachmentWords = {
  attachments: localize("Attachments"),
  attach: localize("Add files, problems, a selection and more"),
  leftOutAttachment: (label: string): string =>
    localize("{0}: not sent any more. The context view can send it again.", label),
  detach: (label: string): string => localize("Remove {0}", label),
  openAttachment: (label: string): string => localize("Open {0}", label),
  asText: (label: string): string => localize("Put {0} into the message as text", label),
  spokenPasted: localize("Added as pasted text. Undo removes it."),
  spokenUnpasted: localize("The pasted text was removed."),
  spokenAsText: localize("It is text of the message now."),
  onlyAttachments: localize("Write what to do with what you added."),
};

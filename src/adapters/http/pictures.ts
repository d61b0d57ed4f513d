/** Pictures as services take them. */

import type { ImagePart, Part } from "../../core/message.ts";

/** Services refuse a request with a picture of any other kind. */
export const PICTURE_TYPES = ["image/jpeg", "image/png", "image/gif", "image/webp"] as const;

export function imageText(mediaType: string): string {
  return `[A picture of type ${mediaType} that cannot be sent to this model]`;
}

/** The picture, or words for one that no service takes. */
export function wirePicture(part: ImagePart): Part {
  const isTaken = PICTURE_TYPES.some((type) => type === part.mediaType);
  return isTaken ? part : { kind: "text", text: imageText(part.mediaType) };
}

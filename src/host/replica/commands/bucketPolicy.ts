/** The rights that an access key needs for one prefix of a bucket, in the language of policies that most stores read. */

import type { S3Place } from "../../../adapters/s3/place.ts";
import type { ReadOnlyDocuments } from "../../view/readOnlyDocuments.ts";

/** `keys`: only keys can be deleted, so whoever has the access key can delete no content; nothing is packed. */
export type DeletionRights = "all" | "keys";

const KEY_ENDINGS = ["key", "access", "root"];

export function bucketPolicyOf({ bucket, prefix }: Pick<S3Place, "bucket" | "prefix">, rights: DeletionRights): string {
  const below = prefix === "" ? "" : `${prefix}/`;
  const all = `arn:aws:s3:::${bucket}/${below}*`;
  const deleted = rights === "all" ? [all] : KEY_ENDINGS.map((ending) => `${all}.${ending}`);
  const ofPrefix = below === "" ? {} : { Condition: { StringLike: { "s3:prefix": `${below}*` } } };
  const policy = {
    Version: "2012-10-17",
    Statement: [
      { Effect: "Allow", Action: "s3:ListBucket", Resource: `arn:aws:s3:::${bucket}`, ...ofPrefix },
      { Effect: "Allow", Action: ["s3:PutObject", "s3:GetObject"], Resource: all },
      { Effect: "Allow", Action: "s3:DeleteObject", Resource: deleted },
    ],
  };
  return `${JSON.stringify(policy, undefined, 2)}\n`;
}

export function showBucketPolicy(
  documents: Pick<ReadOnlyDocuments, "show">,
  place: Pick<S3Place, "bucket" | "prefix">,
  rights: DeletionRights,
): Promise<void> {
  return documents.show({ name: `bucket-policy-${rights}.json`, text: bucketPolicyOf(place, rights) });
}

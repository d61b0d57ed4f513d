import assert from "node:assert/strict";
import { parseConversationId } from "../../../src/core/ids.ts";
import { isObjectName } from "../../../src/core/replica/logReplica.ts";
import { nameOf, parseName, type ObjectName } from "../../../src/core/replica/objectNames.ts";

const conversation = parseConversationId("01234567-89ab-4cde-8f01-23456789abcd") ?? assert.fail();
const [hash, object, id, other] = ["a".repeat(32), "b".repeat(32), "c".repeat(16), "d".repeat(16)];

const names: Readonly<Record<string, Omit<ObjectName, "name">>> = {
  [`c/${conversation}/7-${id}-0-1234-${hash}.segment`]: {
    ...{ kind: "segment", conversation, epoch: 7, writer: id, sequence: 0, length: 1234, hash },
  },
  [`c/${conversation}/0-${hash}.pack`]: { ...{ kind: "pack", conversation, length: 0, hash } },
  [`c/${conversation}/${object}-${id}-60-${hash}.key`]: {
    ...{ kind: "key", conversation, object, key: id, length: 60, hash },
  },
  [`c/${conversation}/${id}-${other}-60-${hash}.access`]: {
    ...{ kind: "access", conversation, key: id, root: other, length: 60, hash },
  },
  [`root/${id}-300-${hash}.root`]: { ...{ kind: "root", root: id, length: 300, hash } },
  [`news/${id}/12-${conversation.replaceAll("-", "")}-${object}-1-${hash}.news`]: {
    ...{ kind: "news", machine: id, number: 12, conversation, object, length: 1, hash },
  },
  [`gone/${conversation.replaceAll("-", "")}-1-${hash}.gone`]: { ...{ kind: "gone", conversation, length: 1, hash } },
};

describe("Names of objects", () => {
  for (const [name, fields] of Object.entries(names))
    it(`say all of ${fields.kind}`, () => {
      assert.ok(isObjectName(name));
      assert.deepEqual(parseName(name), { name, ...fields });
      assert.equal(nameOf(fields as Parameters<typeof nameOf>[0]), name);
    });

  const [segment = ""] = Object.keys(names);
  const foreign = [
    "",
    "c/readme.txt",
    segment.toUpperCase(),
    segment.replace(".segment", ".segment.tmp"),
    segment.replace(".segment", " (conflicted copy).segment"),
    segment.replace("-0-", "-00-"),
    segment.replace("-1234-", "--1-"),
    segment.replace(hash, hash.slice(1)),
    segment.replace(conversation, "x"),
    segment.replace("/7-", "/sub/7-"),
    `c/${conversation}/1-${hash}.other`,
    `root/${conversation}/${id}-300-${hash}.root`,
    `news/${id}/12-${conversation}-${object}-1-${hash}.news`,
    `news/12-${conversation.replaceAll("-", "")}-${object}-1-${hash}.news`,
    `gone/${id}-1-${hash}.gone`,
  ];
  for (const name of foreign)
    it(`are none like ${JSON.stringify(name)}`, () => {
      assert.equal(parseName(name), undefined);
    });
});

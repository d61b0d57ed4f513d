import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { MOUNT_LINES, type MountPlan, planMount } from "../../../../src/host/replica/containers/devcontainerMount.ts";

const VOLUME = '"source=forge-conversations-${devcontainerId},target=/forge-conversations,type=volume"';
const OWN = '"test -w /forge-conversations || sudo -n chown -R $(id -u) /forge-conversations || true"';
const MOUNTS = `"mounts": [${VOLUME}]`;
const CREATE = `"onCreateCommand": ${OWN}`;

/** The text after the insertions, or why there are none. */
function inserted(text: string): string {
  const plan: MountPlan = planMount(text);
  if (plan.kind !== "insert") return plan.kind;
  const ends = [...plan.insertions.map(({ offset }) => offset).slice(1), text.length];
  const pieces = plan.insertions.map(({ offset, text: added }, index) => added + text.slice(offset, ends[index]));
  return text.slice(0, plan.insertions[0]?.offset) + pieces.join("");
}

describe("a volume in devcontainer.json", () => {
  const cases: readonly (readonly [title: string, before: string, after: string])[] = [
    [
      "goes behind the last member, and comments stay beside what they are about",
      `// For format details, see the reference.
{
\t"name": "Shöp 🐎, \\"the\\" [shop]", // shown
\t/* or
\t   a Dockerfile, */
\t"image": "base:bookworm" // "not this": {
\t// "remoteUser": "root"
}
`,
      `// For format details, see the reference.
{
\t"name": "Shöp 🐎, \\"the\\" [shop]", // shown
\t/* or
\t   a Dockerfile, */
\t"image": "base:bookworm", // "not this": {
\t${MOUNTS},
\t${CREATE}
\t// "remoteUser": "root"
}
`,
    ],
    [
      "keeps a comma at the end",
      '{\n  "image": "a",\n  "features": {\n    "b": {},\n  }, // these\n}',
      `{\n  "image": "a",\n  "features": {\n    "b": {},\n  }, // these\n  ${MOUNTS},\n  ${CREATE},\n}`,
    ],
    [
      "follows a comment that goes over lines",
      '{\n  "image": "a" /* one\n  two */\n}',
      `{\n  "image": "a", /* one\n  two */\n  ${MOUNTS},\n  ${CREATE}\n}`,
    ],
    [
      "has the line breaks of the file",
      '{\r\n    "image": "a"\r\n}\r\n',
      `{\r\n    "image": "a",\r\n    ${MOUNTS},\r\n    ${CREATE}\r\n}\r\n`,
    ],
    ["goes into one line where the file has one", '{ "image": "a" }', `{ "image": "a", ${MOUNTS}, ${CREATE} }`],
    ["goes into an empty object", "{}", `{\n  ${MOUNTS},\n  ${CREATE}\n}`],
    ["goes into an empty object of two lines", "{ // none\n}", `{\n  ${MOUNTS},\n  ${CREATE} // none\n}`],
    [
      "is the first of several mounts",
      '{\n  "mounts": [ // all\n    "source=a,target=/a,type=volume",\n    { "source": "b", "target": "/b" },\n  ],\n  "image": "a"\n}',
      `{\n  "mounts": [ // all\n    ${VOLUME},\n    "source=a,target=/a,type=volume",\n    { "source": "b", "target": "/b" },\n  ],\n  "image": "a",\n  ${CREATE}\n}`,
    ],
    [
      "is the first of mounts in one line",
      '{\n  "image": "a",\n  "mounts": ["source=a,target=/a,type=volume"]\n}',
      `{\n  "image": "a",\n  "mounts": [${VOLUME}, "source=a,target=/a,type=volume"],\n  ${CREATE}\n}`,
    ],
    ["is the first of no mounts", '{\n  "mounts": [\n  ]\n}', `{\n  "mounts": [${VOLUME}\n  ],\n  ${CREATE}\n}`],
    [
      "is given to the user by a command that the file does not have",
      '{\n  "onCreateCommand": "make",\n  "postCreateCommand": ["npm", "ci"]\n}',
      `{\n  "onCreateCommand": "make",\n  "postCreateCommand": ["npm", "ci"],\n  ${MOUNTS},\n  "updateContentCommand": ${OWN}\n}`,
    ],
    [
      "comes without a command where the file has all",
      '{\n  "onCreateCommand": "a",\n  "postCreateCommand": "b",\n  "updateContentCommand": "c",\n  "postStartCommand": "d"\n}',
      `{\n  "onCreateCommand": "a",\n  "postCreateCommand": "b",\n  "updateContentCommand": "c",\n  "postStartCommand": "d",\n  ${MOUNTS}\n}`,
    ],
    ["is there already", `{ "mounts": ["type=volume,source=x,target=/forge-conversations"] }`, "there"],
    ["is there by another word", `{ "mounts": ["type=bind, dst=/forge-conversations ,source=/x"], }`, "there"],
    ["is there as an object", `{ "mounts": [{ "type": "volume", "target": "/forge-conversations" }] }`, "there"],
    [
      "is not there in a comment",
      `{} // "mounts": ["target=/forge-conversations"]`,
      `{\n  ${MOUNTS},\n  ${CREATE}\n} // "mounts": ["target=/forge-conversations"]`,
    ],
    ["is not put into what is no object", '["a"]', "unreadable"],
    ["is not put into mounts that are no list", '{ "mounts": "a" }', "unreadable"],
    ["is not put into what is broken", '{ "image": "a" "b": 1 }', "unreadable"],
    ["is not put into what is broken inside", '{ "build": { "args" } }', "unreadable"],
    ["is not put into what has no end", '{ "image": "a', "unreadable"],
    ["is not put into nothing", "", "unreadable"],
  ];
  for (const [title, before, after] of cases)
    it(title, () => {
      assert.equal(inserted(before), after);
    });

  it("is found where it was put", () => {
    const files = cases.filter(([, , after]) => after.includes(VOLUME)).map(([, , after]) => after);
    assert.deepEqual(
      files.map((text) => planMount(text).kind),
      files.map(() => "there"),
    );
  });

  it("is shown in the lines that are copied, and in the README", () => {
    assert.equal(MOUNT_LINES, `${MOUNTS},\n${CREATE}`);
    assert.ok(readFileSync("README.md", "utf8").includes(MOUNT_LINES));
  });
});

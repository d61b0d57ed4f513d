import type { Scene } from "./scenes.ts";
import { answer, user, view } from "./viewBuilders.ts";

const codeAnswer = `The delay is in \`src/net/policy.ts:12\`, which upload.ts and [the test](test/policy.test.ts) use.

\`\`\`ts src/net/policy.ts
export function delayMs(attempt: number): number {
  return policy.backoffMs * 2 ** attempt;
}
\`\`\`

\`\`\`sh
npm test -- --grep delay
\`\`\`

\`\`\`ts
${Array.from({ length: 60 }, (_, index) => `const value${String(index)} = read("${String(index)}");`).join("\n")}
\`\`\`

| Setting | What it does |
|---------|--------------|
| \`forge.context.preserveRecent\` | Keeps so many of the newest messages |`;

export const codeScenes: Readonly<Record<string, Scene>> = {
  code: {
    view: view([
      user(1, "Where is the delay?"),
      answer(2, codeAnswer, { thinking: "Let me look.", thinkingMs: 12_400 }),
    ]),
    then: [{ kind: "files", paths: ["src/net/policy.ts", "upload.ts", "test/policy.test.ts"] }],
    hover: ".markdown p",
  },
};

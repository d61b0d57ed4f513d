import type { Row } from "../../../src/protocol/toView.ts";
import { answer, user } from "./viewBuilders.ts";

/** Rows `from` to `to` (exclusive), alternating questions and answers. */
export function conversation(from: number, to: number): Row[] {
  return Array.from({ length: to - from }, (_, index) => {
    const id = from + index;
    return id % 2 === 0
      ? user(id, `Question ${String(id)}`)
      : answer(
          id,
          `Answer **${String(id)}**\n\n- one\n- two\n\n\`\`\`js\nlet a = ${String(id)};\n\`\`\`\n\nand an end.`,
        );
  });
}

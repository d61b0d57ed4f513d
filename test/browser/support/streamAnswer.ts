import { answer, status, streaming, user, view } from "./viewBuilders.ts";
import type { WebviewPage } from "./webviewPage.ts";

/** Shows a question whose answer is `step_1`, empty as yet. */
export async function beginAnswer(opened: WebviewPage): Promise<void> {
  await opened.show(
    view([user(0, "What do you say?"), streaming("step_1")], { status: status({ activity: "streaming" }) }),
  );
}

/** Streams `text` in `pieces` as that answer, which becomes message 1, and waits until it is drawn. */
export async function streamAnswer(opened: WebviewPage, text: string, pieces: number): Promise<void> {
  const length = Math.ceil(text.length / pieces);
  for (let from = 0; from < text.length; from += length)
    await opened.say({ kind: "delta", rowId: "step_1", part: "text", text: text.slice(from, from + length) });
  await opened.say({ kind: "rowChanged", rowId: "step_1", row: answer(1, text) });
  await opened.page.locator('[data-message-id="1"]').waitFor();
  // Code is highlighted when the page is idle.
  await opened.page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1_000 })));
}

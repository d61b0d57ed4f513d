import assert from "node:assert/strict";
import type { CancelSignal } from "../../../../src/core/cancellation.ts";
import { withEditorModule } from "../../../support/editor/editorModule.ts";

interface Token {
  readonly onCancellationRequested: (listener: () => void) => void;
}

const shown: { readonly title: string; hasGone: boolean; readonly cancel: () => void }[] = [];

async function withProgress(
  { title }: { readonly title: string },
  task: (progress: object, token: Token) => Promise<void>,
): Promise<void> {
  let listener = (): void => undefined;
  const notification = { title, hasGone: false, cancel: () => listener() };
  shown.push(notification);
  await task({}, { onCancellationRequested: (added) => (listener = added) });
  notification.hasGone = true;
}

const editor = { window: { withProgress }, ProgressLocation: { Notification: 15 } };
const { withDelayedProgress } = await withEditorModule(
  "lateProgress",
  editor,
  () => import("../../../../src/host/editor/boxes/delayedProgress.ts"),
);

const cancelled = (cancel: CancelSignal): Promise<string> =>
  new Promise((resolve) => {
    cancel.addEventListener("abort", () => {
      resolve("cancelled");
    });
  });

const untilShown = async (): Promise<void> => {
  while (shown.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
};

describe("withDelayedProgress", () => {
  beforeEach(() => void shown.splice(0));

  it("shows nothing for work that ends at once", async () => {
    assert.equal(await withDelayedProgress("Exporting", () => Promise.resolve(7)), 7);
    await new Promise((resolve) => setTimeout(resolve, 600));
    assert.deepEqual(shown, []);
  });

  it("shows progress until the work ends, with a button that cancels it", async () => {
    const working = withDelayedProgress("Exporting", cancelled);
    await untilShown();
    assert.deepEqual(
      shown.map(({ title, hasGone }) => [title, hasGone]),
      [["Exporting", false]],
    );
    shown[0]?.cancel();
    assert.equal(await working, "cancelled");
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(shown[0]?.hasGone, true);
  });

  it("hides the progress when the work fails, and rejects for the caller", async () => {
    let fail = (): void => undefined;
    const work = (): Promise<never> =>
      new Promise((_, reject) => {
        fail = () => {
          reject(new Error("a bug"));
        };
      });
    const working = withDelayedProgress("Exporting", work);
    await untilShown();
    fail();
    await assert.rejects(working, /a bug/);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(shown[0]?.hasGone, true);
  });
});

/** What the chat says when something went wrong, and what it offers. */

import { isDeepStrictEqual } from "node:util";
import type { Frame } from "playwright-core";
import { until } from "../../../scripts/vscode/until.ts";

/** A problem as the user sees it. */
export interface ShownProblem {
  readonly text: string;
  /** Names of its buttons, in their order. */
  readonly buttons: readonly string[];
}

const problemSelector = ".tone-error, .tone-warning";

/** Waits for a problem, and returns all that are shown at one moment: one is what a user should have to read. */
export async function problems(chat: Frame): Promise<readonly ShownProblem[]> {
  const shown = chat.locator(problemSelector);
  await shown.first().waitFor();
  return shown.evaluateAll((boxes) =>
    boxes.map((box) => ({
      text: box.querySelector("p")?.innerText.trim() ?? "",
      buttons: [...box.querySelectorAll("button")].map((button) => button.innerText.trim()),
    })),
  );
}

/** A problem that a test expects. */
export interface ExpectedProblem {
  readonly text: string | RegExp;
  readonly buttons: readonly string[];
}

/** Waits until this problem is shown, and no other. */
export async function expectProblem(chat: Frame, { text, buttons }: ExpectedProblem): Promise<void> {
  const fits = ([problem, ...others]: readonly ShownProblem[]): boolean =>
    problem !== undefined &&
    others.length === 0 &&
    (typeof text === "string" ? problem.text === text : text.test(problem.text)) &&
    isDeepStrictEqual(problem.buttons, buttons);
  let shown: readonly ShownProblem[] = [];
  const found = await until(async () => {
    shown = await problems(chat);
    return fits(shown) ? true : undefined;
  });
  const wanted = `${String(text)} with ${buttons.join(", ")}`;
  if (found === undefined) throw new Error(`expected ${wanted}, and not ${JSON.stringify(shown)}`);
}

/** Waits until no problem is shown any more. */
export async function noProblem(chat: Frame): Promise<void> {
  const gone = await until(async () => ((await chat.locator(problemSelector).count()) === 0 ? true : undefined));
  if (gone === undefined) throw new Error("a problem is still shown");
}

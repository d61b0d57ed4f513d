import { isDeepStrictEqual } from "node:util";
import type { Frame } from "playwright-core";
import { until } from "../../../scripts/vscode/until.ts";

export interface ShownProblem {
  readonly text: string;
  /** Names of its buttons, in order. */
  readonly buttons: readonly string[];
}

const problemSelector = ".tone-error, .tone-warning";

/** Waits for a problem, and returns all that are shown then. A user should have to read only one. */
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

export interface ExpectedProblem {
  readonly text: string | RegExp;
  readonly buttons: readonly string[];
}

/** Waits until this problem and no other is shown. */
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

export async function noProblem(chat: Frame): Promise<void> {
  const gone = await until(async () => ((await chat.locator(problemSelector).count()) === 0 ? true : undefined));
  if (gone === undefined) throw new Error("a problem is still shown");
}

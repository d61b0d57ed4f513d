/** Words about values in the settings that Forge cannot use. The values are untrusted. */

import { shorten } from "../../core/cutText.ts";
import type { Banner } from "../../protocol/toView.ts";
import { localize, plural } from "../../protocol/localize.ts";
import type { SettingProblem } from "../editor/settings.ts";
import { SETTINGS, warning } from "./banners.ts";

export function settingProblemsBanner(problems: readonly SettingProblem[]): Banner {
  const shown = problems.slice(0, MOST_SHOWN).map(settingProblemText);
  const more = problems.length - shown.length;
  if (more > 0) shown.push(plural(more, "So is 1 more setting.", "So are {0} more settings."));
  return warning(shown.join(" "), [SETTINGS, { label: localize("Close this message"), command: "closeBanner" }]);
}

/** More would fill a narrow chat. */
const MOST_SHOWN = 3;

export function settingProblemText(problem: SettingProblem): string {
  switch (problem.kind) {
    case "outOfBounds":
      return localize(
        "The setting {0} is not used: {1} is not a whole number from {2} to {3}. {4} counts instead.",
        `forge.context.${problem.name}`,
        valueText(problem.found),
        problem.least,
        problem.most,
        problem.standard,
      );
    case "modelLimit":
      return localize(
        "A limit in the setting {0} is not used: {1} of “{2}” is {3}, not a whole number above 0. What Forge knows of the model counts instead.",
        "forge.models",
        problem.field,
        nameText(problem.model),
        valueText(problem.found),
      );
    case "noRoom":
      return localize(
        "The limits of “{1}” in the setting {0} are not used: its maxOutput of {2} must be smaller than its contextWindow of {3}. What Forge knows of the model counts instead.",
        "forge.models",
        nameText(problem.model),
        problem.maxOutput,
        problem.contextWindow,
      );
  }
}

const LONGEST_VALUE = 30;
const LONGEST_NAME = 60;

function valueText(value: unknown): string {
  return shorten(typeof value === "number" ? String(value) : JSON.stringify(value), LONGEST_VALUE);
}

function nameText(name: string): string {
  return shorten(name, LONGEST_NAME);
}

/** How Chromium is started by tests and benchmarks: with nothing in it that works for the browser's own window, which nobody sees. */

import { type Browser, chromium } from "playwright-core";
import { installChromium } from "./installChromium.ts";

/** Playwright's own list (`chromiumSwitches.ts`), which would not be added to ours but replaced by it. */
const featuresOffByPlaywright = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "TcpPortRandomizationWin",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
];

/** Each window would load two pages for suggestions under its address bar: more than half of what an empty window costs. */
const pagesOfTheAddressBar = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"];

/** Command line of a headless Chromium, after what Playwright gives it. */
const browserArguments: readonly string[] = [
  "--no-sandbox", // Chromium does not start as root without this
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  `--disable-features=${[...featuresOffByPlaywright, ...pagesOfTheAddressBar].join(",")}`,
];

/** A headless Chromium, installed first where it is missing, with scroll bars as users have them: by itself it hides them. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: installChromium(),
    headless: true,
    args: [...browserArguments],
    ignoreDefaultArgs: ["--hide-scrollbars"],
  });
}

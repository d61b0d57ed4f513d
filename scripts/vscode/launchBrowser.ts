/** Starts Chromium for tests and benchmarks, without features of the browser's own window, which nobody sees. */

import { type Browser, chromium } from "playwright-core";
import { installChromium } from "./installChromium.ts";

/** Playwright's own list (`chromiumSwitches.ts`), which ours would otherwise replace. */
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

/** Address bar suggestions: two pages per window, more than half the cost of an empty window. */
const pagesOfTheAddressBar = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"];

/** A process that waits for the next page: a tenth of what the pages of the tests cost. */
const spareProcess = ["SpareRendererForSitePerProcess"];

/** Command line arguments of a headless Chromium, after those of Playwright. */
const browserArguments: readonly string[] = [
  "--no-sandbox", // Chromium does not start as root without this
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  `--disable-features=${[...featuresOffByPlaywright, ...pagesOfTheAddressBar, ...spareProcess].join(",")}`,
];

/** A headless Chromium, installed if missing, with visible scroll bars, which it hides by default. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: installChromium(),
    headless: true,
    args: [...browserArguments],
    ignoreDefaultArgs: ["--hide-scrollbars"],
  });
}

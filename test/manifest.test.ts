import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import manifest from "../package.json" with { type: "json" };
import { STRATEGY_PARAMETER_NAMES, STRATEGY_PARAMETERS } from "../src/core/context/strategyParameters.ts";
import { COMMAND_IDS } from "../src/host/editor/commandIds.ts";
import germanWords from "../package.nls.de.json" with { type: "json" };
import lock from "../package-lock.json" with { type: "json" };
import words from "../package.nls.json" with { type: "json" };

const project = path.resolve(import.meta.dirname, "..");
const { contributes } = manifest;
const settings = new Map(contributes.configuration.flatMap(({ properties }) => Object.entries<Setting>(properties)));

interface Setting {
  readonly scope: string;
  readonly type?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default: unknown;
  readonly enum?: readonly string[];
  readonly enumItemLabels?: readonly string[];
  readonly markdownEnumDescriptions?: readonly string[];
}

interface Locked {
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Every string in `value`, at any depth. */
function stringsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

function walkthroughPictures(): readonly string[] {
  return contributes.walkthroughs.flatMap(({ steps }) => steps.flatMap(({ media }) => Object.values(media.image)));
}

describe("manifest", () => {
  it("preserves the stable ids of views and commands", () => {
    const commands = contributes.commands.map(({ command }) => command);
    const handles = {
      view: contributes.views.forge.map(({ id }) => id),
      container: contributes.viewsContainers.activitybar.map(({ id }) => id),
      otherContainer: contributes.viewsContainers.secondarySidebar.map(({ id }) => id),
      commands: commands.toSorted(),
    };
    assert.deepEqual(handles, {
      view: ["forge.chat", "forge.waiting"],
      container: ["forge"],
      otherContainer: ["forgeSecondary"],
      commands: [
        "forge.acceptEdit",
        "forge.accessibilityHelp",
        "forge.addFiles",
        "forge.addSelection",
        "forge.addTerminal",
        "forge.addTerminalSelection",
        "forge.cancelSummary",
        "forge.chooseSummarizer",
        "forge.chooseTools",
        "forge.copyDiagnostics",
        "forge.copyMessage",
        "forge.copySelection",
        "forge.deleteConversation",
        "forge.deleteOllamaModel",
        "forge.eraseEverything",
        "forge.eraseMessage",
        "forge.explainSelection",
        "forge.exportConversation",
        "forge.fetchOllamaModel",
        "forge.findEverywhere",
        "forge.findInConversation",
        "forge.findServers",
        "forge.fixProblems",
        "forge.focusChat",
        "forge.importConversation",
        "forge.keptFileStates",
        "forge.moveToPrimarySideBar",
        "forge.moveToSecondarySideBar",
        "forge.newConversation",
        "forge.openConversation",
        "forge.openInTab",
        "forge.openTrash",
        "forge.recover",
        "forge.refuseEdit",
        "forge.removeApiKey",
        "forge.renameConversation",
        "forge.restoreFiles",
        "forge.setApiKey",
        "forge.setUpReplica",
        "forge.showAnswerAsText",
        "forge.showContext",
        "forge.showLog",
        "forge.showQuestion",
        "forge.stop",
        "forge.summarizeContext",
        "forge.switchModel",
        "forge.testApiKeys",
        "forge.useEditorModels",
        "forge.useServer",
      ],
    });
    assert.deepEqual(commands.toSorted(), COMMAND_IDS.toSorted());
    assert.equal(`${manifest.publisher}.${manifest.name}`, "forge-chat.forge");
  });

  it("preserves the names and defaults of the settings", () => {
    const defaults = Object.fromEntries([...settings].map(([name, schema]) => [name, schema.default]));
    assert.deepEqual(defaults, {
      "forge.provider": "auto",
      "forge.model": "",
      "forge.summarizationModel": "",
      "forge.maxOutputTokens": 0,
      "forge.reasoningEffort": "auto",
      "forge.answerLength": "auto",
      "forge.instructions": "",
      "forge.workspaceRules": true,
      "forge.readOut": "all",
      "forge.models": {},
      "forge.anthropic.baseUrl": "https://api.anthropic.com",
      "forge.openai.baseUrl": "https://api.openai.com/v1",
      "forge.openaiCompatible.baseUrl": "",
      "forge.ollama.baseUrl": "http://127.0.0.1:11434",
      "forge.firstByteTimeoutSeconds": 900,
      "forge.silenceTimeoutSeconds": 300,
      "forge.spending.warnPerDayUsd": 0,
      "forge.spending.limitPerDayUsd": 0,
      "forge.spending.warnPerConversationUsd": 0,
      "forge.spending.limitPerConversationUsd": 0,
      "forge.context.infinity": true,
      "forge.context.askBeforeSummarizing": false,
      "forge.context.background": true,
      "forge.context.parallelSummaryCalls": 4,
      "forge.context.strategy": "pipeline",
      "forge.context.pipeline": ["toolCalls", "threshold", "goalBatch"],
      "forge.context.summarizeAtPercent": 80,
      "forge.context.targetPercent": 50,
      "forge.context.preserveRecent": 4,
      "forge.context.recallForQuestion": true,
      "forge.context.summaryRatio": 0.15,
      "forge.context.toolCallTurnAge": 10,
      "forge.context.sandwich.top": 5,
      "forge.context.sandwich.bottom": 5,
      "forge.context.sandwich.thresholdPercent": 70,
      "forge.context.archive.thresholdPercent": 85,
      "forge.context.tree.chunkTokens": 20_000,
      "forge.context.tree.levels": 3,
      "forge.context.slidingWindow.last": 20,
      "forge.tools.enabled": true,
      "forge.tools.maxRounds": 50,
      "forge.tools.editorTools": [],
      "forge.recall.otherExtensions": "ask",
      "forge.keptFileStates.maxMegabytes": 1000,
    });
  });

  it("states the bounds of the strategies' parameters", () => {
    const stated = STRATEGY_PARAMETER_NAMES.map((name) => {
      const { minimum, maximum, default: standard, type } = settings.get(`forge.context.${name}`) ?? {};
      return [name, { type, minimum, maximum, standard }];
    });
    const expected = STRATEGY_PARAMETER_NAMES.map((name) => {
      const { least: minimum, most: maximum, standard } = STRATEGY_PARAMETERS[name];
      return [name, { type: "integer", minimum, maximum, standard }];
    });
    assert.deepEqual(stated, expected);
  });

  it("has no setting that a workspace can change, since each names a host or affects spending", () => {
    const settable = [...settings].filter(([, { scope }]) => scope !== "application" && scope !== "machine");
    assert.deepEqual(settable, []);
    const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    assert.deepEqual(restrictedConfigurations.toSorted(), [...settings.keys()].toSorted());
  });

  it("has a label and a description for each choice of a setting", () => {
    const incomplete = [...settings].filter(([, schema]) => {
      const choices = schema.enum?.length;
      return schema.enumItemLabels?.length !== choices || schema.markdownEnumDescriptions?.length !== choices;
    });
    assert.deepEqual(incomplete, []);
  });

  it("has a text for every key and no unused texts", () => {
    const used = stringsIn(manifest).flatMap((text) => /^%(.+)%$/.exec(text)?.[1] ?? []);
    assert.deepEqual([...new Set(used)].toSorted(), Object.keys(words).toSorted());
    assert.deepEqual(
      Object.entries(words).filter(([, text]) => text.trim() === ""),
      [],
    );
  });

  it("offers only existing commands in menus and the walkthrough", () => {
    const commands = new Set(contributes.commands.map(({ command }) => command));
    const inMenus = Object.values(contributes.menus).flatMap((entries) =>
      entries.flatMap((entry) => ("command" in entry ? [entry.command] : [])),
    );
    const inWords = Object.values(words).flatMap((text) => text.match(/(?<=\(command:)[^)]+/g) ?? []);
    assert.deepEqual(
      [...inMenus, ...inWords].filter((command) => !commands.has(command)),
      [],
    );
    assert.deepEqual(new Set(contributes.commands.map(({ category }) => category)), new Set(["Forge"]));
  });

  it("offers the same message commands in the side bar and in a tab", () => {
    const ofMessages = contributes.menus["webview/context"].map(({ command, when }) => ({
      command,
      isInBoth: !when.includes("webviewId"),
    }));
    assert.deepEqual(ofMessages, [
      { command: "forge.summarizeContext", isInBoth: true },
      { command: "forge.copySelection", isInBoth: true },
      { command: "forge.copyMessage", isInBoth: true },
      { command: "forge.restoreFiles", isInBoth: true },
      { command: "forge.eraseMessage", isInBoth: true },
    ]);
  });

  it("offers to add either the selection or the output of a terminal", () => {
    const isOn = "!config.chat.disableAIFeatures";
    assert.deepEqual(
      contributes.menus["terminal/context"].map(({ command, when }) => [command, when]),
      [
        ["forge.addTerminal", `${isOn} && !terminalTextSelected`],
        ["forge.addTerminalSelection", `${isOn} && terminalTextSelected`],
      ],
    );
  });

  it("teaches the editor's own chat the tool that searches conversations, by a skill that the package has", () => {
    assert.deepEqual(
      contributes.chatSkills.map(({ when }) => when),
      contributes.languageModelTools.map(({ when }) => when),
    );
    for (const { path: file } of contributes.chatSkills) {
      const text = readFileSync(path.join(project, file), "utf8");
      const [, name, description] = /^---\nname: (\S+)\ndescription: (.+)\n---\n/.exec(text) ?? [];
      assert.equal(name, path.basename(path.dirname(file)), "the editor takes no skill whose folder has another name");
      assert.ok(description !== undefined && description.length <= 1_024);
      for (const { name: tool, toolReferenceName } of contributes.languageModelTools) {
        assert.ok(text.includes(`\`${tool}\``) && text.includes(`#${toolReferenceName}`));
      }
    }
    assert.ok(readFileSync(path.join(project, ".vscodeignore"), "utf8").split("\n").includes("!media/skills/**"));
  });

  it("completes the walkthrough's first two steps by context keys that the host sets", () => {
    const events = contributes.walkthroughs.flatMap(({ steps }) => steps.map((step) => step.completionEvents));
    const host = readFileSync(path.join(project, "src/host/commands/walkthroughProgress.ts"), "utf8");
    const keys = [...host.matchAll(/"(forge\.\w+)":/g)].map(([, key]) => [`onContext:${key ?? ""}`]);
    assert.deepEqual(events.slice(0, 2), keys);
  });

  it("has at most six steps in its walkthrough, each with a picture for each kind of theme, of 400 kB in all", () => {
    const [{ steps } = { steps: [] }] = contributes.walkthroughs;
    assert.deepEqual(
      steps.map(({ id }) => id),
      ["connect", "ask", "summarize", "recover", "restore", "bring"],
    );
    const expected = steps.flatMap(({ id }) =>
      ["dark", "light", "hc", "hcLight"].map((theme) => `media/walkthrough/${id}-${theme}.png`),
    );
    const files = readdirSync(path.join(project, "media/walkthrough")).map((name) => `media/walkthrough/${name}`);
    assert.deepEqual(walkthroughPictures(), expected);
    assert.deepEqual(files.toSorted(), expected.toSorted());
    const bytes = expected.reduce((sum, file) => sum + statSync(path.join(project, file)).size, 0);
    assert.ok(bytes <= 400_000, `${bytes} bytes`);
  });

  it("names files that exist", () => {
    const images = walkthroughPictures();
    const icons = [
      manifest.icon,
      ...Object.values(contributes.viewsContainers)
        .flat()
        .map(({ icon }) => icon),
    ];
    const missing = [...images, ...icons].filter((file) => !existsSync(path.join(project, file)));
    assert.deepEqual(missing, []);
  });

  it("has an icon that a marketplace accepts: PNG, square, at least 128 pixels", () => {
    const png = readFileSync(path.join(project, manifest.icon));
    const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
    assert.equal(png.subarray(1, 4).toString(), "PNG");
    assert.equal(width, height);
    assert.ok(width >= 128, `${width} pixels`);
  });

  it("has what both stores show, and nothing that does not exist yet", () => {
    const { categories, galleryBanner, pricing, license, qna } = manifest;
    assert.deepEqual(
      { categories, galleryBanner, pricing, license, qna },
      {
        categories: ["AI", "Chat"],
        galleryBanner: { color: "#1f1f1f", theme: "dark" },
        pricing: "Free",
        license: "MIT",
        qna: false,
      },
    );
    const written = ["badges", "sponsor", "repository", "bugs", "homepage"]; // the last three by prepareRelease
    assert.deepEqual(
      written.filter((name) => name in manifest),
      [],
    );
    assert.equal(manifest.preview, manifest.version.startsWith("0."), "a preview ends with version 1");
  });

  it("is found by single words, not more than a store takes with those that packaging adds", () => {
    const { keywords } = manifest;
    assert.deepEqual(keywords, [...new Set(keywords)].toSorted());
    assert.deepEqual(
      keywords.filter((word) => !/^[a-z]+(?:-[a-z]+)*$/.test(word)),
      [],
    );
    assert.ok(keywords.length <= 20, `${keywords.length} of 30`);
  });

  it("has a name and a description that a store's list shows whole, in each language", () => {
    for (const { displayName, description } of [words, germanWords]) {
      assert.ok(displayName.length <= 60, displayName);
      assert.ok(description.length <= 200, description);
    }
  });

  it("is no extension for the web, where there is no host: the editor says so, and offers none that cannot work", () => {
    assert.ok(!("browser" in manifest));
  });

  it("activates after the editor's startup has finished", () => {
    assert.deepEqual(manifest.activationEvents, ["onStartupFinished"]);
  });

  it("has no install scripts and no runtime dependencies, since everything is bundled", () => {
    const hooks = Object.keys(manifest.scripts).filter((name) => /^(pre|post)?(install|prepare)$/.test(name));
    assert.deepEqual({ hooks, hasDependencies: "dependencies" in manifest }, { hooks: [], hasDependencies: false });
  });

  it("has a lock file with every package for all platforms and no registry addresses", () => {
    const { packages } = lock as { readonly packages: Readonly<Record<string, Locked>> };
    const named = new Set(Object.keys(packages).map((place) => place.replace(/^.*node_modules\//, "")));
    const wanted = Object.values(packages).flatMap((entry) =>
      Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }),
    );
    assert.deepEqual(
      wanted.filter((name) => !named.has(name)),
      [],
    );
    assert.deepEqual(
      Object.entries(packages).filter(([, entry]) => entry.resolved !== undefined),
      [],
    );
  });

  it("pins all development dependencies", () => {
    const exact = /^(?:npm:[a-z-]+@)?\d+\.\d+\.\d+$/;
    const loose = Object.entries(manifest.devDependencies).filter(([, version]) => !exact.test(version));
    assert.deepEqual(loose, []);
  });
});

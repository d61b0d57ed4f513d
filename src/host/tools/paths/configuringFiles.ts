/**
 * Files that decide what is run or how a model works, by their names. Each change of one is asked about, whatever was
 * allowed before: a question too many is cheap, a hook written without one is not.
 *
 * Sources: the editor's own `chat.tools.edits.autoApprove` (folders of settings, git, package manifests, project files
 * of MSBuild); Cursor's protection of all files whose names begin with a dot; the lists of protected files of Roo Code
 * and Claude Code (rule files, shell profiles); the managers of Renovate and the ecosystems of Dependabot (manifests,
 * lock files, CI services); GitHub Linguist (`vendor.yml`, file names of build tools); cosmiconfig's search places
 * (configurations that are code); agents.md; githooks(5); venv and site of Python.
 */

import { comparableSegments, mayHoldSecrets } from "./guardedFiles.ts";

/** Folders of dependencies, environments and hooks: what is in them is run. Folders with a dot are all covered. */
const FOLDERS = words(`
  node_modules bower_components jspm_packages __pypackages__ site-packages dist-packages venv virtualenv pods
  carthage vendor third_party buildsrc build-logic githooks git-hooks husky ci_scripts patches
`);

/** Endings of names. */
const ENDINGS = words(`
  .code-workspace .code-profile .sublime-project .iml .ipr .iws .pbxproj .xcconfig .xcscheme .xcworkspacedata .mdc
  .csproj .fsproj .vbproj .vcxproj .sqlproj .shproj .esproj .wixproj .pyproj .njsproj .dcproj .proj .props .targets
  .sln .slnx .slnf .nuspec .ruleset .runsettings .psd1 .cake
  .mk .mak .make .cmake .gradle .gradle.kts .sbt .bzl .bazel .star .rake .gemspec .podspec .cabal .opam .nix .just
  .pth .spec .ebuild .pri .pro .gyp .gypi .qbs .nimble .rockspec .jam .ninja
  .tf .tofu .tfvars .hcl .nomad .bicep .dockerfile .containerfile
  .service .timer .socket .desktop .plist .reg .inf .mobileconfig .crontab .sudoers
  .lock .lockb .lockfile -lock.json -lock.yaml -lock.yml .lock.json .lock.yaml
  .instructions.md .prompt.md .chatmode.md .agent.md .mcp.json .gitlab-ci.yml .gitlab-ci.yaml
`);

/** Whole names. */
const NAMES = words(`
  package.json package.json5 package.yaml package.swift package.resolved npm-shrinkwrap.json pnpm-workspace.yaml
  lerna.json nx.json turbo.json rush.json project.json workspace.json workspace angular.json deno.json deno.jsonc
  jsr.json import_map.json bunfig.toml bower.json component.json manifest.webmanifest nodemon.json tslint.json
  ember-cli-build.js setuptests.js setuptests.ts babel.json
  setup.py setup.cfg pyproject.toml pipfile tox.ini pytest.ini pyvenv.cfg conftest.py noxfile.py sitecustomize.py
  usercustomize.py fabfile.py dodo.py tasks.py manage.py environment.yml environment.yaml manifest.in mypy.ini pixi.toml
  cargo.toml build.rs rust-toolchain rust-toolchain.toml rustfmt.toml clippy.toml build.zig build.zig.zon
  go.mod go.sum go.work go.work.sum magefile.go
  composer.json phpunit.xml phpunit.xml.dist php.ini server.xml web.config app.config nuget.config global.json
  packages.config paket.dependencies paket.references project.assets.json
  pom.xml build.xml ivy.xml build.sc build.mill mvnw mvnw.cmd gradlew gradlew.bat gradle.properties
  gradle-wrapper.properties gradle-wrapper.jar maven-wrapper.properties extensions.xml
  build workspace module.bazel buck pants.toml meson.build meson.options meson_options.txt sconstruct sconscript wscript
  configure configure.ac configure.in autogen.sh bootstrap.sh cmakelists.txt cmakepresets.json cmakeuserpresets.json
  xmake.lua premake5.lua conanfile.py conanfile.txt vcpkg.json vcpkg-configuration.json dune dune-project rebar.config
  mix.exs project.clj deps.edn shadow-cljs.edn stack.yaml cabal.project pubspec.yaml build.yaml melos.yaml description
  gemfile rakefile thorfile guardfile capfile berksfile brewfile fastfile appfile matchfile podfile cartfile dangerfile
  puppetfile policyfile.rb config.ru snakefile cakefile tiltfile earthfile procfile vagrantfile caddyfile
  pkgbuild apkbuild snapcraft.yaml rules crontab sudoers session.vim authorized_keys known_hosts ssh_config
  azure-pipelines.yml azure-pipelines.yaml bitbucket-pipelines.yml bitbucket-pipelines.yaml appveyor.yml appveyor.yaml
  cloudbuild.yaml cloudbuild.yml cloudbuild.json buildspec.yml buildspec.yaml appspec.yml appspec.yaml codefresh.yml
  codefresh.yaml wercker.yml circle.yml bitrise.yml codemagic.yaml shippable.yml screwdriver.yaml taskcluster.yml
  codecov.yml sonar-project.properties action.yml action.yaml lefthook.yml lefthook.yaml codeowners
  release-please-config.json renovate.json renovate.json5 dependabot.yml mergify.yml pre-commit-config.yaml
  netlify.toml vercel.json vercel.ts now.json render.yaml fly.toml app.yaml app.json heroku.yml railway.json
  railway.toml nixpacks.toml firebase.json wrangler.toml wrangler.json wrangler.jsonc skaffold.yaml serverless.yml
  serverless.yaml serverless.json samconfig.toml cdk.json dagger.json pulumi.yaml helmfile.yaml chart.yaml
  kustomization.yaml ansible.cfg devbox.json devfile.yaml mise.toml taplo.toml
  mcp.json mcp_config.json mcp-config.json claude_desktop_config.json opencode.json opencode.jsonc crush.json
  gemini-extension.json smithery.yaml smithery.yml skill.md rules.md conventions.md llms.txt
  settings.json settings.local.json tasks.json launch.json hooks.json
  bashrc zshrc profile kshrc cshrc inputrc vimrc gvimrc nvimrc exrc gitconfig npmrc yarnrc netrc config.fish
  tmux.conf nginx.conf httpd.conf supervisord.conf nsswitch.conf ld.so.preload
`);

/** Beginnings of names, up to a full stop or a hyphen, of build files: `Makefile.am`, `Dockerfile-dev`. */
const BUILD_FILES = words(`
  makefile gnumakefile bsdmakefile dockerfile containerfile docker-compose docker-bake jenkinsfile justfile jakefile
  gruntfile gulpfile knexfile tsconfig jsconfig azure-pipelines
`);

/** The same where the ending is that of a configuration or of a text, as with `compose.dev.yml` and `GEMINI.md`. */
const CONFIGURATIONS = words(`
  compose taskfile requirements constraints activate mise pulumi appsettings buildspec cloudbuild
  agent agents claude gemini qwen crush warp codex opencode copilot cursor windsurf cline clinerules roo roorules
  kilocode jules goose goosehints amp aider junie augment kiro trae devin replit zencoder
`);
const CONFIGURATION_ENDING = /^[^.]*$|\.(?:md|mdc|txt|in|ya?ml|json[c5]?|toml|bat|ps1|fish|csh|nu|xsh)$/;

/** Hooks of git: a folder of them may stand anywhere (`core.hooksPath`). */
const HOOKS = words(`
  applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit
  pre-rebase post-checkout post-merge pre-push pre-receive update proc-receive post-receive post-update
  reference-transaction push-to-checkout pre-auto-gc post-rewrite sendemail-validate fsmonitor-watchman
  post-index-change
`);

const PATTERNS: readonly RegExp[] = [
  /^\../, // any file or folder with a dot
  /\.(?:config|conf|setup|workspace|preset)\.(?:[^.]+\.)?(?:[cm]?[jt]sx?|json[c5]?|ya?ml|toml|lua|py|rb|php)$/,
  /[-_]config\.[cm]?js$/,
  /^(?:webpack|rollup|rspack|esbuild|vite|babel|jest)(?:[.-][^.]+)*\.[cm]?[jt]s$/,
  /profile\.ps1$/,
  /^[^.]{1,6}~\d{1,6}(?:\.[^.]{0,3})?$/, // a short name of Windows, whose long one is not known
];

/** True for a file that decides what is run or how a model works, by its path: `/` between folders, in any spelling. */
export function configuresTools(relative: string): boolean {
  const segments = comparableSegments(relative);
  const name = segments.at(-1) ?? "";
  const stems = [...name.matchAll(/[.-]|$/g)].map(({ index }) => name.slice(0, index));
  return (
    segments.some((segment) => FOLDERS.has(segment) || PATTERNS.some((pattern) => pattern.test(segment))) ||
    NAMES.has(name) ||
    HOOKS.has(name) ||
    [...ENDINGS].some((ending) => name.endsWith(ending)) ||
    stems.some((stem) => BUILD_FILES.has(stem)) ||
    (CONFIGURATION_ENDING.test(name) && stems.some((stem) => CONFIGURATIONS.has(stem))) ||
    mayHoldSecrets(relative)
  );
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** Names of files that run or steer something, in any spelling; ordinary sources are none. */

import assert from "node:assert/strict";
import { configuresTools } from "../../../../src/host/tools/paths/configuringFiles.ts";
import { isInGitFolder, mayHoldSecrets } from "../../../../src/host/tools/paths/guardedFiles.ts";

const KINDS: Readonly<Record<string, string>> = {
  environments: ".env .env.local apps/web/.env.production .envrc .flaskenv prod.env",
  "development containers":
    ".devcontainer.json .devcontainer/devcontainer.json Dockerfile Dockerfile.dev Containerfile",
  "compose files": "docker-compose.yml docker-compose.dev.yaml compose.yaml compose.override.yml docker-bake.hcl",
  "CI services":
    ".gitlab-ci.yml ci/build.gitlab-ci.yml .travis.yml .circleci/config.yml .github/workflows/ci.yml .drone.yml " +
    ".github/actions/x/action.yml action.yml azure-pipelines.yml azure-pipelines-nightly.yml Jenkinsfile " +
    "Jenkinsfile.release bitbucket-pipelines.yml appveyor.yml .appveyor.yml cloudbuild.yaml buildspec.yml " +
    ".woodpecker/ci.yml .buildkite/pipeline.yml .cirrus.yml codemagic.yaml .semaphore/semaphore.yml .teamcity/s.kts",
  "rule files":
    "AGENTS.md AGENTS.override.md src/agents.md CLAUDE.md CLAUDE.local.md GEMINI.md QWEN.md WARP.md CRUSH.md " +
    ".clinerules .clinerules/x.md .cursor/rules/x.mdc .cursorrules .windsurfrules .roo/rules/a.md .goosehints " +
    ".github/copilot-instructions.md x.instructions.md x.prompt.md x.chatmode.md .junie/guidelines.md CONVENTIONS.md " +
    ".claude/settings.json skills/pdf/SKILL.md .aider.conf.yml opencode.json mcp.json .mcp.json .kiro/steering/a.md",
  "configurations that are code":
    "eslint.config.mjs vite.config.ts vite.config.prod.ts webpack.common.js karma.conf.js jest.setup.ts .eslintrc.cjs " +
    "vitest.workspace.ts truffle-config.js gulpfile.js Gruntfile.coffee .prettierrc .babelrc.js postcss.config.cjs " +
    ".storybook/main.ts .pnpmfile.mjs conftest.py noxfile.py setup.py build.rs metro.config.js",
  manifests:
    "package.json a/package.json composer.json Cargo.toml pyproject.toml go.mod Gemfile pom.xml build.gradle.kts " +
    "settings.gradle pnpm-workspace.yaml deno.json requirements.txt requirements-dev.txt x.csproj Directory.Build.props " +
    "a.sln app.gemspec Podfile Package.swift mix.exs deps.edn .npmrc .yarnrc.yml nuget.config",
  "lock files":
    "package-lock.json yarn.lock pnpm-lock.yaml bun.lockb Cargo.lock go.sum poetry.lock npm-shrinkwrap.json " +
    "gradle.lockfile",
  "build tools":
    "Makefile makefile.am GNUmakefile x.mk CMakeLists.txt a.cmake CMakePresets.json Rakefile Justfile Taskfile.yml " +
    "BUILD BUILD.bazel WORKSPACE defs.bzl meson.build SConstruct configure.ac tox.ini flake.nix .bazelrc nx.json " +
    "turbo.json tsconfig.json tsconfig.build.json gradlew mvnw.cmd binding.gyp",
  "settings of editors":
    ".vscode/tasks.json .idea/runConfigurations/a.xml a.code-workspace .vim/init.vim .nvimrc .zed/tasks.json",
  git: ".gitattributes .gitmodules .gitconfig .gitignore .git/hooks/pre-commit githooks/pre-push hooks/post-checkout .husky/pre-commit",
  "hooks before a commit": ".pre-commit-config.yaml lefthook.yml .lintstagedrc .lefthook/pre-push/x.sh",
  dependencies:
    ".venv/bin/activate venv/lib/python3/site-packages/a.py node_modules/a/index.js vendor/autoload.php " +
    "my-env/bin/activate my-env/Scripts/activate.bat my-env/Scripts/Activate.ps1 x.pth sitecustomize.py pyvenv.cfg",
  "shell profiles":
    ".bashrc .zshenv .profile profile Microsoft.PowerShell_profile.ps1 .config/fish/config.fish .inputrc",
  "started by the system":
    "a.service a.timer a.desktop com.x.plist crontab a.reg .config/autostart/x .htaccess web.config",
  infrastructure:
    "main.tf a.tfvars terragrunt.hcl serverless.yml Pulumi.dev.yaml Chart.yaml Procfile netlify.toml vercel.json fly.toml " +
    "wrangler.toml firebase.json ansible.cfg Vagrantfile Tiltfile",
  secrets: ".ssh/config id_rsa server.pem credentials.json .netrc",
};

const SPELLINGS: readonly string[] = [
  "PACKAGE.JSON",
  "Package.json.",
  "package.json . .",
  "package.json::$DATA",
  "PACKAG~1.JSO",
  "GIT~1/config",
  ".GIT./config",
  ".VSCODE /tasks.json",
  "ma\u212aefile", // the sign of Kelvin
  "pac\u200dkage.json",
  "ｐackage.json",
  "MAKEF\u0131LE",
  "package.j\u017fon",
  "\uff0egithub/a.yml",
  ".vscode\\settings.json",
];

const ORDINARY =
  "src/app.ts README.md docs/claude-and-me.adoc src/agents/list.ts src/claude.ts src/hooks/useFoo.ts src/compose.ts " +
  "a/index.html test/app.spec.ts src/app.service.ts data/users.json main.py lib/x.rb a.b.c.md MYAGENTS.md environment.ts " +
  "src/secrets/index.ts styles/main.css src/vite.ts.snap key.ts requirements.adoc img/a~b.svg Main.java x.go build/notes.md " +
  "src/config.ts src/profile.ts docs/makefiles.md scripts/deploy.sh src/env/index.ts";

describe("configuresTools", () => {
  for (const [kind, files] of Object.entries(KINDS)) {
    it(`S10 asks about ${kind}`, () => {
      assert.deepEqual(
        files.split(" ").filter((file) => !configuresTools(file)),
        [],
      );
    });
  }
  for (const file of SPELLINGS) {
    it(`S10 asks about ${JSON.stringify(file)}, however it is spelled`, () => {
      assert.equal(configuresTools(file), true);
    });
  }
  it("S10 lets ordinary sources be", () => {
    assert.deepEqual(ORDINARY.split(" ").filter(configuresTools), []);
  });
  it("S10 knows git's own folder and secret files in any spelling", () => {
    assert.deepEqual(
      [".GIT.", ".git /config", "git~1/config", ".g\u200dit/x", ".git::$INDEX_ALLOCATION/x", "digit/x"].map(
        isInGitFolder,
      ),
      [true, true, true, true, true, false],
    );
    assert.deepEqual([".ENV.", "ID_RSA ", ".en\u{fe0f}v", "envy"].map(mayHoldSecrets), [true, true, true, false]);
  });
});

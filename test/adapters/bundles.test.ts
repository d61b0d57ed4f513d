/** Each provider is a chunk of its own, loaded when it is first used: it must stand alone, and stay small. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

/** In the extension these are in chunks that all providers share; here they would count for each of them. */
const SHARED = ["src/core/secrets/", "src/adapters/http/"];
const MOST_SHARED_KB = 60;

describe("provider chunks", () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "forge-bundles-"));
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  const check = async (name: string, maker: string, maxKb: number): Promise<void> => {
    const outfile = join(folder, `${name}.cjs`);
    const { metafile } = await build({
      entryPoints: [join(import.meta.dirname, `../../src/adapters/${name}/client.ts`)],
      outfile,
      bundle: true,
      metafile: true,
      minify: true,
      platform: "node",
      format: "cjs",
      target: "node22",
      logLevel: "silent",
    });
    const [output] = Object.values(metafile.outputs);
    assert.ok(output);
    const shared = Object.entries(output.inputs).flatMap(([file, { bytesInOutput }]) =>
      SHARED.some((folder) => file.includes(folder)) ? [bytesInOutput] : [],
    );
    const sharedBytes = shared.reduce((sum, size) => sum + size, 0);
    assert.ok(sharedBytes <= MOST_SHARED_KB * 1024, `${String(Math.ceil(sharedBytes / 1024))} KB shared`);
    const bytes = output.bytes - sharedBytes;
    assert.ok(bytes <= maxKb * 1024, `${String(Math.ceil(bytes / 1024))} KB`);
    assert.deepEqual(
      output.imports.filter(({ path }) => !isBuiltin(path)),
      [],
      "needs no package",
    );
    // In a folder without node_modules.
    const loaded = execFileSync(process.execPath, ["-p", `typeof require(${JSON.stringify(outfile)}).${maker}`], {
      cwd: folder,
    });
    assert.equal(String(loaded).trim(), "function");
  };
  it("Anthropic", () => check("anthropic", "createAnthropicProvider", 145));
  it("OpenAI", () => check("openai", "createOpenAiProvider", 425));
  it("the editor's models", () => check("vscodeLm", "createEditorProvider", 16));
});

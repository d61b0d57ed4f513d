import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { workflowProblems } from "../scripts/publishing/workflowProblems.ts";

const folder = path.resolve(import.meta.dirname, "..", ".github", "workflows");
const files = globSync("*.yml", { cwd: folder }).toSorted();

describe("workflows", () => {
  it("are those of tests, of the night and of releases", () => {
    assert.deepEqual(files, ["nightly.yml", "release.yml", "test.yml"]);
  });

  for (const file of files) {
    it(`${file} has no problem`, async () => {
      assert.deepEqual(await workflowProblems(file, readFileSync(path.join(folder, file), "utf8")), []);
    });
  }

  describe("with an error are found:", () => {
    let samples = 0;
    const check = (title: string, lines: readonly string[], expected: readonly string[]): void => {
      it(title, async () => {
        samples++;
        assert.deepEqual(await workflowProblems(`sample-${samples}.yml`, `${lines.join("\n")}\n`), expected);
      });
    };
    const job = ["on: push", "jobs:", "  build:", "    runs-on: ubuntu-latest", "    steps:"];
    const checkout = ["      - uses: actions/checkout@v5", "        with:"];
    check("none", [...job, ...checkout, "          fetch-depth: 0"], []);
    check(
      "syntax",
      [...job, "      - run: {"],
      ["line 7: Flow map in block collection must be sufficiently indented and end with a } at line 7, column 1:"],
    );
    check(
      "an unknown key",
      [...job, "      - rum: npm test"],
      [
        "line 6: Unexpected value 'rum'",
        "line 6: There's not enough info to determine what you meant. Add one of these properties: parallel, run, shell, uses, with, working-directory",
        "line 6: Expected one of uses or run to be defined",
      ],
    );
    check(
      "an unknown input",
      [...job, ...checkout, "          fetch-dept: 0"],
      ["line 8: Invalid action input 'fetch-dept'"],
    );
    check(
      "an action that is not listed",
      [...job, "      - uses: someone/else@v1", "        with:", "          a: 1"],
      ["line 8: Invalid action input 'a'", "inputs of someone/else@v1 are not listed"],
    );
    check(
      "a wrong expression",
      [...job, "      - run: echo ${{ github.ref ++ }}"],
      ["line 6: Unexpected symbol: '++'. Located at position 12 within expression: github.ref ++"],
    );
    check(
      "an unknown name in an expression",
      [...job, "      - run: echo ${{ gihub.ref }}"],
      ["line 6: Unrecognized named-value: 'gihub'"],
    );
    check(
      "a job that is needed and not there",
      [...job.slice(0, 3), "    needs: [test]", ...job.slice(3), "      - run: a"],
      ["line 3: The workflow must contain at least one job with no dependencies.", "line 4: Value 'test' is not valid"],
    );
    check(
      "an unknown permission",
      ["permissions:", "  id-tokn: write", ...job, "      - run: a"],
      ["line 2: Unexpected value 'id-tokn'"],
    );
  });
});

/** The closing line and the Markdown report of a run with a real model. */

export interface CheckResult {
  readonly leg: string;
  readonly title: string;
  readonly state: "passed" | "failed" | "skipped";
  /** Figures, the reason of a failure, or that of a skip. */
  readonly note: string;
  readonly seconds: number;
  /** Names of files beside the report's pictures folder. */
  readonly pictures: readonly string[];
}

export interface FigureTable {
  readonly leg: string;
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

export interface RealReport {
  /** Facts of the run, such as the machine and the versions. */
  readonly facts: Readonly<Record<string, string>>;
  readonly results: readonly CheckResult[];
  readonly tables: readonly FigureTable[];
  /** Folder of the pictures, relative to the report. */
  readonly pictures: string;
}

/** "7 passed, 1 failed, 2 skipped". */
export function closingLine(results: readonly CheckResult[]): string {
  const count = (state: CheckResult["state"]): string =>
    String(results.filter((result) => result.state === state).length);
  return `${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped`;
}

/** True when at least one check passed and none failed. */
export function hasSucceeded(results: readonly CheckResult[]): boolean {
  return results.some(({ state }) => state === "passed") && results.every(({ state }) => state !== "failed");
}

export function reportDocument({ facts, results, tables, pictures }: RealReport): string {
  const checks = results.map(({ leg, title, state, note, seconds }) => [leg, title, state, note, seconds.toFixed(1)]);
  const pictured = results.flatMap(({ pictures: files, title }) => files.map((file) => ({ file, title })));
  const sections = [
    "# Forge before a real model",
    Object.entries(facts)
      .map(([name, value]) => `- ${name}: ${value}`)
      .join("\n"),
    `**${closingLine(results)}**`,
    tableOf(["leg", "check", "result", "measured, or why", "seconds"], checks),
    ...tables.flatMap(({ leg, title, columns, rows }) => [`## ${leg}: ${title}`, tableOf(columns, rows)]),
    ...(pictured.length === 0 ? [] : ["## Pictures"]),
    ...pictured.map(({ file, title }) => `${title}\n\n![${file}](${pictures}/${file})`),
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

function tableOf(columns: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.map(cellOf).join(" | ")} |`;
  return [line(columns), line(columns.map(() => "---")), ...rows.map(line)].join("\n");
}

const CELL_CHARACTERS = 600;

/** One line, and no end of the cell in it. */
function cellOf(value: string | number): string {
  const text = String(value).replaceAll(/\s+/g, " ").trim();
  const cut = text.length > CELL_CHARACTERS ? `${text.slice(0, CELL_CHARACTERS)}…` : text;
  return cut.replaceAll("|", "\\|");
}

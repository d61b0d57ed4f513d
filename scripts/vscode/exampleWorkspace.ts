import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { testDirectory } from "./nodeRuntime.mjs";

const files: Readonly<Record<string, string>> = {
  "README.md": `# Tides

Prints the next high tides of a harbour. Run it with \`node src/main.js Brest\`.

Open Forge in the activity bar and ask about this project. Nothing here is read unless you add it to a message.
`,
  "src/main.js": `import { nextHighTides } from "./tides.js";

const [harbour = "Brest"] = process.argv.slice(2);
for (const tide of nextHighTides(harbour, new Date(), 4)) {
  console.log(\`\${tide.time.toISOString()}  \${tide.heightMetres.toFixed(1)} m\`);
}
`,
  "src/tides.js": `/** Hours between two high tides: half a lunar day. */
const PERIOD_HOURS = 12.42;

const HARBOURS = {
  Brest: { firstHighTide: new Date("2026-01-01T04:12:00Z"), meanMetres: 6.1, swingMetres: 1.4 },
  Dover: { firstHighTide: new Date("2026-01-01T10:48:00Z"), meanMetres: 5.9, swingMetres: 0.9 },
};

/** The next \`count\` high tides after \`from\`, soonest first. */
export function nextHighTides(name, from, count) {
  const harbour = HARBOURS[name];
  if (harbour === undefined) throw new Error(\`no such harbour: \${name}\`);
  const periodMs = PERIOD_HOURS * 3_600_000;
  const first = Math.ceil((from - harbour.firstHighTide) / periodMs);
  return Array.from({ length: count }, (_, index) => {
    const time = new Date(+harbour.firstHighTide + (first + index) * periodMs);
    const moon = Math.cos(((+time / 86_400_000) % 14.77) * ((2 * Math.PI) / 14.77));
    return { time, heightMetres: harbour.meanMetres + harbour.swingMetres * moon };
  });
}
`,
};

/** Folder of the example, created if missing. The user's changes in it are preserved. */
export function exampleWorkspace(): string {
  const directory = path.join(testDirectory, "example");
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(directory, name);
    if (existsSync(file)) continue;
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return directory;
}

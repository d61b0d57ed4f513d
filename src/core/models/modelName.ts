/** Names of models for people. */

/**
 * Servers name a model by the path of its file, which is long and tells about the machine: its name is then the file's,
 * without folder and ending. Any other id is its own name.
 */
export function modelName(id: string): string {
  for (let name = id; ;) {
    const shorter = withoutPath(name);
    if (shorter === name) return name;
    name = shorter;
  }
}

function withoutPath(id: string): string {
  const path = id.trim();
  if (!PATH.test(path) && !ENDING.test(path)) return id;
  const parts = path.split(/[/\\]/).filter((part) => part !== "" && part !== "." && part !== "..");
  const file = (isSnapshot(parts) ? repositoryOf(parts) : undefined) ?? parts.at(-1) ?? "";
  return file.replace(ENDING, "").replace(SHARD, "").replace(QUANTIZATION, " $1").trim() || id;
}

/** `/models/a`, `~/a`, `./a`, `file:///a`, `C:\a`, `\\server\a`. */
const PATH = /^(?:[/\\]|~[/\\]|\.{1,2}[/\\]|file:\/|[a-z]:[/\\])/i;
const ENDING = /\.(?:gguf|ggml|safetensors|bin|onnx|pt|pth|mlpackage|llamafile)$/i;
/** A model in several files is named by the first. */
const SHARD = /-\d{5}-of-\d{5}$/;
/** After a dot it looks like one more ending. */
const QUANTIZATION = /\.((?:I?Q\d|T?Q\d|B?F\d\d|MXFP\d)\w*)$/i;

/** Hugging Face's cache: `models--OWNER--NAME/snapshots/HASH`. */
function isSnapshot(parts: readonly string[]): boolean {
  return parts.at(-2) === "snapshots" && /^[\da-f]{40}$/i.test(parts.at(-1) ?? "");
}

function repositoryOf(parts: readonly string[]): string | undefined {
  const folder = parts.at(-3) ?? "";
  return folder.startsWith("models--") ? folder.split("--").at(-1) : undefined;
}

/** Lists of models as servers send them. */

import { modelId } from "../../../src/core/ids.ts";
import type { OfferedModel } from "../../../src/core/stream/provider.ts";
import type { DialectCase, Protocol, RightList } from "./dialectCase.ts";

interface ListRow {
  readonly service: string;
  readonly source: string;
  readonly title: string;
  readonly protocol?: Protocol;
  readonly contentType?: string;
  readonly body: unknown;
  readonly models: readonly OfferedModel[] | RightList["models"];
}

function offered(id: string, contextWindow?: number, maxOutput?: number, callsTools?: boolean): OfferedModel {
  const limits = {
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(maxOutput === undefined ? {} : { maxOutput }),
  };
  return {
    id: modelId(id),
    label: id,
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
    ...(callsTools === undefined ? {} : { callsTools }),
  };
}

const failed = (code: string, more: object = {}): RightList["models"] =>
  Object.assign({ code: code as "AUTH_FAILED" }, { provider: "openaiCompatible", ...more });

const FORMS: readonly ListRow[] = [
  {
    service: "OpenAI",
    source: "",
    title: "data",
    body: { object: "list", data: [{ id: "gpt-6-luna", object: "model", created: 1, owned_by: "openai" }] },
    models: [offered("gpt-6-luna")],
  },
  {
    service: "heyflare",
    source: "heyflare#6",
    title: "models by name",
    body: { models: [{ name: "x" }] },
    models: [offered("x")],
  },
  {
    service: "Together",
    source: "",
    title: "the list itself, with types",
    body: [
      { id: "meta/llama-4", type: "chat", context_length: 131_072 },
      { id: "black-forest-labs/FLUX.1-dev", type: "image" },
      { id: "BAAI/bge-base-en", type: "embedding", context_length: 512 },
      { id: "Salesforce/Llama-Rank-V1", type: "rerank" },
    ],
    models: [offered("meta/llama-4", 131_072)],
  },
  {
    service: "a gateway",
    source: "",
    title: "texts",
    body: ["a", "b"],
    models: [offered("a"), offered("b")],
  },
  {
    service: "a gateway",
    source: "",
    title: "texts in data",
    body: { data: ["a", "b"] },
    models: [offered("a"), offered("b")],
  },
  {
    service: "a gateway",
    source: "",
    title: "null",
    body: { object: "list", data: null },
    models: [],
  },
  {
    service: "a gateway",
    source: "",
    title: "an empty list",
    body: { object: "list", data: [] },
    models: [],
  },
  {
    service: "Cloudflare",
    source: "",
    title: "result, with tasks",
    body: {
      success: true,
      errors: [],
      result: [
        { id: "f8703a00", name: "@cf/meta/llama-3.1-8b-instruct", task: { name: "Text Generation" } },
        { id: "429b9e8b", name: "@cf/baai/bge-m3", task: { name: "Text Embeddings" } },
        { id: "c1c12ce4", name: "@cf/openai/whisper", task: { name: "Automatic Speech Recognition" } },
      ],
    },
    models: [offered("@cf/meta/llama-3.1-8b-instruct")],
  },
  {
    service: "a gateway",
    source: "",
    title: "an object by id",
    body: { models: { a: { context_window: 4096 }, b: {} } },
    models: [offered("a", 4096), offered("b")],
  },
  {
    service: "a gateway",
    source: "heyflare#6",
    title: "a list in a list",
    body: { data: { models: [{ id: "a" }] } },
    models: [offered("a")],
  },
  {
    service: "a gateway",
    source: "heyflare#6",
    title: "the same id twice",
    body: { data: [{ id: "a", context_length: 8192 }, { id: "b" }, { id: "a", context_length: 4096 }] },
    models: [offered("a", 4096), offered("b")],
  },
  {
    service: "KoboldCpp",
    source: "",
    title: "ids with blanks",
    body: { data: [{ id: "My Model 7B" }, { id: " " }, { id: "" }, { id: null }, null] },
    models: [offered("My Model 7B")],
  },
  {
    service: "a gateway",
    source: "",
    title: "a list under another content type",
    contentType: "text/plain",
    body: { data: [{ id: "a" }] },
    models: [offered("a")],
  },
  {
    service: "OpenRouter",
    source: "nodetool#5755",
    title: "an error in a success",
    body: { error: { code: 401, message: "User not found." } },
    models: failed("AUTH_FAILED"),
  },
  {
    service: "OpenRouter",
    source: "nodetool#5755",
    title: "no credit in a success",
    body: { error: { code: 402, message: "Insufficient credits" } },
    models: failed("NO_CREDIT"),
  },
  {
    service: "a gateway",
    source: "heyflare#6",
    title: "an error as text in a success",
    body: { error: "Invalid API key" },
    models: failed("AUTH_FAILED"),
  },
  {
    service: "a gateway",
    source: "heyflare#6",
    title: "another document",
    body: { hello: "world" },
    models: failed("SERVICE_UNAVAILABLE", { reason: "notAStream" }),
  },
  {
    service: "a proxy",
    source: "",
    title: "a page",
    contentType: "text/html",
    body: "<html>Sign in</html>",
    models: failed("SERVICE_UNAVAILABLE", { reason: "notAStream" }),
  },
  {
    service: "Ollama",
    source: "",
    title: "tags",
    protocol: "ollama",
    body: {
      models: [
        { name: "llama3.2:latest", model: "llama3.2:latest", size: 1 },
        { name: "nomic-embed-text:latest" },
        { name: "llama3.2:latest" },
      ],
    },
    models: [offered("llama3.2:latest")],
  },
  {
    service: "Anthropic",
    source: "",
    title: "its own form",
    protocol: "messages",
    body: {
      data: [
        {
          type: "model",
          id: "claude-haiku-5-5",
          display_name: "Claude Haiku 5.5",
          max_input_tokens: 200_000,
          max_tokens: 64_000,
        },
      ],
      has_more: false,
    },
    models: [{ ...offered("claude-haiku-5-5", 200_000, 64_000), label: "Claude Haiku 5.5" }],
  },
  {
    service: "a gateway in front of Anthropic",
    source: "",
    title: "OpenAI's form",
    protocol: "messages",
    body: { object: "list", data: [{ id: "claude-x", object: "model" }] },
    models: [offered("claude-x")],
  },
  {
    service: "a gateway in front of Anthropic",
    source: "heyflare#6",
    title: "models by name",
    protocol: "messages",
    body: { models: [{ name: "claude-x" }] },
    models: [offered("claude-x")],
  },
];

/** Limits under each of their names. */
const LIMITS: readonly ListRow[] = (
  [
    ["vLLM", "docs.vllm.ai: OpenAI-compatible server", { max_model_len: 32_768 }, [32_768]],
    [
      "OpenRouter",
      "openrouter.ai/docs/api-reference/list-available-models",
      {
        context_length: 1_000_000,
        top_provider: { context_length: 1_000_000, max_completion_tokens: 64_000 },
        supported_parameters: ["max_tokens", "tools"],
      },
      [1_000_000, 64_000, true],
    ],
    [
      "OpenRouter",
      "openrouter.ai/docs/api-reference/list-available-models",
      { top_provider: { context_length: 65_536 } },
      [65_536],
    ],
    [
      "Groq",
      "console.groq.com/docs/api-reference",
      { active: true, context_window: 131_072, max_completion_tokens: 8_192 },
      [131_072, 8_192],
    ],
    [
      "Mistral",
      "docs.mistral.ai/api: models",
      { max_context_length: 131_072, capabilities: { completion_chat: true, function_calling: true } },
      [131_072, undefined, true],
    ],
    [
      "LM Studio",
      "lmstudio.ai/docs/developer/rest",
      { type: "llm", state: "loaded", max_context_length: 262_144, loaded_context_length: 8_192 },
      [8_192],
    ],
    [
      "llama.cpp",
      "ggml-org/llama.cpp: tools/server/README",
      { meta: { n_ctx: 16_384, n_ctx_train: 131_072 } },
      [16_384],
    ],
    ["llama.cpp", "ggml-org/llama.cpp: tools/server/README", { n_ctx: 16_384 }, [16_384]],
    ["Anthropic's form", "docs.claude.com/en/api/models-list", { max_input_tokens: 200_000 }, [200_000]],
    [
      "GitHub Models",
      "docs.github.com/rest/models/catalog",
      { limits: { max_input_tokens: 131_072, max_output_tokens: 4_096 }, capabilities: ["streaming", "tool-calling"] },
      [131_072, 4_096, true],
    ],
    [
      "Copilot",
      "github/copilot: models",
      {
        capabilities: {
          type: "chat",
          limits: { max_context_window_tokens: 128_000, max_output_tokens: 16_384 },
          supports: { tool_calls: true },
        },
      },
      [128_000, 16_384, true],
    ],
    [
      "Gemini",
      "ai.google.dev/api/models",
      { inputTokenLimit: 1_048_576, outputTokenLimit: 65_536, supportedGenerationMethods: ["generateContent"] },
      [1_048_576, 65_536],
    ],
    [
      "LiteLLM",
      "docs.litellm.ai: /model/info",
      {
        model_info: {
          mode: "chat",
          max_input_tokens: 200_000,
          max_output_tokens: 8_192,
          supports_function_calling: false,
        },
      },
      [200_000, 8_192, false],
    ],
    ["a gateway", "BerriAI/litellm: figures as text", { context_length: "32768" }, [32_768]],
    [
      "a gateway",
      "BerriAI/litellm: figures that are none",
      { context_length: null, max_model_len: 0, context_window: -1 },
      [],
    ],
  ] as const
).map(([service, source, row, [contextWindow, maxOutput, callsTools]]) => ({
  service,
  source,
  title: `limits in ${Object.keys(row).join(", ")}`,
  body: { data: [{ id: "m", ...row }] },
  models: [offered("m", contextWindow, maxOutput, callsTools)],
}));

/** Ids of models that chat, although a syllable of the name is that of one that does not. */
const CHATTING = [
  "whisperer-13b",
  "embedder-killer-7b",
  "transcriber-7b",
  "moderator-7b",
  "artts-8b",
  "flux-capacitor-7b",
  "sorana-7b",
  "bgeneral-7b",
  "qwen2-audio-7b-instruct",
  "tts-lab/llama-4-8b",
  "gpt-6-luna",
  "ministral-8b",
  "deepseek-ocr",
  "voyager-70b",
  "realtimer-7b",
  "imagent-7b",
  "davinci-coder",
];

const NOT_CHATTING = [
  "jina-reranker-v2",
  "jina-reranker-v2-base-multilingual",
  "text-embedding-3-small",
  "whisper-1",
  "tts-1",
  "tts-1-hd",
  "dall-e-3",
  "bge-m3",
  "nomic-embed-text",
  "nomic-embed-text:v1.5",
  "openai/whisper-large-v3",
  "distil-whisper-large-v3-en",
  "BAAI/bge-reranker-v2-m3",
  "mxbai-embed-large",
  "all-minilm:33m",
  "intfloat/multilingual-e5-large",
  "gpt-4o-mini-tts",
  "gpt-4o-transcribe",
  "gpt-realtime",
  "gpt-image-1",
  "omni-moderation-latest",
  "sora-2",
  "stabilityai/stable-diffusion-3.5",
  "black-forest-labs/FLUX.1-schnell",
  "Qwen/Qwen3-Embedding-8B",
  "Qwen3-Reranker-0.6B",
  "gte-large",
  "voyage-3-large",
  "babbage-002",
  "davinci-002",
  "embeddinggemma:300m",
  "cohere/rerank-v3.5",
  "imagen-4.0-generate",
  "veo-3.0",
  "gpt-audio",
  "jina-colbert-v2",
  "mistral-ocr-latest",
  "nvidia/nv-embedqa-e5-v5",
];

const KINDS: readonly ListRow[] = [
  ...CHATTING.map((id) => ({
    service: "a server",
    source: "ProxMenux#171",
    title: `${id} chats`,
    body: { data: [{ id }] },
    models: [offered(id)],
  })),
  ...NOT_CHATTING.map((id) => ({
    service: "a server",
    source: "ProxMenux#171",
    title: `${id} does not chat`,
    body: { data: [{ id }, { id: "m" }] },
    models: [offered("m")],
  })),
  ...(
    [
      ["LM Studio", "lmstudio.ai/docs/developer/rest", { type: "embeddings" }],
      ["Ollama's capabilities", "zammad/zammad#6281", { capabilities: ["embedding"] }],
      ["Mistral", "docs.mistral.ai/api: models", { capabilities: { completion_chat: false } }],
      ["Copilot", "github/copilot: models", { capabilities: { type: "embeddings" } }],
      [
        "OpenRouter",
        "openrouter.ai/docs/api-reference/list-available-models",
        { architecture: { output_modalities: ["image"] } },
      ],
      [
        "OpenRouter",
        "openrouter.ai/docs/api-reference/list-available-models",
        { architecture: { modality: "text->image" } },
      ],
      ["Cohere", "docs.cohere.com/reference/list-models", { endpoints: ["rerank"] }],
      ["new-api", "QuantumNous/new-api: endpoint types", { supported_endpoint_types: ["jina-rerank"] }],
      ["LiteLLM", "docs.litellm.ai: /model/info", { model_info: { mode: "embedding" } }],
      ["Gemini", "ai.google.dev/api/models", { supportedGenerationMethods: ["embedContent"] }],
      ["Hugging Face", "huggingface.co/docs/hub/api", { pipeline_tag: "feature-extraction" }],
    ] as const
  ).map(([service, source, row]) => ({
    service,
    source,
    title: `stated by ${Object.keys(row).join(", ")} not to chat`,
    body: { data: [{ id: "plain-name", ...row }, { id: "m" }] },
    models: [offered("m")],
  })),
  ...(
    [
      ["Together", "docs.together.ai/reference/models", { type: "chat" }],
      [
        "OpenRouter",
        "openrouter.ai/docs/api-reference/list-available-models",
        { architecture: { output_modalities: ["image", "text"] } },
      ],
      ["Cohere", "docs.cohere.com/reference/list-models", { endpoints: ["embed", "chat"] }],
    ] as const
  ).map(([service, source, row]) => ({
    service,
    source,
    title: `stated by ${Object.keys(row).join(", ")} to chat, whatever its name`,
    body: { data: [{ id: "embed-and-chat", ...row }] },
    models: [offered("embed-and-chat")],
  })),
];

export const models: readonly DialectCase[] = [...FORMS, ...LIMITS, ...KINDS].map((row) => ({
  kind: "models",
  service: row.service,
  source: row.source,
  title: row.title,
  protocol: row.protocol ?? "chat",
  asks: "models",
  wire: [
    {
      headers: { "content-type": row.contentType ?? "application/json" },
      body: typeof row.body === "string" ? row.body : JSON.stringify(row.body),
    },
  ],
  right: { models: row.models, requests: 1 },
}));

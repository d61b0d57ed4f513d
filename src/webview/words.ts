/**
 * Every string that the view shows or speaks, in one table, so that a later table in another language can take its
 * place. Plain words, sentence case, buttons are verbs.
 */
export const words = {
  conversation: "Conversation",
  composer: "Message Forge",
  send: "Send",
  stop: "Stop",
  copy: "Copy",
  copied: "Copied",
  you: "You",
  answer: "Answer",
  note: "Note",
  code: "code",
  codeBlock: (language: string) => `${language} block`,
  table: "Table",
  done: "done",
  notDone: "not done",
  image: "image",
  invisible: (code: string) => `Invisible character ${code}`,

  thinking: "Thinking",
  thought: "Thoughts",
  waitingFor: (model: string) => `Waiting for ${model}`,
  opening: "Opening the conversation",
  older: "Loading older messages",

  keep: "Keep",
  continueAnswer: "Continue",
  askAgain: "Ask again",
  retry: "Retry",
  stopped: "Stopped. Everything you saw is kept.",
  interrupted: "Interrupted. Everything you saw is kept.",

  summarized: (count: number) => `${String(count)} ${count === 1 ? "message" : "messages"} summarized`,
  tokenChange: (before: string, after: string) => `${before} → ${after} tokens`,
  summaryUndone: "undone",
  factsKept: (kept: number, total: number) => `${String(kept)} of ${String(total)} facts kept`,
  covered: (first: number, last: number) =>
    first === last ? `message ${String(first)}` : `messages ${String(first)}–${String(last)}`,
  loadingSummary: "Loading the summary",
  undo: "Undo",
  redo: "Redo",
  undoHint: "Send the original messages again. Nothing is deleted.",
  redoHint: "Send this summary in place of the messages again.",

  summarizing: "Summarizing",
  summarizingAt: (percent: number) => `Summarizing ${String(percent)} %`,
  cancel: "Cancel",

  newBelow: "New below",
  toNewest: "Newest",

  changeModel: (model: string) => `Model: ${model}. Switch model`,
  offline: "Offline",
  usage: (text: string) => `Context: ${text}`,
  usageMeasured: "Measured by the provider",
  usageEstimated: "Estimated",
  draftTokens: (tokens: string) => `+${tokens}`,
  draftTokensUnit: "tokens",
  segments: {
    system: "Instructions",
    tools: "Tools",
    pins: "Pinned messages",
    summaries: "Summaries",
    messages: "Messages",
  },
  segmentDraft: "What you are typing",
  segmentFree: "Free",

  notWhileStreaming: "An answer is being written. Your text is kept; send it when the answer is complete.",
  notWhileSummarizing: "Older messages are being summarized. Your text is kept; send it when that is done.",
  notWhileLoading: "The conversation is being opened. Your text is kept.",
  notWhileBlocked: "Nothing can be sent now. Your text is kept.",
  notWhileSending: "The message is being saved.",

  offlineBanner: "No language model is connected.",
  addKey: "Add a key",
  useServer: "Use a local server",
  useEditorModels: "Use the editor’s models",

  emptyTitle: "The whole conversation, kept.",
  emptyText:
    "Talk as long as you like. Older parts are summarized when a model’s window fills, and come back when there is room.",
  emptyConnected: (model: string) => `${model} answers. Write your first message below.`,
  emptyEditorModels: "Use the editor’s models",
  emptyEditorModelsFound: (count: number) => (count === 0 ? "None found yet" : `${String(count)} found`),
  emptyServer: "Use a local server",
  emptyServerText: "Ollama, LM Studio, or any OpenAI-compatible address",
  emptyKey: "Add an Anthropic or OpenAI key",
  emptyKeyText: "Kept in the system’s secret storage",
  emptyOffline: "Until then Forge answers offline, from this conversation only. It is no language model.",

  spokenComplete: "Answer complete.",
  spokenSent: "Message sent.",
  spokenSummaryAdded: (count: number) => `${String(count)} messages summarized.`,
} as const;

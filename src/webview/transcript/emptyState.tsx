import type { ViewCommand } from "../../protocol/viewCommand.ts";
import { words } from "../words/words.ts";
import { Icon, type IconName } from "../controls/icon.tsx";
import { IconButton } from "../controls/iconButton.tsx";
import { useStore } from "../state/useStore.ts";

/** Conversation without messages: what this is and, without a model, the ways to connect one. */
export function EmptyState() {
  const store = useStore();
  const { connection, model } = store.status.value;
  return (
    <div class="empty">
      <h2>{words.emptyTitle}</h2>
      <p class="muted">{words.emptyText}</p>
      {connection.kind === "offline" ? (
        <>
          {connection.servers.map(({ label, modelCount, command }) => (
            <ConnectOption
              key={command}
              icon="server"
              command={command}
              title={words.emptyFound(label)}
              text={words.emptyFoundText(modelCount)}
            />
          ))}
          {connection.servers.some(({ command }) => command === "useOllama") ? (
            <ConnectOption icon="download" command="fetchModel" title={words.emptyFetch} text={words.emptyFetchText} />
          ) : null}
          <ConnectOption
            icon="editor"
            command="useEditorModels"
            title={words.emptyEditorModels}
            text={words.emptyEditorModelsFound(connection.editorModels)}
          />
          <ConnectOption icon="server" command="useServer" title={words.emptyServer} text={words.emptyServerText} />
          <ConnectOption icon="key" command="addKey" title={words.emptyKey} text={words.emptyKeyText} />
          {connection.servers.length === 0 ? <LocalModels /> : null}
          <p class="meta">{words.emptyOffline}</p>
        </>
      ) : (
        <p class="meta">{words.emptyConnected(model.label, connection.why)}</p>
      )}
    </div>
  );
}

/** Programs that run a model here, each with the command that does so once it is installed. */
const LOCAL_COMMANDS = [
  { program: "Ollama", command: "ollama run qwen3:8b" },
  { program: "llama.cpp", command: "llama-server --jinja -hf ggml-org/gemma-3-4b-it-GGUF" },
  { program: "LM Studio", command: "lms server start" },
] as const;

function LocalModels() {
  const store = useStore();
  return (
    <div class="local-models meta">
      <p>{words.emptyLocal}</p>
      <ul>
        {LOCAL_COMMANDS.map(({ program, command }) => (
          <li key={program}>
            <span>{program}</span>
            <code>{command}</code>
            <IconButton
              icon="copy"
              label={words.copyCommand(command)}
              onPress={() => {
                store.copy(command);
              }}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Servers in the settings that cannot be used: which, why, and what helps. Shown until one answers. */
export function UnreachableServers() {
  const store = useStore();
  const { unreachableServers } = store.status.value;
  if (unreachableServers.length === 0) return null;
  return (
    <div class="banner tone-warning unanswered">
      {unreachableServers.map((text) => (
        <p key={text}>
          <Icon name="warning" />
          <span>{text}</span>
        </p>
      ))}
      <div class="actions">
        <CommandButton label={words.lookAgain} command="lookAgain" isMain />
        <CommandButton label={words.switchModel} command="switchModel" />
        <CommandButton label={words.serverSettings} command="openServerSettings" />
      </div>
    </div>
  );
}

interface CommandButtonProps {
  readonly label: string;
  readonly command: ViewCommand;
  /** The one that most users want. */
  readonly isMain?: boolean;
}

function CommandButton({ label, command, isMain = false }: CommandButtonProps) {
  const store = useStore();
  return (
    <button
      type="button"
      class={isMain ? "button" : "button quiet"}
      onClick={() => {
        store.command(command);
      }}
    >
      {label}
    </button>
  );
}

interface ConnectOptionProps {
  readonly icon: IconName;
  readonly command: ViewCommand;
  readonly title: string;
  readonly text: string;
}

function ConnectOption({ icon, command, title, text }: ConnectOptionProps) {
  const store = useStore();
  return (
    <button
      type="button"
      class="way"
      onClick={() => {
        store.command(command);
      }}
    >
      <Icon name={icon} />
      <span class="way-words">
        <span>{title}</span>
        <span class="meta">{text}</span>
      </span>
    </button>
  );
}

/** The ways to connect a model, in one line, once there are messages. */
export function OfflineBanner() {
  const store = useStore();
  const { connection } = store.status.value;
  const servers = connection.kind === "offline" ? connection.servers : [];
  return (
    <div class="banner tone-info offline">
      <p>
        <Icon name="info" />
        {words.offlineBanner}
      </p>
      <div class="actions">
        {servers.map(({ label, command }) => (
          <CommandButton key={command} label={words.useFound(label)} command={command} />
        ))}
        <CommandButton label={words.addKey} command="addKey" />
        <CommandButton label={words.useServer} command="useServer" />
        <CommandButton label={words.useEditorModels} command="useEditorModels" />
      </div>
    </div>
  );
}

import { useEffect, useMemo, useState } from "preact/hooks";
import type { CodeToken } from "../codeTokens.ts";
import { words } from "../words.ts";
import { useServices } from "./useStore.ts";
import { visibleText } from "./visibleText.tsx";

interface CodeProps {
  readonly language: string;
  readonly code: string;
  /** The fence is closed, or the answer has ended: now it is worth colouring. */
  readonly final: boolean;
}

/** A block of code with its language and a button to copy it. Coloured once, when it is final. */
export function CodeBlock({ language, code, final }: CodeProps) {
  const tokens = useTokens(language, code, final);
  const label = language === "" ? words.code : language;
  return (
    <div class="code-block">
      <div class="code-bar">
        <span class="code-language">{label}</span>
        <CopyButton text={code} />
      </div>
      <pre role="group" aria-label={words.codeBlock(label)} tabIndex={0}>
        <code>{tokens === null ? visibleText(code) : tokens.map(drawToken)}</code>
      </pre>
    </div>
  );
}

function drawToken(token: CodeToken, index: number) {
  return token.kind === null ? (
    visibleText(token.text)
  ) : (
    <span key={index} class={`token-${token.kind}`}>
      {visibleText(token.text)}
    </span>
  );
}

function useTokens(language: string, code: string, final: boolean): readonly CodeToken[] | null {
  const { highlighter } = useServices();
  const [coloured, setColoured] = useState<{ readonly code: string; readonly tokens: readonly CodeToken[] | null }>();
  const atOnce = useMemo(
    () => (final ? highlighter.tokensNow(language, code) : undefined),
    [highlighter, language, code, final],
  );
  useEffect(() => {
    if (!final || atOnce !== undefined) return;
    let wanted = true;
    void highlighter.tokens(language, code).then((tokens) => {
      if (wanted) setColoured({ code, tokens });
    });
    return () => {
      wanted = false;
    };
  }, [highlighter, language, code, final, atOnce]);
  if (atOnce !== undefined) return atOnce;
  return coloured?.code === code ? coloured.tokens : null;
}

/** How long a button says that it has done its work. */
const copiedShownMs = 1500;

/** Puts a text into the clipboard, by way of the host, and says so. */
export function CopyButton({ text }: { readonly text: string }) {
  const { store } = useServices();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => {
      setCopied(false);
    }, copiedShownMs);
    return () => {
      clearTimeout(timer);
    };
  }, [copied]);
  const copy = (): void => {
    store.post({ kind: "copy", text });
    store.say(words.copied);
    setCopied(true);
  };
  return (
    <button type="button" class="text-button" onClick={copy}>
      {copied ? words.copied : words.copy}
    </button>
  );
}

import { Fragment } from "preact";
import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import type { CodeToken } from "./codeTokens.ts";
import type { Block } from "../markdown/markdownTree.ts";
import { words } from "../../words/words.ts";
import { useCodeFold } from "./codeFold.ts";
import { CodeToolbar } from "./codeToolbar.tsx";
import { FileLink } from "../fileLink.tsx";
import { LongText } from "../longText.tsx";
import { useServices } from "../../state/useStore.ts";
import { isolatedText, visibleText } from "../visibleText.tsx";

interface CodeProps {
  readonly block: Extract<Block, { kind: "code" }>;
  /** The fence is closed or the answer is complete: the code can be highlighted. */
  readonly final: boolean;
  /** Last block of a streaming answer. */
  readonly growing: boolean;
}

/** Code block with its language, the file that it names, and its toolbar. Highlighted once, when `final`. */
export function CodeBlock({ block, final, growing }: CodeProps) {
  const tokens = useTokens(block.language, block.text, final);
  const fold = useCodeFold(block.text, final);
  const { language, text: code, path = "" } = block;
  const label = language === "" ? words.code : language;
  return (
    <div class={growing ? "code-block unfinished" : "code-block"}>
      <div class="code-bar">
        <span class="code-language">{label}</span>
        {path === "" ? null : (
          <span class="code-path">
            <FileLink name={{ path, line: 0, column: 0 }}>{isolatedText(path)}</FileLink>
          </span>
        )}
        <CodeToolbar code={code} language={language} path={path} final={final} />
      </div>
      <pre
        ref={fold.pre}
        class={fold.isFolded ? "folded" : undefined}
        role="group"
        aria-label={words.codeBlock(label)}
        tabIndex={0}
      >
        <code>{tokens === null ? <LongText text={code} draw={isolatedText} /> : tokens.map(drawToken)}</code>
      </pre>
      {fold.lines === 0 ? null : (
        <button type="button" class="code-more" aria-expanded={!fold.isFolded} onClick={fold.toggle}>
          {fold.isFolded ? words.showAllLines(fold.lines) : words.showFewerLines}
        </button>
      )}
    </div>
  );
}

function drawToken(token: CodeToken, index: number) {
  return token.kind === null ? (
    <Fragment key={index}>{isolatedText(token.text, true)}</Fragment>
  ) : (
    <span key={index} class={`token-${token.kind}`}>
      {visibleText(token.text)}
    </span>
  );
}

function useTokens(language: string, code: string, final: boolean): readonly CodeToken[] | null {
  const { highlighter } = useServices();
  const [coloured, setColoured] = useState<{ readonly code: string; readonly tokens: readonly CodeToken[] | null }>();
  const syncTokens = useMemo(
    () => (final ? highlighter.tokensSync(language, code) : undefined),
    [highlighter, language, code, final],
  );
  useLayoutEffect(() => {
    if (!final || syncTokens !== undefined) return;
    let wanted = true;
    void highlighter.tokens(language, code).then((tokens) => {
      if (wanted) setColoured({ code, tokens });
    });
    return () => {
      wanted = false;
    };
  }, [highlighter, language, code, final, syncTokens]);
  if (syncTokens !== undefined) return syncTokens;
  return coloured?.code === code ? coloured.tokens : null;
}

interface MoreRowsProps {
  readonly label: string;
  readonly isThere: boolean;
  readonly load: () => void;
}

/**
 * A button for rows that are not mounted. A screen reader goes through the page without scrolling it, so nothing else would
 * bring them; everybody else has the scroll bar.
 */
export function MoreRows({ label, isThere, load }: MoreRowsProps) {
  if (!isThere || !hasScreenReader()) return null;
  return (
    <button type="button" class="text-button more-rows" onClick={load}>
      {label}
    </button>
  );
}

/** The editor says so on the page's body. */
function hasScreenReader(): boolean {
  return document.body.classList.contains("vscode-using-screen-reader");
}

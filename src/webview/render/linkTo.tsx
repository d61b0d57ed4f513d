import type { ComponentChildren, VNode } from "preact";
import { useStore } from "./useStore.ts";

interface LinkProps {
  /** Checked already; null for an address that must not be opened. */
  readonly href: string | null;
  /** As the answer has it. */
  readonly address: string;
  readonly children: ComponentChildren;
}

/** A link that only the host opens; its title shows where it really leads. What is no link is text with its address. */
export function LinkTo(props: LinkProps) {
  const store = useStore();
  return linkView(props, (event) => {
    event.preventDefault();
    event.stopPropagation(); // the editor listens further up and would open it a second time
    if (props.href !== null) store.post({ kind: "openLink", href: props.href });
  });
}

/** What a {@link LinkTo} looks like. */
export function linkView({ href, address, children }: LinkProps, open: (event: Event) => void): VNode {
  if (href === null) {
    return (
      <span class="dead-link" title={address.slice(0, 500)}>
        {children}
      </span>
    );
  }
  return (
    <a href={href} title={href} rel="noreferrer noopener" onClick={open} onAuxClick={open}>
      {children}
    </a>
  );
}

import type { ReactNode } from 'react';

/** An identifier, hash or path. A long one wraps between any two characters. */
export function Code({ children }: { readonly children: ReactNode }) {
  return <code className="font-mono text-sm wrap-anywhere">{children}</code>;
}

export interface TruncatedProps {
  readonly text: string;
  /** True for identifiers and URLs: fixed width, and always from left to right. */
  readonly mono?: boolean | undefined;
  readonly muted?: boolean | undefined;
}

/** A text that is cut off at the end of its line. The pointer shows all of it. */
export function Truncated({ text, mono = false, muted = false }: TruncatedProps) {
  return (
    <span
      dir={mono ? undefined : 'auto'}
      title={text}
      className={`block truncate ${mono ? 'font-mono text-sm' : ''} ${muted ? 'text-muted' : ''}`}
    >
      {text}
    </span>
  );
}

import { CopyButton } from './copy-button.js';

export interface CodeBlockProps {
  readonly code: string;
  /** The kind of text, for example "Shell" or "JSON". It is also the name of the scroll area. */
  readonly language: string;
  /** True to wrap long lines instead of scrolling. */
  readonly wrap?: boolean | undefined;
  /** The greatest height in rem before the block scrolls. */
  readonly maxHeight?: number | undefined;
}

/** Code with its language and a button that copies it. The keyboard can scroll it. */
export function CodeBlock({ code, language, wrap = false, maxHeight = 24 }: CodeBlockProps) {
  return (
    <div className="min-w-0 overflow-hidden rounded-md border border-line bg-subtle">
      <div className="flex items-center justify-between border-b border-line py-0.5 pr-1 pl-3 text-xs text-muted">
        <span>{language}</span>
        <CopyButton value={code} />
      </div>
      <pre
        tabIndex={0}
        role="region"
        aria-label={language}
        style={{ maxHeight: `${maxHeight}rem` }}
        className={`overflow-auto px-3 py-2.5 font-mono text-sm text-ink focus-visible:-outline-offset-2 ${wrap ? 'break-all whitespace-pre-wrap' : ''}`}
      >
        <code>{code}</code>
      </pre>
    </div>
  );
}

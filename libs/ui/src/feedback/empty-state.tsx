import type { ReactNode } from 'react';

import { CodeBlock } from '../text/code-block.js';

export interface EmptyStateProps {
  readonly title: string;
  /** Explains the entries of the list and their use. */
  readonly text: ReactNode;
  readonly icon?: ReactNode | undefined;
  readonly action?: ReactNode | undefined;
  /** Lines to paste into a terminal. */
  readonly code?: string | undefined;
  readonly codeLanguage?: string | undefined;
}

/** Replaces a list that has no entries: explains them, and how to get the first one. */
export function EmptyState({ title, text, icon, action, code, codeLanguage = 'Shell' }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-4 px-4 py-12 text-center">
      {icon !== undefined && (
        <div aria-hidden className="rounded-lg border border-line bg-subtle p-2.5 text-faint [&>svg]:size-5">
          {icon}
        </div>
      )}
      <div className="flex flex-col gap-1">
        <p className="text-lg font-semibold text-ink">{title}</p>
        <div className="max-w-md text-pretty text-muted">{text}</div>
      </div>
      {code !== undefined && (
        <div className="w-full max-w-xl text-left">
          <CodeBlock code={code} language={codeLanguage} />
        </div>
      )}
      {action !== undefined && <div className="flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

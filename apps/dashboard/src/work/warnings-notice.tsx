import { Notice } from '@understudy/ui';

import { WORK_TEXTS } from './texts.js';

/** The warnings of the server about work. Nothing without a warning. */
export function WarningsNotice({
  warnings,
}: {
  readonly warnings: readonly {
    readonly code: string;
    readonly message: string;
    readonly field?: string | undefined;
  }[];
}) {
  if (warnings.length === 0) return null;
  return (
    <Notice tone="warning" announce={false} title={WORK_TEXTS.warnings}>
      <ul className="flex list-disc flex-col gap-1 pl-5">
        {warnings.map(({ code, message, field }, index) => (
          <li key={index} className="wrap-anywhere">
            {message} <code className="font-mono text-xs text-muted">{field ?? code}</code>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

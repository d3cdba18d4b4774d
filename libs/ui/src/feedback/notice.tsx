import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

import { Button } from '../controls/button.js';
import { RequestLink } from '../controls/link.js';
import { CopyButton } from '../text/copy-button.js';
import { TEXTS } from '../texts.js';

export type Tone = 'info' | 'success' | 'warning' | 'danger';

export interface NoticeProps {
  readonly tone?: Tone | undefined;
  readonly title?: string | undefined;
  readonly text?: ReactNode | undefined;
  readonly action?: ReactNode | undefined;
  readonly children?: ReactNode | undefined;
  /** False for a notice that is there when the page opens, so that it is not announced on its own. */
  readonly announce?: boolean | undefined;
}

/** A message in the page. `danger` interrupts screen readers, all other tones wait. */
export function Notice({ tone = 'info', title, text, action, children, announce = true }: NoticeProps) {
  const Icon = ICONS[tone];
  return (
    <div
      {...(announce ? { role: tone === 'danger' ? 'alert' : 'status' } : {})}
      className={`flex min-w-0 items-start gap-2.5 rounded-md border px-3 py-2.5 text-base ${TONES[tone]}`}
    >
      <Icon aria-hidden className="mt-0.75 size-4 shrink-0" />
      <div className="flex min-w-0 grow flex-col gap-1 text-ink">
        {title !== undefined && <p className="font-medium">{title}</p>}
        {text !== undefined && <div className="max-w-prose">{text}</div>}
        {children}
        {action !== undefined && <div className="flex flex-wrap gap-2 pt-1">{action}</div>}
      </div>
    </div>
  );
}

/** An error as a screen shows it. */
export interface Problem {
  readonly title: string;
  readonly text: string;
  /** A sentence about what the user can do. */
  readonly remedy?: string | undefined;
  /** The id under which the server logged the call. */
  readonly requestId?: string | undefined;
  /** The single faults, for example one entry per field. */
  readonly details?: readonly string[] | undefined;
}

/** An error in place of the content that could not be loaded or saved. */
export function ErrorNotice({
  problem,
  onRetry,
}: {
  readonly problem: Problem;
  readonly onRetry?: (() => void) | undefined;
}) {
  const { title, text, remedy, requestId, details = [] } = problem;
  return (
    <Notice
      tone="danger"
      title={title}
      text={text}
      action={onRetry !== undefined && <Button onClick={onRetry}>{TEXTS.retry}</Button>}
    >
      {details.length > 0 && (
        <ul className="list-disc pl-5">
          {details.map((detail) => (
            <li key={detail}>{detail}</li>
          ))}
        </ul>
      )}
      {remedy !== undefined && <p className="max-w-prose">{remedy}</p>}
      {requestId !== undefined && (
        <p className="flex flex-wrap items-center gap-x-1 text-sm text-muted">
          {TEXTS.requestId} <code className="font-mono text-xs break-all">{requestId}</code>
          <CopyButton value={requestId} />
          <RequestLink requestId={requestId} />
        </p>
      )}
    </Notice>
  );
}

const ICONS = { info: Info, success: CircleCheck, warning: TriangleAlert, danger: CircleAlert } as const;

const TONES = {
  info: 'border-info-line bg-info-soft text-info',
  success: 'border-success-line bg-success-soft text-success',
  warning: 'border-warning-line bg-warning-soft text-warning',
  danger: 'border-danger-line bg-danger-soft text-danger',
} as const;

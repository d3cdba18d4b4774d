import { Ban, CircleCheck, CircleDashed, CircleX, Clock, LoaderCircle, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

export interface BadgeProps {
  readonly tone?: 'neutral' | 'accent' | 'info' | 'success' | 'warning' | 'danger' | undefined;
  readonly children: ReactNode;
}

/** A short word about a thing, such as a role or a kind. */
export function Badge({ tone = 'neutral', children }: BadgeProps) {
  return (
    <span
      className={`inline-flex h-5 max-w-full align-middle shrink-0 items-center gap-1 rounded-sm border px-1.5 text-xs font-medium whitespace-nowrap ${TONES[tone]}`}
    >
      {children}
    </span>
  );
}

/** The kinds of status that things of the product have. */
export type Status = 'waiting' | 'running' | 'succeeded' | 'warning' | 'failed' | 'cancelled' | 'inactive';

/** The status of a thing as icon and word, never as colour only. */
export function StatusBadge({ status, label }: { readonly status: Status; readonly label: string }) {
  const { icon: Icon, className } = STATUSES[status];
  return (
    <span className="inline-flex items-center gap-1.5 align-middle font-medium whitespace-nowrap text-ink">
      <Icon aria-hidden className={`size-4 shrink-0 ${className}`} />
      {label}
    </span>
  );
}

const STATUSES = {
  waiting: { icon: Clock, className: 'text-muted' },
  running: { icon: LoaderCircle, className: 'animate-spin text-accent' },
  succeeded: { icon: CircleCheck, className: 'text-success' },
  warning: { icon: TriangleAlert, className: 'text-warning' },
  failed: { icon: CircleX, className: 'text-danger' },
  cancelled: { icon: Ban, className: 'text-muted' },
  inactive: { icon: CircleDashed, className: 'text-faint' },
} as const satisfies Record<Status, unknown>;

const TONES = {
  neutral: 'border-line bg-subtle text-muted',
  accent: 'border-accent-line bg-accent-soft text-accent',
  info: 'border-info-line bg-info-soft text-info',
  success: 'border-success-line bg-success-soft text-success',
  warning: 'border-warning-line bg-warning-soft text-warning',
  danger: 'border-danger-line bg-danger-soft text-danger',
} as const;

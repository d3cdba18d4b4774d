import { Check, Circle, LoaderCircle, X } from 'lucide-react';
import type { ReactNode } from 'react';

import { VisuallyHidden } from '../feedback/spinner.js';
import { TEXTS } from '../texts.js';

export interface Phase {
  readonly id: string;
  readonly label: string;
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  /** A fact about the phase, for example its duration. */
  readonly text?: ReactNode;
}

/** The phases of a job in order, with the state of each as icon and colour, and as text for screen readers. */
export function PhaseBar({ label, phases }: { readonly label: string; readonly phases: readonly Phase[] }) {
  return (
    <div className="@container min-w-0">
      <ol aria-label={label} className="flex min-w-0 gap-1.5 @max-[40rem]:flex-col @max-[40rem]:gap-0">
        {phases.map((phase) => (
          <PhaseItem key={phase.id} phase={phase} />
        ))}
      </ol>
    </div>
  );
}

function PhaseItem({ phase }: { readonly phase: Phase }) {
  const { icon: Icon, bar, mark } = STATES[phase.state];
  return (
    <li
      aria-current={phase.state === 'running' ? 'step' : undefined}
      className="flex min-w-0 flex-1 flex-col gap-1.5 @max-[40rem]:flex-row @max-[40rem]:items-center @max-[40rem]:py-1"
    >
      <span aria-hidden className={`h-1 rounded-full @max-[40rem]:hidden ${bar} forced-colors:border`} />
      <span className="flex min-w-0 items-center gap-1.5 @max-[40rem]:grow">
        <Icon aria-hidden className={`size-3.5 shrink-0 ${mark}`} />
        <span
          className={`truncate text-sm font-medium ${phase.state === 'waiting' ? 'text-muted' : 'text-ink'}`}
        >
          {phase.label}
        </span>
        <VisuallyHidden>{`: ${TEXTS.phaseStates[phase.state]}`}</VisuallyHidden>
      </span>
      {phase.text !== undefined && (
        <span className="truncate text-xs text-muted tabular-nums">{phase.text}</span>
      )}
    </li>
  );
}

const STATES = {
  waiting: { icon: Circle, bar: 'bg-pressed', mark: 'text-faint' },
  running: { icon: LoaderCircle, bar: 'animate-pulse bg-accent-solid', mark: 'animate-spin text-accent' },
  done: { icon: Check, bar: 'bg-success', mark: 'text-success' },
  failed: { icon: X, bar: 'bg-danger', mark: 'text-danger' },
} as const;

import { Link } from '@tanstack/react-router';
import { EmptyState, LinkButton, Skeleton } from '@understudy/ui';
import type { ReactNode } from 'react';

import { useReadiness } from './agents.js';
import { WORK_TEXTS } from './texts.js';

const { missing } = WORK_TEXTS;

/** An empty list of work: what the organisation still lacks, or how to begin. */
export function NoWork({
  title,
  text,
  icon,
  action,
}: {
  readonly title: string;
  /** How to begin when nothing is missing. */
  readonly text: string;
  readonly icon: ReactNode;
  /** Begins the work. */
  readonly action: ReactNode;
}) {
  const readiness = useReadiness();
  if (readiness === undefined) return <Skeleton lines={4} />;
  if (readiness === 'ready') return <EmptyState title={title} text={text} icon={icon} action={action} />;
  const { text: reason, agents } = missing[readiness];
  return (
    <EmptyState
      title={title}
      text={reason}
      icon={icon}
      action={<LinkButton render={<Link to="/agents" />}>{agents}</LinkButton>}
    />
  );
}

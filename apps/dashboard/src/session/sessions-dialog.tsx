import { useQuery } from '@tanstack/react-query';
import { Badge, Button, Dialog, formatLocal, Time } from '@understudy/ui';
import { useState } from 'react';

import { MutationDialog } from '../api/mutation-dialog.js';
import { QueryState } from '../api/query-state.js';
import { sessionCalls } from './session-calls.js';
import type { ListedSession } from './session.js';
import { SESSION_TEXTS } from './texts.js';

const { open: TEXTS } = SESSION_TEXTS;
const KEY = ['sessions'];

/** The browsers in which the reader is signed in. The session of any other one can be ended. */
export function SessionsDialog({ onClose }: { readonly onClose: () => void }) {
  const [ending, setEnding] = useState<ListedSession>();
  const query = useQuery({ queryKey: KEY, queryFn: sessionCalls.list, staleTime: 0 });
  if (ending)
    return (
      <MutationDialog
        title={TEXTS.confirmTitle}
        text={TEXTS.confirmText(sinceOf(ending))}
        confirmLabel={TEXTS.end}
        run={() => sessionCalls.endOne(ending.id)}
        queryKey={KEY}
        done={TEXTS.ended}
        onClose={() => setEnding(undefined)}
      />
    );
  const { data } = query;
  const hasOther = data?.some(({ current }) => !current);
  return (
    <Dialog open onOpenChange={onClose} title={TEXTS.title} description={TEXTS.text}>
      <QueryState query={query} lines={3} />
      {data && (
        <ul className="flex flex-col divide-y divide-line rounded-md border border-line">
          {data.map((session) => (
            <SessionItem key={session.id} session={session} onEnd={() => setEnding(session)} />
          ))}
        </ul>
      )}
      <p className="text-sm text-muted">
        {hasOther === false && `${TEXTS.noOther} `}
        {TEXTS.unknown}
      </p>
    </Dialog>
  );
}

function SessionItem({ session, onEnd }: { readonly session: ListedSession; readonly onEnd: () => void }) {
  const { signed_in_by: method, created_at: since, last_seen_at: lastUse, current } = session;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-3 py-2.5">
      <div className="flex min-w-0 flex-col gap-0.5">
        <span className="flex flex-wrap items-center gap-2 font-medium">
          {TEXTS.signedInBy[method]}
          {current && <Badge tone="info">{TEXTS.current}</Badge>}
        </span>
        <span className="text-sm text-muted">
          {TEXTS.since} <Time iso={since} /> · {TEXTS.lastUse} <Time iso={lastUse} format="relative" />
        </span>
      </div>
      {!current && (
        <Button size="small" aria-label={TEXTS.endOf(sinceOf(session))} onClick={onEnd}>
          {TEXTS.end}
        </Button>
      )}
    </li>
  );
}

function sinceOf({ created_at: since }: ListedSession): string {
  return formatLocal(new Date(since));
}

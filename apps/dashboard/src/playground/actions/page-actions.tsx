import { Button } from '@understudy/ui';
import { Code, Waypoints } from 'lucide-react';
import { useMemo, useState } from 'react';

import { useAllows } from '../../session/use-session.js';
import type { Draft } from '../state/draft.js';
import { ACTIONS } from '../texts.js';
import type { RecordsRequest } from '../../engine/worker/messages.js';
import { CopyLink } from './copy-link.js';
import { MockEndpointDialog } from './mock-endpoint-dialog.js';
import { callOf, UseInCodeDialog } from './use-in-code.js';

export interface PageActionsProps {
  readonly draft: Draft;
  /** Undefined while the settings are invalid. */
  readonly request: RecordsRequest | undefined;
}

/** The actions with a schema: to share it, to use it in code, and to serve its records. */
export function PageActions({ draft, request }: PageActionsProps) {
  const [open, setOpen] = useState<'code' | 'mock'>();
  const mayCreate = useAllows({ role: 'member', scope: 'endpoints:write' });
  const call = useMemo(() => request && callOf(request, draft.now), [request, draft.now]);
  const close = () => setOpen(undefined);
  return (
    <>
      <CopyLink draft={draft} />
      <Button icon={<Code aria-hidden />} disabled={call === undefined} onClick={() => setOpen('code')}>
        {ACTIONS.use}
      </Button>
      {mayCreate && (
        <Button
          icon={<Waypoints aria-hidden />}
          disabled={call === undefined}
          onClick={() => setOpen('mock')}
        >
          {ACTIONS.mock}
        </Button>
      )}
      {open === 'code' && call && <UseInCodeDialog call={call} onClose={close} />}
      {open === 'mock' && call && <MockEndpointDialog call={call} onClose={close} />}
    </>
  );
}

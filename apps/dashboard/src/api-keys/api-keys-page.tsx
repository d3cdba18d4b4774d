import {
  Badge,
  Button,
  columnsOf,
  EmptyState,
  Menu,
  PageHeader,
  Time,
  Tooltip,
  Truncated,
} from '@understudy/ui';
import type { Token } from '@understudy/client';
import { KeyRound, Plus, RefreshCw, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';

import { ListTable } from '../api/list-table.js';
import { roleName, ScopeCount } from '../session/roles.js';
import { useAllows, useSession } from '../session/use-session.js';
import { KeyShownOnce, RevokeKeyDialog, RotateKeyDialog, type ShownKey } from './key-dialogs.js';
import { CreateKeyDialog } from './key-form.js';
import { useApiKeys, useMemberAddresses } from './queries.js';
import { TEXTS } from './texts.js';

/** The dialog that is open. */
type Open =
  | { readonly kind: 'create' }
  | { readonly kind: 'shown'; readonly shown: ShownKey }
  | { readonly kind: 'rotate' | 'revoke'; readonly token: Token };

/** The API keys of the organisation. */
export function ApiKeysPage() {
  const keys = useApiKeys();
  const mayWrite = useAllows({ role: 'admin', scope: 'tokens:write' });
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const create = mayWrite && (
    <Button kind="primary" icon={<Plus aria-hidden />} onClick={() => setOpen({ kind: 'create' })}>
      {TEXTS.create}
    </Button>
  );
  const columns = useColumns(mayWrite, setOpen);
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title={TEXTS.title} meta={TEXTS.meta} actions={create} />
      <ListTable
        list={keys}
        caption={TEXTS.caption}
        columns={columns}
        empty={<EmptyState {...TEXTS.empty} icon={<KeyRound />} action={create || undefined} />}
      />
      {open?.kind === 'create' && (
        <CreateKeyDialog onClose={close} onCreated={(shown) => setOpen({ kind: 'shown', shown })} />
      )}
      {open?.kind === 'shown' && <KeyShownOnce shown={open.shown} onClose={close} />}
      {open?.kind === 'rotate' && (
        <RotateKeyDialog
          token={open.token}
          onClose={close}
          onRotated={(shown) => setOpen({ kind: 'shown', shown })}
        />
      )}
      {open?.kind === 'revoke' && <RevokeKeyDialog token={open.token} onClose={close} />}
    </div>
  );
}

function useColumns(mayWrite: boolean, setOpen: (open: Open) => void) {
  const addresses = useMemberAddresses();
  const { member } = useSession();
  return useMemo(() => {
    const ownerOf = ({ member_id: owner }: Token): string => {
      if (owner === null) return TEXTS.organization;
      return owner === member?.id ? TEXTS.you : (addresses.get(owner) ?? owner);
    };
    const actions = {
      headerHidden: true,
      width: '3rem',
      cell: (token: Token) => (
        <Menu
          label={TEXTS.actionsOf(token.name)}
          size="small"
          items={[
            { label: TEXTS.rotate, icon: <RefreshCw />, onSelect: () => setOpen({ kind: 'rotate', token }) },
            {
              label: TEXTS.revoke,
              icon: <Trash2 />,
              danger: true,
              onSelect: () => setOpen({ kind: 'revoke', token }),
            },
          ]}
        />
      ),
    };
    return columnsOf<Token>()(TEXTS.columns, {
      name: { cell: (token) => <KeyName token={token} /> },
      role: { width: '6rem', cell: ({ role }) => roleName(role) },
      access: { width: '13rem', hideBelow: 'md', cell: (token) => <ScopeCount scopes={token.scopes} /> },
      owner: { width: '12rem', hideBelow: 'lg', cell: (token) => <Truncated text={ownerOf(token)} /> },
      lastUsed: {
        width: '9rem',
        cell: ({ last_used_at: used }) =>
          used === null ? (
            <span className="text-muted">{TEXTS.never}</span>
          ) : (
            <Time iso={used} format="relative" />
          ),
      },
      expires: { width: '11rem', cell: ({ expires_at: end }) => <Expiry end={end} /> },
      ...(mayWrite && { actions }),
    });
  }, [addresses, member, mayWrite, setOpen]);
}

function KeyName({ token }: { readonly token: Token }) {
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2">
      <span className="min-w-0 truncate font-medium" dir="auto" title={token.name}>
        {token.name}
      </span>
      {token.needs_rotation && (
        <Tooltip text={TEXTS.needsRotationHint}>
          <button type="button" className="rounded-sm">
            <Badge tone="warning">{TEXTS.needsRotation}</Badge>
          </button>
        </Tooltip>
      )}
      <code className="basis-full truncate font-mono text-xs text-muted">{token.hint}</code>
    </span>
  );
}

function Expiry({ end }: { readonly end: string }) {
  const [openedAt] = useState(() => Date.now());
  if (Date.parse(end) <= openedAt) return <Badge tone="danger">{TEXTS.expired}</Badge>;
  return <Time iso={end} format="relative" />;
}

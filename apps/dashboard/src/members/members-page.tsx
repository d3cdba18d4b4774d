import type { Member } from '@understudy/client';
import { Badge, Button, columnsOf, EmptyState, Menu, PageHeader, StatusBadge, Time } from '@understudy/ui';
import { Link2, Plus, Trash2, UserCog, Users } from 'lucide-react';
import { useMemo, useState } from 'react';

import { ListTable } from '../api/list-table.js';
import { roleName, ScopeCount } from '../session/roles.js';
import { ROLES, type Role } from '../session/session.js';
import { useAllows, useSession } from '../session/use-session.js';
import { InvitationDialog, InviteDialog, type Invitation } from './invite-dialogs.js';
import { ChangeRoleDialog, RemoveMemberDialog, SignInLinkDialog } from './member-dialogs.js';
import { useMembers } from './queries.js';
import { TEXTS } from './texts.js';

/** The dialog that is open. */
type Open =
  | { readonly kind: 'invite' }
  | { readonly kind: 'invitation'; readonly invitation: Invitation }
  | { readonly kind: 'role' | 'link' | 'remove'; readonly member: Member };

/** The members of the organisation and their roles. */
export function MembersPage() {
  const members = useMembers();
  const mayWrite = useAllows({ role: 'admin', scope: 'org:write' });
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const columns = useColumns(mayWrite, setOpen);
  const invite = mayWrite && (
    <Button kind="primary" icon={<Plus aria-hidden />} onClick={() => setOpen({ kind: 'invite' })}>
      {TEXTS.invite}
    </Button>
  );
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title={TEXTS.title} meta={TEXTS.meta} actions={invite} />
      <ListTable
        list={members}
        caption={TEXTS.caption}
        columns={columns}
        empty={<EmptyState {...TEXTS.empty} icon={<Users />} action={invite || undefined} />}
      />
      {open?.kind === 'invite' && (
        <InviteDialog
          onClose={close}
          onInvited={(invitation) => setOpen({ kind: 'invitation', invitation })}
        />
      )}
      {open?.kind === 'invitation' && <InvitationDialog invitation={open.invitation} onClose={close} />}
      {open?.kind === 'role' && <ChangeRoleDialog member={open.member} onClose={close} />}
      {open?.kind === 'link' && <SignInLinkDialog member={open.member} onClose={close} />}
      {open?.kind === 'remove' && <RemoveMemberDialog member={open.member} onClose={close} />}
    </div>
  );
}

function useColumns(mayWrite: boolean, setOpen: (open: Open) => void) {
  const session = useSession();
  return useMemo(() => {
    /** A member with a higher role than the session cannot be changed. A role of a later version is the highest. */
    const mayChange = ({ role }: Member): boolean =>
      ROLES.slice(0, ROLES.indexOf(session.role) + 1).includes(role as Role);
    const actions = {
      headerHidden: true,
      width: '3rem',
      cell: (member: Member) => {
        const opens = (kind: 'role' | 'link' | 'remove') => () => setOpen({ kind, member });
        if (!mayChange(member)) return null;
        return (
          <Menu
            label={TEXTS.actionsOf(member.email)}
            size="small"
            items={[
              { label: TEXTS.changeRole, icon: <UserCog />, onSelect: opens('role') },
              ...(member.status === 'invited'
                ? []
                : [{ label: TEXTS.createLink, icon: <Link2 />, onSelect: opens('link') }]),
              { label: TEXTS.remove, icon: <Trash2 />, danger: true, onSelect: opens('remove') },
            ]}
          />
        );
      },
    };
    return columnsOf<Member>()(TEXTS.columns, {
      email: { cell: (member) => <MemberName member={member} isSelf={member.id === session.member?.id} /> },
      role: { width: '7rem', cell: ({ role }) => roleName(role) },
      access: { width: '14rem', hideBelow: 'lg', cell: (member) => <ScopeCount scopes={member.scopes} /> },
      status: {
        width: '8rem',
        cell: ({ status }) => (
          <StatusBadge
            status={status === 'active' ? 'succeeded' : 'waiting'}
            label={TEXTS.statuses[status] ?? status}
          />
        ),
      },
      since: {
        width: '10rem',
        cell: ({ joined_at: joined, invited_at: invited }) => (
          <Time iso={joined ?? invited} format="relative" />
        ),
      },
      ...(mayWrite && { actions }),
    });
  }, [session, mayWrite, setOpen]);
}

function MemberName({ member, isSelf }: { readonly member: Member; readonly isSelf: boolean }) {
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2">
      <span className="min-w-0 truncate font-medium" dir="auto" title={member.email}>
        {member.email}
      </span>
      {isSelf && <Badge tone="accent">{TEXTS.you}</Badge>}
      {member.name !== null && (
        <span className="basis-full truncate text-sm text-muted" dir="auto" title={member.name}>
          {member.name}
        </span>
      )}
    </span>
  );
}

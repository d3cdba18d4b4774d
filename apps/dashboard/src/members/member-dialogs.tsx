import type { Member } from '@understudy/client';
import { Button, ConfirmDialog, Dialog, ErrorNotice, Form, SecretOnce, Time, toast } from '@understudy/ui';
import { useState } from 'react';

import { problemOf } from '../api/problem.js';
import type { Role } from '../session/session.js';
import { useSession } from '../session/use-session.js';
import { RoleField } from './invite-dialogs.js';
import { useMemberChanges } from './queries.js';
import { TEXTS } from './texts.js';

interface MemberDialogProps {
  readonly member: Member;
  readonly onClose: () => void;
}

export function ChangeRoleDialog({ member, onClose }: MemberDialogProps) {
  const { changeRole } = useMemberChanges();
  const [role, setRole] = useState(member.role as Role);
  const { title, text, label, cancel, submit, done } = TEXTS.roleChange;
  const change = () =>
    changeRole.mutate(
      { id: member.id, role },
      {
        onSuccess: () => {
          toast.success(done(member.email, TEXTS.roleNames[role] ?? role));
          onClose();
        },
      },
    );
  return (
    <Dialog open onOpenChange={onClose} title={title(member.email)} description={text}>
      {changeRole.error && <ErrorNotice problem={{ ...problemOf(changeRole.error), details: [] }} />}
      <Form onSubmit={change}>
        <RoleField label={label} value={role} onChange={setRole} />
        <div className="flex flex-wrap justify-end gap-2 pt-1">
          <Button onClick={onClose}>{cancel}</Button>
          <Button type="submit" kind="primary" pending={changeRole.isPending} disabled={role === member.role}>
            {submit}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

export function RemoveMemberDialog({ member, onClose }: MemberDialogProps) {
  const { remove } = useMemberChanges();
  const session = useSession();
  const { title, consequence, invited, self, confirm, done } = TEXTS.removal;
  const effect = member.status === 'invited' ? invited : consequence;
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={title(member.email)}
      consequence={member.id === session.member?.id ? self + effect : effect}
      confirmLabel={confirm}
      pending={remove.isPending}
      error={remove.error === null ? undefined : problemOf(remove.error).text}
      onConfirm={() =>
        remove.mutate(member.id, {
          onSuccess: () => {
            toast.success(done(member.email));
            onClose();
          },
        })
      }
    />
  );
}

/** Creates a one-time link for a member who has no usable API key, and shows it once. */
export function SignInLinkDialog({ member, onClose }: MemberDialogProps) {
  const { createLink } = useMemberChanges();
  const { title, text, confirm, shownTitle, label, warning, expires } = TEXTS.link;
  const { data: link, error } = createLink;
  if (link === undefined)
    return (
      <ConfirmDialog
        open
        kind="primary"
        onOpenChange={onClose}
        title={title(member.email)}
        consequence={text}
        confirmLabel={confirm}
        pending={createLink.isPending}
        error={error === null ? undefined : problemOf(error).text}
        onConfirm={() => createLink.mutate(member.id)}
      />
    );
  return (
    <Dialog open onOpenChange={onClose} title={shownTitle(member.email)} dismissible={false}>
      <p className="text-muted">
        {expires} <Time iso={link.expires_at} />
      </p>
      <SecretOnce label={label} value={link.url} warning={warning} onStored={onClose} />
    </Dialog>
  );
}

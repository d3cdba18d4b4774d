import type { InvitedMember } from '@understudy/client';
import {
  Button,
  Dialog,
  ErrorNotice,
  Form,
  Notice,
  RadioGroup,
  SecretOnce,
  TextField,
  Time,
} from '@understudy/ui';
import { useState } from 'react';

import { BASE_PATH } from '../api/client.js';
import { fieldProblems, problemOf } from '../api/problem.js';
import { ROLES, type Role } from '../session/session.js';
import { useSession } from '../session/use-session.js';
import { useMemberChanges } from './queries.js';
import { TEXTS } from './texts.js';

/** An invitation whose token the server shows only once. The token is absent if the answer was lost and repeated. */
export type Invitation = Pick<InvitedMember, 'email' | 'invitation_token' | 'invitation_expires_at'>;

interface RoleFieldProps {
  readonly label: string;
  readonly value: Role;
  readonly onChange: (role: Role) => void;
  readonly error?: string | undefined;
}

/** The roles that the session may give. */
export function RoleField(props: RoleFieldProps) {
  const { role } = useSession();
  const options = ROLES.slice(0, ROLES.indexOf(role) + 1).map((value) => ({
    value,
    label: TEXTS.roleNames[value] ?? value,
    hint: TEXTS.roles[value],
  }));
  return <RadioGroup {...props} options={options} />;
}

export function InviteDialog({
  onClose,
  onInvited,
}: {
  readonly onClose: () => void;
  readonly onInvited: (invitation: Invitation) => void;
}) {
  const { invite } = useMemberChanges();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const { form } = TEXTS;
  const problem = invite.error === null ? undefined : problemOf(invite.error);
  const problems = fieldProblems(invite.error, { email: 'email', role: 'role' });
  return (
    <Dialog open onOpenChange={onClose} title={form.title} description={form.text} dismissible={false}>
      {problem && problem.status !== 422 && <ErrorNotice problem={{ ...problem, details: [] }} />}
      <Form onSubmit={() => invite.mutate({ email, role }, { onSuccess: onInvited })}>
        <TextField
          label={form.email}
          value={email}
          onChange={setEmail}
          error={problems.email}
          type="email"
          maxLength={254}
          autoComplete="off"
          required
        />
        <RoleField label={form.role} value={role} onChange={setRole} error={problems.role} />
        <div className="flex flex-wrap justify-end gap-2 pt-1">
          <Button onClick={onClose}>{form.cancel}</Button>
          <Button type="submit" kind="primary" pending={invite.isPending}>
            {form.submit}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

/** Shows the link of an invitation once. */
export function InvitationDialog({
  invitation,
  onClose,
}: {
  readonly invitation: Invitation;
  readonly onClose: () => void;
}) {
  const { title, label, warning, expires, lost } = TEXTS.invitation;
  const { email, invitation_token: token, invitation_expires_at: end } = invitation;
  return (
    <Dialog open onOpenChange={onClose} title={title(email)} dismissible={false}>
      {token === undefined ? (
        <Notice tone="warning" text={lost} />
      ) : (
        <>
          <p className="text-muted">
            {expires} <Time iso={end} />
          </p>
          <SecretOnce
            label={label}
            value={`${window.location.origin}${BASE_PATH}/dashboard/accept-invitation#${token}`}
            warning={warning}
            onStored={onClose}
          />
        </>
      )}
    </Dialog>
  );
}

import type { Member } from '@understudy/client';
import { Dialog, SecretOnce, Time } from '@understudy/ui';
import { useState } from 'react';

import { client } from '../api/client.js';
import { MutationDialog } from '../api/mutation-dialog.js';
import { sessionCalls } from '../session/session-calls.js';
import { roleName } from '../session/roles.js';
import type { Role } from '../session/session.js';
import { useSession } from '../session/use-session.js';
import { RoleField } from './invite-dialogs.js';
import { MEMBERS } from './queries.js';
import { TEXTS } from './texts.js';

interface MemberDialogProps {
  readonly member: Member;
  readonly onClose: () => void;
}

export function ChangeRoleDialog({ member, onClose }: MemberDialogProps) {
  const [role, setRole] = useState(member.role as Role);
  const { title, text, label, submit, done } = TEXTS.roleChange;
  return (
    <MutationDialog
      title={title(member.email)}
      text={text}
      confirmLabel={submit}
      size="medium"
      disabled={role === member.role}
      run={() => client.members.change(member.id, { role })}
      queryKey={MEMBERS}
      done={done(member.email, roleName(role))}
      onClose={onClose}
    >
      {() => <RoleField label={label} value={role} onChange={setRole} />}
    </MutationDialog>
  );
}

export function RemoveMemberDialog({ member, onClose }: MemberDialogProps) {
  const session = useSession();
  const { title, consequence, invited, self, confirm, done } = TEXTS.removal;
  const effect = member.status === 'invited' ? invited : consequence;
  return (
    <MutationDialog
      title={title(member.email)}
      text={member.id === session.member?.id ? self + effect : effect}
      confirmLabel={confirm}
      run={() => client.members.remove(member.id)}
      queryKey={MEMBERS}
      done={done(member.email)}
      onClose={onClose}
    />
  );
}

/** Creates a one-time link for a member who has no usable API key, and shows it once. */
export function SignInLinkDialog({ member, onClose }: MemberDialogProps) {
  const [link, setLink] = useState<{ readonly url: string; readonly expires_at: string }>();
  const { title, text, confirm, shownTitle, label, warning, expires } = TEXTS.link;
  if (link === undefined)
    return (
      <MutationDialog
        kind="primary"
        title={title(member.email)}
        text={text}
        confirmLabel={confirm}
        run={() => sessionCalls.createLink(member.id)}
        onClose={onClose}
        onDone={setLink}
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

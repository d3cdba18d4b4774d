import type { InvitedMember } from '@understudy/client';
import { Dialog, Notice, RadioGroup, SecretOnce, TextField, Time } from '@understudy/ui';

import { BASE_PATH, client } from '../api/client.js';
import { MutationDialog, useFields } from '../api/mutation-dialog.js';
import { roleOptions } from '../session/roles.js';
import type { Role } from '../session/session.js';
import { useSession } from '../session/use-session.js';
import { MEMBERS } from './queries.js';
import { TEXTS } from './texts.js';

/** An invitation whose token the server shows only once. The token is absent if the response was lost and repeated. */
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
  return <RadioGroup {...props} options={roleOptions(role)} />;
}

export function InviteDialog({
  onClose,
  onInvited,
}: {
  readonly onClose: () => void;
  readonly onInvited: (invitation: Invitation) => void;
}) {
  const { values, field } = useFields({ email: '', role: 'member' as Role });
  const { form } = TEXTS;
  return (
    <MutationDialog
      title={form.title}
      text={form.text}
      confirmLabel={form.submit}
      size="medium"
      run={() => client.members.invite(values)}
      queryKey={MEMBERS}
      fields={{ email: 'email', role: 'role' }}
      onClose={onClose}
      onDone={onInvited}
    >
      {(problems) => (
        <>
          <TextField
            {...field('email', problems)}
            label={form.email}
            type="email"
            maxLength={254}
            autoComplete="off"
            required
          />
          <RoleField {...field('role', problems)} label={form.role} />
        </>
      )}
    </MutationDialog>
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

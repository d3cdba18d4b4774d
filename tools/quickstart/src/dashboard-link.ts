import { ConflictError, type Understudy } from '@understudy/client';
import { cleanEnvironment, controlPlaneCommand, type StackInfo } from '@understudy/stack';

/** The member that opens the dashboard. The address belongs to nobody. */
const EMAIL = 'you@example.test';

export interface DashboardLink {
  /** The address of the dashboard. */
  readonly url: string;
  /** An address that signs in once, within 10 minutes. */
  readonly signInUrl: string;
}

/** Makes the user of this machine an owner of the organisation, and creates a link that signs the user in. */
export async function dashboardLink(client: Understudy, stack: StackInfo): Promise<DashboardLink> {
  const { origin } = new URL(stack.base_url);
  await join(client);
  const output = await controlPlaneCommand(
    ['sign-in-link', '--member', EMAIL, '--org', stack.org_id, '--json'],
    {
      ...cleanEnvironment(),
      UNDERSTUDY_DATABASE_URL: stack.control_db_url,
      UNDERSTUDY_PUBLIC_URL: origin,
    },
  );
  const { url } = JSON.parse(output) as { url: string };
  return { url: `${origin}/dashboard/`, signInUrl: url };
}

/** Adds the member, unless an earlier run has added it. */
async function join(client: Understudy): Promise<void> {
  try {
    const { invitation_token } = await client.members.invite({ email: EMAIL, role: 'owner' });
    if (invitation_token !== undefined) await client.members.acceptInvitation({ token: invitation_token });
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
  }
}

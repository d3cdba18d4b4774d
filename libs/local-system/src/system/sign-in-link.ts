import { cleanEnvironment, runCommand, type Program } from './programs.js';
import type { SystemInfo } from './system-info.js';

/** The member that opens the dashboard. The address belongs to nobody. */
const EMAIL = 'you@example.test';

export interface DashboardLink {
  /** The address of the dashboard. */
  readonly url: string;
  /** An address that signs in once, within 10 minutes. */
  readonly signInUrl: string;
}

/** Makes the user of this machine an owner of the organisation, and creates a link that signs the user in. */
export async function dashboardLink(system: SystemInfo, controlPlane: Program): Promise<DashboardLink> {
  const { origin } = new URL(system.base_url);
  await joinAsOwner(system);
  const words = ['sign-in-link', '--member', EMAIL, '--org', system.org_id, '--json'];
  const printed = await runCommand(controlPlane, words, {
    ...cleanEnvironment(),
    UNDERSTUDY_DATABASE_URL: system.control_db_url,
    UNDERSTUDY_PUBLIC_URL: origin,
  });
  const { url } = JSON.parse(printed) as { url: string };
  return { url: `${origin}/dashboard/`, signInUrl: url };
}

/**
 * Makes the user of this machine an owner. An earlier start may have ended between the invitation and its acceptance.
 * The token of that invitation is lost, so a new one replaces it.
 */
export async function joinAsOwner({
  base_url: base,
  api_token: token,
}: Pick<SystemInfo, 'base_url' | 'api_token'>): Promise<void> {
  const send = async (method: string, path: string, body?: object): Promise<Response> => {
    const response = await fetch(base + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    });
    if (!response.ok && response.status !== 409)
      throw new Error(`${method} /v1${path.split('?', 1).join('')} returned ${response.status}`);
    return response;
  };
  const invite = () => send('POST', '/org/members', { email: EMAIL, role: 'owner' });
  let invited = await invite();
  if (invited.status === 409) {
    const listed = (await (await send('GET', '/org/members?per_page=100')).json()) as Listed;
    const open = listed.data.members.find(({ email, status }) => email === EMAIL && status === 'invited');
    if (open === undefined) return;
    await send('DELETE', `/org/members/${open.id}`);
    invited = await invite();
  }
  const { data } = (await invited.json()) as { data: { invitation_token: string } };
  await send('POST', '/org/members/accept', { token: data.invitation_token });
}

interface Listed {
  readonly data: {
    readonly members: readonly { readonly id: string; readonly email: string; readonly status: string }[];
  };
}

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
  await join(system);
  const words = ['sign-in-link', '--member', EMAIL, '--org', system.org_id, '--json'];
  const printed = await runCommand(controlPlane, words, {
    ...cleanEnvironment(),
    UNDERSTUDY_DATABASE_URL: system.control_db_url,
    UNDERSTUDY_PUBLIC_URL: origin,
  });
  const { url } = JSON.parse(printed) as { url: string };
  return { url: `${origin}/dashboard/`, signInUrl: url };
}

/** Adds the member, unless an earlier start has added it. */
async function join({ base_url: base, api_token: token }: SystemInfo): Promise<void> {
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(base + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(60_000),
    });
    if (response.status === 409) return undefined;
    if (!response.ok) throw new Error(`POST /v1${path} returned ${response.status}`);
    return (await response.json()) as { data: { invitation_token: string } };
  };
  const invited = await post(
    '/org/members',
    { email: EMAIL, role: 'owner' },
    { authorization: `Bearer ${token}` },
  );
  if (invited) await post('/org/members/accept', { token: invited.data.invitation_token });
}

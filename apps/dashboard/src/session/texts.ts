export const SESSION_TEXTS = {
  roles: {
    names: { viewer: 'Viewer', member: 'Member', admin: 'Admin', owner: 'Owner' } as Readonly<
      Record<string, string>
    >,
    effects: {
      viewer: 'Reads everything, changes nothing.',
      member: 'Runs jobs, generates records, and manages models, mock endpoints and snapshots.',
      admin: 'Also manages agents, webhooks, API keys and members.',
      owner: 'Also manages owners and the plan.',
    },
    fullAccess: 'Everything the role allows',
    scopeCount: (count: number) => (count === 1 ? '1 scope' : `${count} scopes`),
  },
  signIn: {
    title: 'Sign in',
    token: 'API key or one-time link',
    tokenHint: 'A key begins with us_live_. A link contains us_link_.',
    submit: 'Sign in',
    provider: (name: string) => `Continue with ${name}`,
    or: 'or with an API key or a one-time link',
    linkTitle: 'Sign in with a one-time link',
    linkText: 'The link works once. After that, use an API key or ask for a new link.',
    linkSubmit: 'Sign in with this link',
    linkFailed: {
      title: 'This link does not work any more',
      text: 'It was used before, or it is older than 10 minutes. Ask for a new link, or use an API key.',
    },
    refused: {
      title: 'This API key is not valid',
      text: 'Check that you copied the whole key. It may also be revoked or expired.',
    },
    help: {
      title: 'How do I get an API key?',
      text: 'A member with the role admin makes one under Settings, API keys. The operator of the server can also make a link that signs you in:',
      command: 'understudy-control-plane sign-in-link \\\n  --member you@example.com',
      language: 'Shell',
    },
  },
  providerErrors: {
    provider_refused: {
      title: 'The provider refused the sign-in',
      text: 'You may have cancelled it, or your account may not use this application. Try again, or ask the administrator of the provider.',
    },
    email_not_verified: {
      title: 'Your e-mail address is not verified',
      text: 'Verify it at the provider. Then sign in again.',
    },
    not_a_member: {
      title: 'You are not a member of an organisation',
      text: 'If you were invited, accept the invitation first. Otherwise, ask an admin of your organisation to invite the e-mail address of this account.',
    },
    expired: {
      title: 'The sign-in took too long',
      text: 'Start it again. It must end within 10 minutes, in the same browser.',
    },
    provider_unavailable: {
      title: 'The provider cannot be reached',
      text: 'Try again in a few minutes, or sign in with an API key.',
    },
    unknown: {
      title: 'The sign-in failed',
      text: 'Try again, or sign in with an API key.',
    },
  },
  chooseOrganization: {
    title: 'Choose an organisation',
    text: 'A session belongs to one organisation.',
    action: (name: string) => `Continue with ${name}`,
    offers: {
      title: 'Link your account',
      text: 'These organisations invited your e-mail address, but your account is not linked to them yet. Continue only with an organisation that you know: your account then signs in there.',
      action: (name: string) => `Link and continue with ${name}`,
    },
    back: 'Back to the sign-in',
  },
  invitation: {
    title: 'Accept an invitation',
    text: (organization: string) => `${organization} has invited you. Accept to become a member.`,
    organization: 'Organisation',
    email: 'Your e-mail address',
    role: 'Your role',
    name: 'Your name',
    nameHint: 'Optional. Other members see it.',
    submit: 'Accept the invitation',
    missing: {
      title: 'This address contains no invitation',
      text: 'Open the whole link that you were sent. It ends in a long secret after the sign #.',
    },
    refused: {
      title: 'This invitation does not work any more',
      text: 'It was used before, has expired, or was taken back. Ask for a new invitation.',
    },
    joined: 'You are a member now',
    joinedText: 'This is your first API key. Programs sign in with it, and so do you.',
    token: 'Your API key',
    tokenWarning: 'Store the key now. It is not shown again.',
    continue: 'I have stored it, continue',
  },
  ended: {
    title: 'Your session has ended',
    text: 'Everything that you typed on this page is still here. Sign in again to continue.',
    providerText:
      'A new tab opens. Return here after you have signed in there, and this page continues. Or use an API key or a one-time link:',
  },
  open: {
    title: 'Sessions',
    text: 'You are signed in with these browsers. End each session that is not yours, or that you do not need.',
    signedInBy: {
      token: 'Signed in with an API key',
      link: 'Signed in with a one-time link',
      oidc: 'Signed in with a provider',
    },
    current: 'This browser',
    since: 'Since',
    lastUse: 'Last use',
    end: 'End session',
    endOf: (since: string) => `End session of ${since}`,
    confirmTitle: 'End this session?',
    confirmText: (since: string) =>
      `The browser that signed in ${since} is signed out. What was typed there and not sent can be lost.`,
    ended: 'The session has ended.',
    noOther: 'There is no session in another browser.',
    unknown: 'The server stores neither the address nor the name of a browser.',
  },
  warning: {
    title: 'Your session ends soon',
    extendable: 'Nothing was done for almost an hour.',
    final:
      'A session lasts at most 12 hours. After its end, you can sign in again on this page, and keep what you typed.',
    remaining: (minutes: number, seconds: number) =>
      `Time left: ${minutes}:${String(seconds).padStart(2, '0')}`,
    extend: 'Stay signed in',
    dismiss: 'Continue until the end',
  },
} as const;

/** Returns the texts for an error code in the address of the sign-in page. */
export function providerError(code: string): { readonly title: string; readonly text: string } {
  const { providerErrors } = SESSION_TEXTS;
  return Object.hasOwn(providerErrors, code)
    ? providerErrors[code as keyof typeof providerErrors]
    : providerErrors.unknown;
}

import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Button, CenteredFrame, PageHeader, Section, Skeleton, TextLink } from '@understudy/ui';

import { ProblemNotice } from '../api/query-state.js';
import { Brand } from '../frame/brand.js';
import { sessionCalls } from '../session/session-calls.js';
import { sessionStore } from '../session/session-store.js';
import type { OrganizationChoice } from '../session/session.js';
import { SESSION_TEXTS } from '../session/texts.js';

const { chooseOrganization: TEXTS } = SESSION_TEXTS;

/**
 * The last step of a sign-in by a provider, for a user who is a member of several organisations, or whose account
 * is not linked to an organisation yet.
 */
export function ChooseOrganizationPage() {
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery({
    queryKey: ['oidc', 'organizations'],
    queryFn: sessionCalls.organizations,
  });
  const choice = useMutation({
    mutationFn: async (id: string) => {
      await sessionStore.chooseOrganization(id);
      await navigate({ to: '/', replace: true });
    },
  });
  const choices = { choose: choice.mutate, pending: choice.isPending ? choice.variables : undefined };
  return (
    <CenteredFrame brand={<Brand />}>
      <PageHeader title={TEXTS.title} meta={TEXTS.text} />
      <ProblemNotice error={choice.error ?? error} onRetry={refetch} />
      {data === undefined && !error ? <Skeleton /> : null}
      <Choices choices={data?.filter(({ is_linked }) => is_linked)} action={TEXTS.action} {...choices} />
      {data?.some(({ is_linked }) => !is_linked) ? (
        <Section title={TEXTS.offers.title} text={TEXTS.offers.text}>
          <Choices
            choices={data.filter(({ is_linked }) => !is_linked)}
            action={TEXTS.offers.action}
            {...choices}
          />
        </Section>
      ) : null}
      <TextLink render={<Link to="/sign-in" />}>{TEXTS.back}</TextLink>
    </CenteredFrame>
  );
}

function Choices({
  choices = [],
  action,
  pending,
  choose,
}: {
  readonly choices: readonly OrganizationChoice[] | undefined;
  readonly action: (name: string) => string;
  /** The id of the chosen organisation. */
  readonly pending: string | undefined;
  readonly choose: (id: string) => void;
}) {
  if (choices.length === 0) return null;
  return (
    <ul className="flex flex-col gap-2">
      {choices.map(({ id, name }) => (
        <li key={id}>
          <Button className="w-full" pending={pending === id} onClick={() => choose(id)}>
            <span dir="auto">{action(name)}</span>
          </Button>
        </li>
      ))}
    </ul>
  );
}

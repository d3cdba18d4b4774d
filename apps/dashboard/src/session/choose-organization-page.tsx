import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Button, CenteredFrame, PageHeader, Skeleton, TextLink } from '@understudy/ui';
import { useState } from 'react';

import { ProblemNotice } from '../api/query-state.js';
import { Brand } from '../app/brand.js';
import { sessionCalls } from './session-calls.js';
import { sessionStore } from './session-store.js';
import { SESSION_TEXTS } from './texts.js';

const { chooseOrganization: TEXTS } = SESSION_TEXTS;

/** The last step of a sign-in by a provider, for a member of several organisations. */
export function ChooseOrganizationPage() {
  const navigate = useNavigate();
  const [pending, setPending] = useState<string>();
  const [failure, setFailure] = useState<unknown>();
  const { data, error, refetch } = useQuery({
    queryKey: ['oidc', 'organizations'],
    queryFn: sessionCalls.organizations,
  });
  const choose = async (id: string): Promise<void> => {
    setPending(id);
    try {
      await sessionStore.chooseOrganization(id);
      await navigate({ to: '/', replace: true });
    } catch (problem) {
      setFailure(problem);
      setPending(undefined);
    }
  };
  return (
    <CenteredFrame brand={<Brand />}>
      <PageHeader title={TEXTS.title} meta={TEXTS.text} />
      <ProblemNotice error={failure ?? error} onRetry={refetch} />
      {data === undefined && !error ? <Skeleton /> : null}
      <ul className="flex flex-col gap-2">
        {data?.map(({ id, name }) => (
          <li key={id}>
            <Button className="w-full" pending={pending === id} onClick={() => void choose(id)}>
              {TEXTS.action(name)}
            </Button>
          </li>
        ))}
      </ul>
      <TextLink render={<Link to="/sign-in" />}>{TEXTS.back}</TextLink>
    </CenteredFrame>
  );
}

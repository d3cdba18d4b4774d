import { Link, useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { CenteredFrame, ErrorNotice, LinkButton, PageHeader, reloadDocument } from '@understudy/ui';

import { CodeNotLoadedError } from '../api/lazy-page.js';
import { problemOf } from '../api/problem.js';
import { Brand } from './brand.js';
import { APP_TEXTS } from './texts.js';

/** The page for an address that leads nowhere. */
export function NotFoundPage() {
  const { title, text, action } = APP_TEXTS.notFound;
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title={title} meta={text} />
      <div>
        <LinkButton render={<Link to="/" />}>{action}</LinkButton>
      </div>
    </div>
  );
}

/** The page in place of one that failed: what happened, the request id, and a way to try again. */
export function FailedPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = (): void => {
    if (error instanceof CodeNotLoadedError) return void reloadDocument();
    reset();
    void router.invalidate();
  };
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title={APP_TEXTS.failed.title} />
      <ErrorNotice problem={problemOf(error)} onRetry={retry} />
    </div>
  );
}

/** The same page if the frame itself cannot be shown, for example because the server does not respond. */
export function FailedFrame(props: ErrorComponentProps) {
  return (
    <CenteredFrame brand={<Brand />}>
      <FailedPage {...props} />
    </CenteredFrame>
  );
}

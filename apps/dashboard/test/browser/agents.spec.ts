import type { Page } from 'playwright-core';

import { checkAccessibility } from '../harness/accessibility.js';
import { describeDashboard } from '../harness/dashboard-test.js';
import { titleAndFocus } from '../harness/page-checks.js';

describeDashboard(
  'the agents',
  (dashboard) => {
    const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
    const agentName = async (): Promise<string> => {
      const { agents } = await dashboard().call<{ agents: { name: string }[] }>('GET', '/agents');
      return agents[0]?.name ?? '';
    };

    it('show their health, databases and policy, but no pattern and no URL', async () => {
      const page = await dashboard().open('/agents');
      await page.getByRole('heading', { name: 'Agents' }).waitFor();
      await expect(titleAndFocus(page)).resolves.toMatchObject({ title: 'Agents · Understudy' });
      const name = await agentName();
      await page.getByRole('link', { name }).waitFor();
      await checkAccessibility(page, 'agents');
      await page.getByRole('link', { name }).click();
      await page.getByRole('heading', { name }).waitFor();
      await page.getByText('Live', { exact: true }).waitFor();
      await expect(
        page.getByRole('textbox', { name: 'Connection string of shop' }).inputValue(),
      ).resolves.toBe('agent:shop');
      await page.getByText('Patterns of columns that must be masked').waitFor();
      await page.getByText('This agent has trained no model.').waitFor();
      await expect(page.getByText(/postgres(ql)?:\/\//).count()).resolves.toBe(0);
      await checkAccessibility(page, 'agent');
    });

    it('are connected with commands for three ways, and none contains the token', async () => {
      const page = await dashboard().open('/agents');
      await button(page, 'Connect an agent').first().click();
      await button(page, 'Create enrolment token').click();
      const lines = page.getByRole('region', { name: 'Shell' });
      await expect(lines.textContent()).resolves.toContain(`--control-url ${dashboard().url}/v1 &&`);
      await page.getByText('Waiting for the agent to connect').waitFor();
      for (const [way, command] of [
        ['Container', 'docker run'],
        ['Helm', 'helm install'],
      ] as const) {
        await page.getByRole('tab', { name: way }).click();
        const text = page.getByRole('region', { name: `Shell, ${way}` });
        await expect(text.textContent()).resolves.toContain(command);
      }
      const token = page.getByRole('textbox', { name: 'Enrolment token' });
      await expect(token.inputValue()).resolves.toMatch(/^•+$/);
      await page.getByRole('dialog').getByRole('button', { name: 'Show', exact: true }).click();
      await expect(token.inputValue()).resolves.toMatch(/^us_enrol_[A-Za-z0-9_-]+$/);
      await expect(page.getByText('us_enrol_').count()).resolves.toBe(0);
    });

    it('report an unknown agent with what to do', async () => {
      const page = await dashboard().open('/agents/agt_01ARZ3NDEKTSV4RRFFQ69G5FAV');
      await page.getByRole('alert').waitFor();
    });

    it('are revoked after a confirmation', async () => {
      const page = await dashboard().open('/agents');
      await page.getByRole('link', { name: await agentName() }).click();
      await button(page, 'Revoke').click();
      await button(page, 'Revoke agent').click();
      await page.getByText('Revoked', { exact: true }).waitFor();
      await button(page, 'Revoke').waitFor({ state: 'detached' });
    });
  },
  { agents: true },
);

import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describeUnless, findChromium, NetworkNamespace, reasonToSkip, waitFor } from '@understudy/testing';
import { chromium, type Browser, type Locator, type Page } from 'playwright-core';

import { expectOutput, guideBlocks } from '../../../../apps/cli/test/guides/guide-blocks.js';
import { GuideShell } from '../../../../apps/cli/test/guides/guide-shell.js';
import { packRelease } from '../../src/pack-release.js';

jest.setTimeout(1_200_000); // packs and installs a release, and runs every step of a page

const ROOT = join(import.meta.dirname, '../../../..');
const PAGE = readFileSync(join(ROOT, 'docs/guides/evaluate.md'), 'utf8');
/** The home folder in the output that the page shows. */
const SHOWN_HOME = '/home/you';

const skipped = NetworkNamespace.whyNotPossible() ?? reasonToSkip('chromium');

/** The network has only its own loopback interface, so the ports of the page are free, and there is no registry. */
describeUnless(skipped)('the page evaluate.md, without a network', () => {
  let folder: string;
  let home: string;
  let namespace: NetworkNamespace;
  let shell: GuideShell;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'understudy-evaluation-'));
    namespace = NetworkNamespace.create('evaluate');
    const prefix = ['ip', 'netns', 'exec', namespace.name];
    home = join(folder, 'a home');
    shell = new GuideShell({ HOME: home }, { prefix });
    mkdirSync(home);
    for (const each of [folder, home]) chmodSync(each, 0o711); // PostgreSQL's user passes through a home folder
    await packRelease(ROOT, join(folder, 'release'));
    cpSync(join(folder, 'release'), shell.folder, { recursive: true });
    const program = join(folder, 'chromium');
    writeFileSync(program, `#!/bin/sh\nexec ${prefix.join(' ')} '${findChromium()}' "$@"\n`, { mode: 0o755 });
    browser = await chromium.launch({ executablePath: program });
    page = await browser.newPage();
    page.setDefaultTimeout(120_000);
  });

  afterAll(async () => {
    await browser?.close();
    await shell?.close();
    namespace?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const button = (name: string, within: Page | Locator = page) =>
    within.getByRole('button', { name, exact: true });
  const open = (name: string) =>
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();

  async function choose(field: string, option: RegExp): Promise<void> {
    await page.getByRole('combobox', { name: field, exact: true }).click();
    await page.getByRole('option', { name: option }).click();
  }

  /** Follows step 5, and waits for the end of the job. */
  async function runJob(): Promise<void> {
    await open('Sync jobs');
    await page.getByRole('link', { name: 'New sync job' }).first().click();
    const chooser = page.waitForEvent('filechooser');
    await button('Choose job file').click();
    await (await chooser).setFiles(join(shell.folder, 'shop.job.jsonc'));
    await choose('Source', /^agent:shop(?!_)/);
    await choose('Target', /^agent:shop_staging/);
    await button('Start job').click();
    await button('Start job', page.getByRole('dialog')).click();
    await page.getByText('Completed', { exact: true }).first().waitFor();
  }

  /** Follows the steps after the start of the receiver. @param received returns what the receiver has printed */
  async function receiveEvents(received: () => string): Promise<void> {
    await open('Webhooks');
    await button('Add webhook').first().click();
    const [url = ''] = /http:\/\/127\.0\.0\.1:9000\/(?=`)/.exec(PAGE) ?? [];
    await page.getByRole('textbox', { name: 'URL', exact: true }).fill(url);
    await button('Add webhook', page.getByRole('dialog')).click();
    await page.getByRole('textbox', { name: 'Signing secret' }).waitFor();
    await button('Close', page.getByRole('dialog')).click();
    await page.getByRole('link', { name: url, exact: true }).click();
    await button('Send test event').click();
    await waitFor('the test event', () => Promise.resolve(received().includes('webhook.test')));
    expectOutput('the receiver', received(), { format: 'json', text: shown('{"id":"evt_') });
    await runJob();
    await waitFor('the event of the job', () => Promise.resolve(received().includes('"sync.completed"')));
  }

  it('has commands that run, print the shown output, and end at a masked row and a webhook', async () => {
    for (const block of guideBlocks(PAGE)) {
      if (block.kind === 'file') throw new Error(`expected no file, found ${block.name}`);
      if (block.text.includes('understudy-control-plane dev')) {
        const printed = (await shell.serve(block.text, /Press Ctrl-C/))().replaceAll(home, SHOWN_HOME);
        const lines = printed.split('\n').filter((line) => /^ {2}\w/.test(line));
        expectOutput('dev', lines.join('\n').trim(), { format: 'text', text: shown('  dashboard') });
        await page.goto(/http:\S+#link=\S+/.exec(printed)?.[0] ?? '');
        await button('Sign in with this link').click();
      } else if (block.kind === 'server') await receiveEvents(await shell.serve(block.text, /^/));
      else {
        const printed = await shell.run(block.text);
        if (block.output) expectOutput(block.text, printed, block.output);
        if (block.text.includes('understudy init')) await runJob();
        if (block.text.includes('/shop_staging"')) {
          expect(printed).toContain('(1 row)');
          expect(printed).toMatch(/@example\.com/);
          expect(printed).not.toMatch(/Scott|Ramirez|mail\.example/);
        }
      }
    }
  });

  it('ends at one complete copy of each customer', async () => {
    const sql = 'SELECT count(*) FROM customers';
    for (const database of ['shop', 'shop_staging'])
      expect(await shell.run(`psql "$DATABASES/${database}" -Atc '${sql}'`)).toBe('2000\n');
  });
});

/** Returns the block of the page that begins with a text. */
function shown(beginning: string): string {
  const blocks = [...PAGE.matchAll(/^( *)```text\n([^]*?)^ *```$/gm)].map(([, indent = '', body = '']) =>
    body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
  const found = blocks.find((text) => text.startsWith(beginning));
  if (found === undefined) throw new Error(`expected a block that begins with ${beginning}, found none`);
  return found.trim();
}

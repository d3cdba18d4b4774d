import { Type } from 'typebox';

import { named, type ResponseOf } from '../../../platform/http/operations/schemas.js';

const commands = (description: string) => Type.Array(Type.String(), { description });

export const InstallLines = named(
  'InstallLines',
  {
    npm: commands(
      'For npm and systemd. The folder contains `policy.yaml`. The second command asks for the enrolment token.',
    ),
    container: commands(
      'For Docker, or Podman with the name `docker`. The folder contains `policy.yaml`. The second command reads the enrolment token from standard input.',
    ),
    helm: commands(
      'For Helm. The folder contains `values.yaml`. The first command reads the enrolment token from standard input.',
    ),
  },
  {
    description:
      'Shell commands that install the agent from the files of the release, in their order. Stop at the first that fails. They contain no token.',
  },
);
export type InstallLines = ResponseOf<typeof InstallLines>;

/** The version of the packages that are released together. Must equal package.json; a test compares them. */
export const PACKAGE_VERSION = '0.1.0';

/**
 * Returns the commands that install the agent of this version. They use the files of the release in the current
 * folder. Commands that need the enrolment token read one line from standard input, so that the token is in no
 * argument and no history of a shell.
 * @param publicUrl the URL at which agents reach the control plane, without `/v1`; any valid URL
 */
export function installLines(publicUrl: string): InstallLines {
  const controlUrl = `${new URL(publicUrl).href.replace(/\/+$/, '')}/v1`;
  return { npm: npmLines(controlUrl), container: containerLines(controlUrl), helm: helmLines(controlUrl) };
}

function npmLines(controlUrl: string): string[] {
  return [
    `sudo npm install --global ./understudy-agent-${PACKAGE_VERSION}.tgz`,
    `sudo understudy-agent service install --control-url ${shellWord(controlUrl)}`,
    'sudo cp policy.yaml /etc/understudy-agent/policy.yaml', // keeps the owner and mode of the sample
    'sudo systemctl enable --now understudy-agent',
  ];
}

/**
 * The image's own user writes both files into the volume. A file of the host would belong to another user, and
 * which one differs between Docker and rootless Podman.
 */
function containerLines(controlUrl: string): string[] {
  const image = `understudy/agent:${PACKAGE_VERSION}`;
  const volume = `--volume understudy-agent:${STATE_FOLDER}`;
  const store = (read: string, name: string) =>
    `docker run --rm --interactive --network none ${volume} --entrypoint /bin/sh ${image} ` +
    `-c 'umask 077 && ${read} > ${STATE_FOLDER}/${name}'`;
  return [
    `${store('cat', 'policy.yaml')} < policy.yaml`,
    store('head -n 1', 'enrolment-token'),
    [
      'docker run --detach --name understudy-agent --restart unless-stopped',
      `--read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges ${volume}`,
      `--env ${shellWord(`UNDERSTUDY_CONTROL_URL=${controlUrl}`)}`,
      `--env UNDERSTUDY_AGENT_STATE_DIR=${STATE_FOLDER}`,
      `--env UNDERSTUDY_AGENT_POLICY_FILE=${STATE_FOLDER}/policy.yaml`,
      `--env UNDERSTUDY_AGENT_ENROLMENT_TOKEN_FILE=${STATE_FOLDER}/enrolment-token`,
      image,
    ].join(' '),
  ];
}

const STATE_FOLDER = '/var/lib/understudy-agent';

function helmLines(controlUrl: string): string[] {
  return [
    `head -n 1 | kubectl create secret generic ${SECRET} --from-file=token=/dev/stdin`,
    [
      `helm install understudy-agent ./helm-understudy-agent-${PACKAGE_VERSION}.tgz --values values.yaml`,
      `--set-string enrolment.existingSecret=${SECRET}`,
      `--set-string ${shellWord(`controlPlane.url=${controlUrl.replace(/[\\,]/g, '\\$&')}`)}`, // a comma would begin another value
    ].join(' '),
  ];
}

const SECRET = 'understudy-agent-enrolment';

/** Quotes a text for a POSIX shell if it needs quotes. */
export function shellWord(text: string): string {
  return /^[\w%+,./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

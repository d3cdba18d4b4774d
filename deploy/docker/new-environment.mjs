// Prints a .env file with new secrets for docker-compose.yml. Run "npm run build" first, then:
//   (umask 077; node deploy/docker/new-environment.mjs > .env)
import { randomBytes } from 'node:crypto';
import { generateNatsSeeds } from '@understudy/nats-trust';

const seeds = generateNatsSeeds();
const secret = () => randomBytes(16).toString('hex');

console.log(`UNDERSTUDY_POSTGRES_PASSWORD=${secret()}
UNDERSTUDY_CONTROL_DATABASE_PASSWORD=${secret()}
UNDERSTUDY_DATABASES_PASSWORD=${secret()}
UNDERSTUDY_REDIS_PASSWORD=${secret()}
UNDERSTUDY_OPS_PASSWORD=${secret()}
UNDERSTUDY_NATS_OPERATOR_SEED=${seeds.operator}
UNDERSTUDY_NATS_ACCOUNT_SEED=${seeds.account}
UNDERSTUDY_NATS_AGENT_ACCOUNT_SEED=${seeds.agentAccount}
UNDERSTUDY_NATS_SYSTEM_ACCOUNT_SEED=${seeds.systemAccount}`);

export { AgentMessageContext } from '@understudy/jetstream-transport';

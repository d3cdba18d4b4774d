# Build in the root of the checkout: docker build -f deploy/docker/agent.Dockerfile .
FROM node:20-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --ignore-scripts --no-audit --no-fund && npx tsc -b apps/agent

FROM node:20-bookworm-slim
# The agent runs pg_dump and pg_restore to copy schemas and to take snapshots.
RUN apt-get update \
  && apt-get install -y --no-install-recommends postgresql-client-15 \
  && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /src/package.json /src/package-lock.json /src/.npmrc ./
COPY --from=build /src/apps/agent apps/agent
COPY --from=build /src/libs libs
RUN npm ci --ignore-scripts --omit=dev --no-audit --no-fund --workspace @understudy/agent && npm cache clean --force
RUN install -d -o node -g node -m 0700 /var/lib/understudy
ENV UNDERSTUDY_AGENT_STATE_DIR=/var/lib/understudy
VOLUME /var/lib/understudy
USER node
HEALTHCHECK --interval=10s --timeout=10s --start-period=60s --retries=3 CMD ["node", "apps/agent/dist/cli.js", "status"]
CMD ["node", "apps/agent/dist/main.js"]

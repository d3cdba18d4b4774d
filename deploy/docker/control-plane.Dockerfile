# Build in the root of the checkout: docker build -f deploy/docker/control-plane.Dockerfile .
FROM node:20-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --ignore-scripts --no-audit --no-fund && npx tsc -b apps/control-plane && npx vite build apps/dashboard

FROM node:20-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /src/package.json /src/package-lock.json /src/.npmrc ./
COPY --from=build /src/apps/control-plane apps/control-plane
COPY --from=build /src/apps/dashboard/package.json apps/dashboard/package.json
COPY --from=build /src/apps/dashboard/dist/site apps/dashboard/dist/site
COPY --from=build /src/libs libs
RUN npm ci --ignore-scripts --omit=dev --no-audit --no-fund --workspace @understudy/control-plane \
  && npm cache clean --force
RUN install -d -o node -g node /bootstrap /enrolment /nats
USER node
EXPOSE 8080
CMD ["node", "apps/control-plane/dist/main.js"]

# A Heddle worker. On glibc: Temporal's core has no build for musl (Alpine).
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
# Without scripts: only the pinned Node would be fetched by one, and the image has that Node.
RUN npm ci --ignore-scripts
COPY . .
RUN node --disable-warning=ExperimentalWarning scripts/build.ts && npm prune --omit=dev --ignore-scripts

FROM node:24.21.0-bookworm-slim
# What programs of subtasks commonly need, and what makes the sandbox of agents' commands (docs/sandbox.md says what the container must
# allow for it); add your own agent's tools in an image made from this one.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends bubblewrap ca-certificates git iproute2 slirp4netns \
  && rm -rf /var/lib/apt/lists/*
RUN useradd --uid 10001 --create-home --shell /bin/sh heddle \
  && mkdir -p /var/lib/heddle /workspaces \
  && chown heddle:heddle /var/lib/heddle /workspaces
# As an installed package: under node_modules the program takes the JavaScript and the prebuilt workflows.
COPY --from=build /build/package.json /opt/heddle/node_modules/heddle/package.json
COPY --from=build /build/bin /opt/heddle/node_modules/heddle/bin
COPY --from=build /build/dist /opt/heddle/node_modules/heddle/dist
COPY --from=build /build/node_modules /opt/heddle/node_modules/heddle/node_modules
COPY deploy/healthcheck.mjs /opt/heddle/healthcheck.mjs
RUN ln -s ../../opt/heddle/node_modules/heddle/bin/heddle.js /usr/bin/heddle
USER heddle
WORKDIR /workspaces
ENV HEDDLE_HOME=/var/lib/heddle
VOLUME ["/var/lib/heddle", "/workspaces"]
# Ended by SIGTERM, which lets running attempts finish or hands them over.
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "/opt/heddle/node_modules/heddle/bin/heddle.js"]
CMD ["worker"]

# The stand-alone server, for the `url` option of the plugins and for clients in any language.
#
#   docker build -t mcp-fakes .
#   docker run -p 4010:4010 -e MCP_FAKES_TOKEN -v "$PWD/fixtures:/fixtures:ro" mcp-fakes
FROM node:22-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && mkdir pack && npm pack --ignore-scripts --pack-destination pack

FROM node:22-slim
WORKDIR /app
COPY --from=build /build/pack/ /tmp/pack/
RUN npm install --omit=dev --no-audit --no-fund /tmp/pack/*.tgz && rm -r /tmp/pack
USER node
WORKDIR /fixtures
EXPOSE 4010
# Other machines reach a container, so MCP_FAKES_TOKEN must be set: without it the server does not start.
ENTRYPOINT ["node", "/app/node_modules/mcp-fakes/dist/cli.mjs", "serve", "--host", "0.0.0.0"]
CMD ["/fixtures"]

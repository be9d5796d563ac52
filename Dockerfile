# The stand-alone server, for the `url` option of the plugins and for clients in any language.
#
#   docker build -t mcp-fakes .
#   docker run --init -p 4010:4010 -e MCP_FAKES_TOKEN -v "$PWD/fixtures:/fixtures:ro" mcp-fakes
FROM node:22-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --omit=dev

FROM dependencies AS build
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build -- --no-dts

FROM node:22-slim
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules/
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/dist dist/
USER node
WORKDIR /fixtures
EXPOSE 4010
# Any answer will do, and without the token it is 401: what is asked is whether the server listens.
HEALTHCHECK --interval=5s --timeout=3s CMD ["node", "-e", "fetch('http://127.0.0.1:4010/__aimock/health')"]
# Other machines reach a container, so MCP_FAKES_TOKEN must be set: without it the server does not start.
ENTRYPOINT ["node", "/app/dist/cli.mjs", "serve", "--host", "0.0.0.0"]
CMD ["/fixtures"]

import http from "node:http";
import axios from "axios";
import { Agent, fetch as undiciFetch, request as undiciRequest } from "undici";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { type RunningTest, runAs } from "../../../plugins/shared/current-test.ts";
import { injectTestId, watchRequests } from "../../../plugins/shared/inject.ts";

/** Answers the test id that a request carried, and lets it wait for others. */
const echo = http.createServer(({ headers }, response) => {
  setTimeout(() => response.end(JSON.stringify(headers["x-test-id"] ?? null)), 5);
});
let url = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
  const address = echo.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  watchRequests();
  injectTestId(url);
  return () => {
    echo.closeAllConnections();
    echo.close();
  };
});

function asTest<T>(id: string, body: () => Promise<T>): Promise<T> {
  const test: RunningTest = {
    id,
    tag: id,
    project: "",
    file: "a",
    names: [id],
    attempt: 1,
    verify: "all",
    isAlone: () => true,
    adding: new Set(),
    added: [],
  };
  return runAs(test, body);
}

function overHttp(target: string, options: http.RequestOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    http
      .get(target, options, (response) => response.on("data", (chunk) => resolve(JSON.parse(chunk))))
      .on("error", reject);
  });
}

/** Ways to send one request, and what each is told of the test id. */
const SENDERS: Record<string, (target: string, headers?: Record<string, string>) => Promise<unknown>> = {
  fetch: async (target, headers = {}) => (await fetch(target, { headers })).json(),
  "undici fetch": async (target, headers = {}) => (await undiciFetch(target, { headers })).json(),
  "undici request": async (target, headers = {}) => (await undiciRequest(target, { headers })).body.json(),
  "node:http": (target, headers = {}) => overHttp(target, { headers }),
  "node:http without an agent kept": (target, headers = {}) => overHttp(target, { headers, agent: false }),
  "node:http with an array": (target, headers = {}) =>
    overHttp(target, { headers: ["host", new URL(target).host, ...Object.entries(headers).flat()] }),
  axios: async (target, headers = {}) => (await axios.get(target, { headers })).data,
};

test.each(Object.entries(SENDERS))("%s carries the id of the test that sends", async (_, send) => {
  const ids = Array.from({ length: 10 }, (__, index) => `test ${index} › ü`);
  const seen = await Promise.all(ids.map((id) => asTest(id, () => send(url))));
  expect(seen).toEqual(ids.map(encodeURIComponent));
});

test.each(Object.entries(SENDERS))("%s keeps what the user said", async (_, send) => {
  expect(await asTest("test", () => send(url, { "x-Test-ID": "mine" }))).toBe("mine");
  expect(await asTest("test", () => send(`${url}/?testId=mine`))).toBeNull();
  expect(await asTest("test", () => send(`${url}/__test/mine/v1`))).toBeNull();
});

test.each(Object.entries(SENDERS))("%s says nothing to other servers, or outside of tests", async (_, send) => {
  const other = http.createServer(({ headers }, response) =>
    response.end(JSON.stringify(headers["x-test-id"] ?? null)),
  );
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void other.close());
  const address = other.address();
  const foreign = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  expect(await asTest("test", () => send(foreign))).toBeNull();
  expect(await send(url)).toBeNull();
});

test("localhost is the same server", async () => {
  expect(await asTest("test", () => overHttp(url.replace("127.0.0.1", "localhost")))).toBe("test");
});

test("a request that waited in a narrow pool still has its own test's id", async () => {
  const dispatcher = new Agent({ connections: 2 });
  onTestFinished(() => dispatcher.close());
  const ids = Array.from({ length: 12 }, (_, index) => `test ${index}`);
  const send = async () => (await undiciRequest(url, { dispatcher })).body.json();
  expect(await Promise.all(ids.map((id) => asTest(id, send)))).toEqual(ids.map(encodeURIComponent));
});

test("a fetch that waited in a narrow pool has its own test's id or none, never another's", async () => {
  const dispatcher = new Agent({ connections: 2 });
  onTestFinished(() => dispatcher.close());
  const ids = Array.from({ length: 12 }, (_, index) => `test ${index}`);
  const send = async () => (await undiciFetch(url, { dispatcher })).json();
  const seen = await Promise.all(ids.map((id) => asTest(id, send)));
  expect(seen.map((id, index) => id === null || id === encodeURIComponent(ids[index] ?? ""))).toEqual(
    ids.map(() => true),
  );
  expect(seen.slice(0, 2)).toEqual(["test%200", "test%201"]);
});

test("a second injection takes the place of the first", async () => {
  injectTestId("http://127.0.0.1:1");
  expect(await asTest("test", () => overHttp(url))).toBeNull();
  injectTestId(url);
  expect(await asTest("test", () => overHttp(url))).toBe("test");
});

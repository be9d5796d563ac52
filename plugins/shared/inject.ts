import { AsyncResource } from "node:async_hooks";
import diagnostics from "node:diagnostics_channel";
import http from "node:http";
import { currentTest, onlyTest, type RunningTest } from "./current-test.ts";
import { type OriginTest, originTest } from "./origin-test.ts";
import { workerState } from "./worker-state.ts";

/** What puts test ids on requests; all copies of this module in a worker share one. */
export interface Injector {
  onUndiciRequest(message: unknown): void;
  onHttpRequest(request: http.ClientRequest, target: http.RequestOptions): void;
}

/** An agent with what Node's types leave out. Not added to those types: users would see it there too. */
interface WholeAgent extends http.Agent {
  readonly protocol: string;
  addRequest(this: WholeAgent, request: http.ClientRequest, options: http.RequestOptions, ...more: unknown[]): void;
}

/** A request as undici publishes it when it is made. */
interface UndiciRequest {
  readonly origin: string | URL;
  readonly path: string;
  /** Names and values in turn; in undici 5 the head's text. */
  readonly headers: readonly string[] | string;
  addHeader(name: string, value: string): unknown;
}

const HEADER = "X-Test-Id";

/**
 * Puts the current test's id on every request that this worker sends to the server at `url`, whichever client sends it
 * and whenever that client was made. A request that says itself whose it is, by header or `?testId=`, is left alone.
 * A second call takes the place of the first.
 */
export function injectTestId(url: string): void {
  const isOurs = originTest(url);
  workerState().injector = {
    onUndiciRequest: (message) => tagUndici((message as { request: UndiciRequest }).request, isOurs),
    onHttpRequest: (request, options) => tagHttp(request, options, isOurs),
  };
}

/** Sees all requests of this worker. To be done once: what watches outlives the module's copies and calls the newest. */
export function watchRequests(): void {
  const state = workerState();
  diagnostics.subscribe("undici:request:create", (message) => state.injector?.onUndiciRequest(message));
  const prototype = http.Agent.prototype as WholeAgent;
  const { addRequest } = prototype;
  prototype.addRequest = function (request, options, ...more) {
    state.injector?.onHttpRequest(request, { protocol: this.protocol, ...options });
    Reflect.apply(addRequest, this, [request, options, ...more]);
  };
}

/** Every `fetch`, the global one too, and every dispatcher of every copy of undici. */
function tagUndici(request: UndiciRequest, isOurs: OriginTest): void {
  if (!isOurs(new URL(request.origin)) || isTagged(request.path) || hasHeader(request.headers)) return;
  const header = headerOf(senderOf(request));
  if (header !== null) request.addHeader(HEADER, header);
}

/**
 * A pool with a limit of connections makes a waiting request only when another one has ended, in that one's context.
 * undici's own functions keep theirs in the request's handler; a `fetch` does not, and then only a test that runs alone
 * can be meant: better no id, which is reported, than another test's.
 */
function senderOf(request: UndiciRequest): RunningTest | null {
  const key = Object.getOwnPropertySymbols(request).find(({ description }) => description === "handler");
  const handler: unknown = key === undefined ? null : Reflect.get(request, key);
  if (handler instanceof AsyncResource) return handler.runInAsyncScope(currentTest);
  return isMadeByDrain() ? onlyTest() : currentTest();
}

function isMadeByDrain(): boolean {
  const { prepareStackTrace, stackTraceLimit } = Error;
  const here: { stack?: unknown } = {};
  Error.stackTraceLimit = 20;
  Error.prepareStackTrace = (_, frames) => frames.some((frame) => /onDrain/.test(frame.getFunctionName() ?? ""));
  Error.captureStackTrace(here);
  const isDrain = here.stack === true;
  Error.prepareStackTrace = prepareStackTrace;
  Error.stackTraceLimit = stackTraceLimit;
  return isDrain;
}

function hasHeader(headers: UndiciRequest["headers"]): boolean {
  if (typeof headers === "string") return /^x-test-id:/im.test(headers);
  return headers.some((name, index) => index % 2 === 0 && name.toLowerCase() === HEADER.toLowerCase());
}

/** Every request of `node:http` that goes through an agent, which is every one that brings no connection of its own. */
function tagHttp(request: http.ClientRequest, options: http.RequestOptions, isOurs: OriginTest): void {
  const { protocol, hostname, host, port, socketPath } = options;
  const target = { protocol: protocol ?? "", hostname: hostname ?? host ?? "", port: String(port ?? "") };
  if (socketPath || !isOurs(target) || isTagged(request.path) || request.hasHeader(HEADER)) return;
  const header = headerOf(currentTest());
  if (header === null) return;
  if (!request.headersSent) request.setHeader(HEADER, header);
  // Headers that were given as an array are laid out already, but nothing is sent before there is a connection.
  else if ("_header" in request && typeof request._header === "string" && !hasHeader(request._header)) {
    request._header = request._header.replace(/\r\n\r\n$/, `\r\n${HEADER}: ${header}\r\n\r\n`);
  }
}

function headerOf(test: RunningTest | null): string | null {
  return test === null ? null : encodeURIComponent(test.tag);
}

/** The control API is asked about tests, not by them. */
function isTagged(path: string): boolean {
  return /[?&]testId=/.test(path) || /^\/__(aimock|test)\//.test(path);
}

import type { Headers } from "../../http/exchange.ts";
import { type Identity, withSession } from "../../identity.ts";
import type { ExchangeFacts } from "../../journal/facts.ts";
import { lazy } from "../../lazy.ts";
import type { Limits } from "../../limits.ts";
import { parseBody } from "../../parse-json.ts";
import type { Caller } from "../call/caller.ts";
import type { Transport } from "../call/link.ts";
import { createSessionLink } from "../call/session-link.ts";
import { type Endpoint, noted } from "../endpoint.ts";
import type { Session, SessionEra } from "../era-session.ts";
import { claimOf, type StatelessEra } from "../era-stateless.ts";
import {
  type Answer,
  answerText,
  RPC,
  type RpcId,
  type RpcMessage,
  type RpcRequest,
  readMessage,
  rpcError,
} from "../json-rpc.ts";
import type { Subscriptions } from "../subscriptions.ts";
import { faultLine } from "./fault-reply.ts";
import { targetAsked } from "./http-replies.ts";
import { createOpenCalls, type OpenCalls } from "./open-calls.ts";
import { receiveInSession, type Said, saidOf } from "./session-messages.ts";
import { createStatelessPipe } from "./stateless-pipe.ts";

export interface PipeDependencies {
  readonly endpoint: Endpoint;
  readonly sessionEra: SessionEra;
  readonly servesSessions: boolean;
  readonly statelessEra: StatelessEra;
  readonly subscriptions: Subscriptions;
  limits(): Limits;
}

/** The two ends of a pipe: who is at the other, and how it is reached. */
export interface PipeEnds {
  readonly transport: Exclude<Transport, "streamable-http">;
  /** The path that the mock is served at. */
  readonly mount: string;
  readonly identity: Identity;
  readonly headers: Headers;
  send(text: string): void;
  /** The server has ended the connection. */
  ended(): void;
}

/** One text that came in, and who takes what is learnt of it. */
export interface Arrived {
  readonly text: string;
  /** What this text's own request carried beside it, where each text has one. */
  readonly identity?: Identity;
  note(facts: ExchangeFacts): void;
}

/**
 * One client on a connection that carries messages both ways, as stdio and the old HTTP+SSE do (MCP, Transports). The
 * first message decides: `initialize` binds the connection to a session, a request that says all itself does not.
 */
export interface Pipe {
  receive(arrived: Arrived): void;
  /** The client has said all: see {@link OpenCalls}. */
  readonly lastAnswers: OpenCalls["lastAnswers"];
  /** The client has gone. */
  close(): void;
}

export function createPipe(dependencies: PipeDependencies, ends: PipeEnds): Pipe {
  const { endpoint, sessionEra, servesSessions, statelessEra } = dependencies;
  const stateless = createStatelessPipe(dependencies, ends);
  const calls = createOpenCalls();
  let session: Session | null = null;

  function receive(arrived: Arrived): void {
    const parsed = parseBody(arrived.text, dependencies.limits());
    if (!parsed.ok) {
      const [code, title] =
        parsed.reason.kind === "syntax" ? [RPC.parseError, "Parse error"] : [RPC.invalidRequest, "Invalid Request"];
      return refuse([], { code, text: `${title}: ${parsed.reason.text}` }, arrived);
    }
    if (Array.isArray(parsed.value)) return receiveBatch(parsed.value.map(readMessage), arrived);
    const message = readMessage(parsed.value);
    if (session !== null) return inSession(message, session, arrived);
    if (statelessEra.served && isStateless(message))
      return calls.follow([message], stateless.receive(message, arrived));
    if (message.kind === "request" && message.method === "initialize" && servesSessions)
      return handshake(message, arrived);
    if (message.kind === "request") beforeSession(message, arrived);
    else if (message.kind === "invalid")
      refuse([message], { code: RPC.invalidRequest, text: `Invalid Request: ${message.why}` }, arrived);
  }

  function handshake(request: RpcRequest, { note, identity: sent }: Arrived): void {
    const identity = sent === undefined ? ends.identity : withSession(sent, ends.identity);
    const opened = sessionEra.open(request, { identity, transport: ends.transport });
    session = opened.session;
    const caller = callerIn(session, { note, identity }, null);
    const welcome = (answer: Answer) => {
      const said = saidOf(request.id, noted(request, caller, answer));
      if (typeof said === "string") caller.session.carrier = { push: ends.send, ended: ends.ended };
      else forget(caller.session);
      sendSettled(said);
    };
    const answer = endpoint.spoil(request, caller, () => opened.answer) ?? opened.answer;
    if (answer instanceof Promise) calls.follow([request], answer.then(welcome));
    else welcome(answer);
  }

  /** A handshake that went wrong on purpose opens no session; the client may try again. */
  function forget({ id }: Session): void {
    sessionEra.close(id, "its handshake went wrong, on purpose");
    session = null;
  }

  function beforeSession(request: RpcRequest, arrived: Arrived): void {
    if (!servesSessions) return calls.follow([request], stateless.receive(request, arrived));
    if (request.method === "ping") return ends.send(answerText(request.id, { result: {} }));
    refuse([request], { code: RPC.notInitialized, text: "Session not initialized: send initialize first" }, arrived);
  }

  function inSession(message: RpcMessage, { id }: Session, arrived: Arrived): void {
    const found = sessionEra.get(id);
    if (found === undefined) return;
    const unfit = findUnfit(message, found);
    if (unfit !== undefined) return refuse([message], unfit, arrived);
    calls.follow([message], sendWhenSettled(answerIn(message, found, arrived)));
  }

  /** One by one, in order: a batch claims its fakes as its elements stand. */
  function receiveBatch(messages: readonly RpcMessage[], arrived: Arrived): void {
    const current = session;
    if (current === null || !current.takesBatches || messages.length === 0) {
      const unfit = { code: RPC.invalidRequest, text: "Invalid Request: send one message, not a batch" };
      return refuse(messages, unfit, arrived);
    }
    const answerAll = async () => {
      const texts: string[] = [];
      for (const message of messages) {
        const unfit = findUnfit(message, current);
        const said =
          unfit === undefined ? await answerIn(message, current, arrived) : refusalOf([message], unfit, arrived);
        if (typeof said === "object") return said;
        if (said !== undefined) texts.push(said);
      }
      return texts.length === 0 ? undefined : `[${texts.join(",")}]`;
    };
    calls.follow(messages, sendWhenSettled(answerAll()));
  }

  function answerIn(message: RpcMessage, current: Session, { note, identity }: Arrived) {
    const own = identity === undefined ? current.identity : withSession(identity, current.identity);
    const caller = callerIn(current, { note, identity: own }, message.kind === "request" ? message.id : null);
    return receiveInSession(message, caller, endpoint);
  }

  function callerIn(
    current: Session,
    { note, identity }: { note(facts: ExchangeFacts): void; identity: Identity },
    id: RpcId,
  ): Caller & { readonly session: Session } {
    const { mount, headers, send } = ends;
    return {
      identity,
      mount,
      client: current.client,
      session: current,
      note,
      // Whether a line was read, nobody says.
      onLost() {},
      link: lazy(() => createSessionLink({ session: current, id, headers, send, closeStream() {} })),
    };
  }

  function sendWhenSettled(said: Said | undefined | Promise<Said | undefined>): Promise<void> | undefined {
    if (said instanceof Promise) return said.then(sendSettled);
    sendSettled(said);
    return undefined;
  }

  function sendSettled(said: Said | undefined): void {
    if (said === undefined) return;
    if (typeof said === "string") return ends.send(said);
    const { line, ends: isLast } = faultLine(said);
    if (line !== null) ends.send(line);
    if (isLast) ends.ended();
  }

  function refuse(messages: readonly RpcMessage[], unfit: Unfit, arrived: Arrived): void {
    ends.send(refusalOf(messages, unfit, arrived));
  }

  /** What is refused before any method sees it is in the journal all the same. */
  function refusalOf(
    messages: readonly RpcMessage[],
    { code, text }: Unfit,
    { identity, note }: Pick<Arrived, "identity" | "note">,
  ): string {
    const asked = messages.flatMap((message) => (message.kind === "request" ? targetAsked(message) : []));
    const who = identity === undefined ? ends.identity : withSession(identity, ends.identity);
    note({ service: "mcp", identity: who, body: null, refused: { reason: text, asked } });
    const [only] = messages.length === 1 ? messages : [];
    return answerText(only?.kind === "request" ? only.id : null, rpcError(code, text));
  }

  return {
    receive,
    lastAnswers: calls.lastAnswers,
    close() {
      stateless.close();
      if (session !== null) sessionEra.close(session.id, "the client closed its connection");
    },
  };
}

/** A message of the era without sessions says so; its notifications need not. */
function isStateless(message: RpcMessage): message is Extract<RpcMessage, { kind: "request" | "notification" }> {
  if (message.kind === "notification") return true;
  return message.kind === "request" && claimOf(message.params) !== undefined && message.method !== "initialize";
}

interface Unfit {
  readonly code: number;
  readonly text: string;
}

function findUnfit(message: RpcMessage, { initialized }: Session): Unfit | undefined {
  if (message.kind !== "request") return undefined;
  if (message.method === "initialize") {
    return { code: RPC.invalidRequest, text: "Invalid Request: initialize stands alone, and comes once" };
  }
  if (initialized || message.method === "ping") return undefined;
  return { code: RPC.notInitialized, text: "Session not initialized: send notifications/initialized first" };
}

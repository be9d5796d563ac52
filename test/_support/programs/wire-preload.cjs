// Loaded into the processes and threads that tests start: holds what their servers send against the specification's
// schemas. What does it is loaded with the first request, so that a process without a server pays nothing.
const { subscribe } = require("node:diagnostics_channel");
const { isMainThread } = require("node:worker_threads");

/** @type {((event: unknown) => void) | null} */
let watchExchange = null;

subscribe("http.server.request.start", (event) => {
  watchExchange ??= load().watchExchange;
  watchExchange(event);
});

if (isMainThread && process.argv.some((argument) => /^--stdio$|stdio-server/.test(argument))) watchStdio();

function load() {
  const { createJiti } = require("jiti");
  return createJiti(__filename)("./wire-child.ts");
}

/** Node's own streams, whose one reader and writer is the server. */
function watchStdio() {
  let lines = null;
  const watched = () => (lines ??= load().watchLines());
  const { stdin, stdout } = process;
  const { emit } = stdin;
  const { write } = stdout;
  const fromClient = byLine((line) => watched().fromClient(line));
  const fromServer = byLine((line) => watched().fromServer(line));
  stdin.emit = (event, ...given) => {
    if (event === "data") fromClient(String(given[0]));
    return Reflect.apply(emit, stdin, [event, ...given]);
  };
  stdout.write = (...given) => {
    fromServer(String(given[0]));
    return Reflect.apply(write, stdout, given);
  };
}

function byLine(take) {
  let rest = "";
  return (chunk) => {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) if (line.trim() !== "") take(line);
  };
}
